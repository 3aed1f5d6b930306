/** The view of the papers, and what an author does in it. */

import { LONG, PATIENCE } from "./workbench.mjs";

export function papers(editor) {
  const view = () => editor.page.locator(".pane", { has: editor.page.locator(".pane-header", { hasText: "Papers" }) }).first();
  const row = (text) => view().locator(".monaco-list-row", { hasText: text }).first();
  return {
    row,
    /** Open the view; what it offers then. */
    async open() {
      await editor.page.locator(".activitybar .action-item", { has: editor.page.locator("[aria-label='citeplug']") }).first().click();
      const offer = view().getByText("Find Papers for the Draft", { exact: true }).first();
      await offer.waitFor({ timeout: PATIENCE });
      return offer;
    },
    async found() {
      await row("For the section").waitFor({ timeout: LONG });
      await row("Rong et al. 2019").waitFor({ timeout: PATIENCE });
    },
    /** The click of an icon that a row shows under the mouse; the rows move when one was chosen, beneath what it tells. */
    async click(paper, action) {
      const icon = () => row(paper).locator(`.action-label[aria-label^="${action}"]`).first();
      for (const end = Date.now() + PATIENCE; Date.now() < end; ) {
        await editor.page.mouse.move(800, 500);
        const there = await row(paper).hover({ timeout: PATIENCE / 15 }).then(() => true, () => false);
        if (there && await icon().click({ timeout: PATIENCE / 15 }).then(() => true, () => false)) {
          return;
        }
      }
      throw new Error(`${paper} has no ${action}`);
    },
  };
}

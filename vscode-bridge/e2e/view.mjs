/** The view of the papers, and what an author does in it. */

import { LONG, PATIENCE } from "./workbench.mjs";

export function papers(editor) {
  const view = () => editor.page.locator(".pane", { has: editor.page.locator(".pane-header", { hasText: "Papers" }) }).first();
  const row = (text) => view().locator(".monaco-list-row", { hasText: text }).first();
  return {
    row,
    async show() {
      await editor.page.locator(".activitybar .action-item", { has: editor.page.locator("[aria-label='citeplug']") }).first().click();
    },
    /** Open the view; what it offers beside a draft without a section. */
    async open() {
      await this.show();
      const offer = view().getByText("Find Papers for the Draft", { exact: true }).first();
      await offer.waitFor({ timeout: PATIENCE });
      return offer;
    },
    async found() {
      await row("Not cited yet").waitFor({ timeout: LONG });
      await row("DropEdge").waitFor({ timeout: PATIENCE });
    },
    /** One click of an icon that a row shows under the mouse. */
    async click(paper, action) {
      const { x, y } = await this.aim(paper, action);
      await editor.page.mouse.click(x, y);
    },
    /** Where that icon is. */
    async aim(paper, action) {
      const icon = row(paper).locator(`.action-label[aria-label^="${action}"]`).first();
      let box = null; // the rows are drawn anew once the papers are found
      for (const end = Date.now() + PATIENCE; box === null; ) {
        if (Date.now() > end) {
          throw new Error(`${paper} has no ${action}`);
        }
        await row(paper).hover({ timeout: PATIENCE });
        box = (await icon.isVisible()) ? await icon.boundingBox() : null;
      }
      const { x, y, width, height } = box;
      return { x: x + width / 2, y: y + height / 2 };
    },
    /** The rows that are seen, from top to bottom, each with its place. */
    async places() {
      const rows = await view().locator(".monaco-list-row").all();
      const found = await Promise.all(rows.map(async (each) => [await each.locator(".label-name").first().innerText(), (await each.boundingBox()).y]));
      return found.sort(([, one], [, other]) => one - other);
    },
  };
}

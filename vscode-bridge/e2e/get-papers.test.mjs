/** The first papers of an author who has none: from arXiv's search, once its words were shown and allowed; then a section. */

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe } from "node:test";
import { DRAFT, PROGRAM, project } from "./project.mjs";
import { LONG, PATIENCE, check, open, until } from "./workbench.mjs";

describe("an author without papers", () => {
  let here;
  let editor;
  before(async () => {
    here = project(DRAFT);
    editor = await open(here.folder, { file: here.draft, settings: { "citeplug.path": PROGRAM } });
    await editor.runs();
  });
  after(async () => {
    await editor?.close();
    here.remove();
  });
  const dialog = () => editor.page.locator(".monaco-dialog-box");
  const wish = async () => {
    await editor.command("citeplug: Get Papers");
    const near = editor.page.locator(".quick-input-list .monaco-list-row", { hasText: "Papers close to this draft" }).first();
    await near.waitFor({ timeout: PATIENCE });
    await editor.shoot("get-papers-ways");
    await near.click();
    await dialog().waitFor({ timeout: LONG });
  };

  check("is told that there are none, and offered some", () => editor, async () => {
    await editor.page.locator(".activitybar [aria-label='citeplug']").first().click();
    await editor.page.getByText("Find Papers for the Draft", { exact: true }).first().click({ timeout: PATIENCE });
    await editor.notification("Get Papers").or(editor.page.getByText("Get Papers", { exact: true })).first().waitFor({ timeout: PATIENCE });
    await editor.shoot("get-papers-none");
  });

  check("is shown the words, of which none is sent when that is declined", () => editor, async () => {
    await wish();
    await editor.shoot("get-papers-words");
    mkdirSync(process.env.CITEPLUG_HOME, { recursive: true });
    writeFileSync(join(process.env.CITEPLUG_HOME, "shown.txt"), await dialog().innerText());
    await dialog().getByText("Cancel", { exact: true }).click();
    await dialog().waitFor({ state: "detached", timeout: PATIENCE });
  });

  check("gets papers when that is allowed, and a section of them", () => editor, async () => {
    await wish();
    await dialog().getByText("Send", { exact: true }).click();
    await editor.notification("papers added; the catalogue on this machine has").waitFor({ timeout: LONG });
    await editor.shoot("get-papers-done");
    await editor.page.locator(".tab", { hasText: "main.tex" }).first().click();
    await editor.command("citeplug: Write the Related Work");
    await editor.page.locator(".editor-actions .action-label", { hasText: "Write the Proposal" }).first().waitFor({ timeout: LONG });
    await editor.decide("Write the Proposal");
    const section = () => (existsSync(join(here.folder, "related.tex")) ? readFileSync(join(here.folder, "related.tex"), "utf8") : "");
    await until(() => /\\cite/.test(section()), section);
  });
});

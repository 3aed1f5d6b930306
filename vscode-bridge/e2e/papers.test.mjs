/** The papers for a section, beside the text: found, pinned, excluded, cited. */

import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe } from "node:test";
import { DRAFT, PROGRAM, project } from "./project.mjs";
import { papers } from "./view.mjs";
import { LONG, PATIENCE, check, open, until } from "./workbench.mjs";

describe("the papers beside a draft", () => {
  let here;
  let editor;
  let lines;
  let view;
  before(async () => {
    here = project(DRAFT);
    lines = readFileSync(here.draft, "utf8").split("\n");
    editor = await open(here.folder, { file: here.draft, settings: { "citeplug.path": PROGRAM } });
    view = papers(editor);
    await editor.runs();
  });
  after(async () => {
    await editor?.close();
    here.remove();
  });
  const row = (text) => view.row(text);
  const click = (paper, action) => view.click(paper, action);
  const chosen = () => {
    const file = join(here.folder, "citeplug.toml");
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  };
  check("are offered to be found, in a view of their own", () => editor, async () => {
    const offer = await view.open();
    await editor.shoot("papers-none");
    await offer.click();
    await view.found();
  });

  check("say why they were found, and whether their records are complete", () => editor, async () => {
    await row("Rong et al. 2019").click();
    await editor.inView(/^(Shares with|Near) your /);
    await editor.inView("removes randomly chosen edges");
    await (await editor.viewWith("summary")).locator("summary").click();
    await editor.inView("Its record is complete");
    await editor.shoot("papers-light", { calm: true });
  });

  check("stay where they are while one chooses: a second click at once hits what it was aimed at", () => editor, async () => {
    const second = await view.aim("Henaff et al. 2015", "Exclude");
    const first = await view.aim("Simonovsky and Komodakis 2017", "Pin");
    const before = await view.places();
    await editor.page.mouse.click(first.x, first.y);
    await editor.page.mouse.click(second.x, second.y);
    await until(() => /pin = \["1704\.02901"\]/.test(chosen()) && /exclude = \["1506\.05163"\]/.test(chosen()), chosen);
    await row(/excluded · Henaff et al. 2015/).waitFor({ timeout: PATIENCE });
    // So they do when another program chooses.
    writeFileSync(join(here.folder, "citeplug.toml"), chosen().replace("pin = [", 'pin = ["1907.10903", '));
    await row(/pinned · Rong et al. 2019/).waitFor({ timeout: LONG });
    assert.deepEqual(await view.places(), before);
    await click("Henaff et al. 2015", "Undo");
    await click("Simonovsky and Komodakis 2017", "Undo");
    await click("Rong et al. 2019", "Undo");
    await until(() => !/\d{4}\.\d{5}/.test(chosen()), chosen);
    await editor.command("Notifications: Clear All Notifications");
  });

  check("are pinned and excluded in the project's own file, and that is taken back", () => editor, async () => {
    await click("Simonovsky and Komodakis 2017", "Pin");
    await row("Pinned").waitFor({ timeout: PATIENCE });
    await until(() => /pin = \["1704\.02901"\]/.test(chosen()), chosen);
    await editor.below("edited and saved citeplug.toml");
    await click("Henaff et al. 2015", "Exclude");
    await row("Excluded").waitFor({ timeout: PATIENCE });
    await until(() => /exclude = \["1506\.05163"\]/.test(chosen()), chosen);
    await editor.dark();
    await row("Henaff et al. 2015").hover();
    await editor.shoot("papers-dark");
    await editor.resize(640, 800);
    await editor.shoot("papers-narrow");
    await editor.resize(1280, 800);
    await click("Henaff et al. 2015", "Undo");
    await row("Excluded").waitFor({ state: "detached", timeout: PATIENCE });
    await until(() => !chosen().includes("1506.05163"), chosen);
  });

  check("are searched for as one types, by names and words of the abstract", () => editor, async () => {
    await editor.command("citeplug: Search Papers");
    await editor.page.locator(".quick-input-title", { hasText: "Search Papers" }).waitFor({ timeout: PATIENCE });
    await editor.page.keyboard.type("hamilton induct");
    const found = editor.page.locator(".quick-input-list .monaco-list-row", { hasText: "Inductive Representation Learning" }).first();
    await found.waitFor({ timeout: PATIENCE });
    await editor.shoot("search-dark");
    await editor.resize(640, 800);
    await editor.shoot("search-narrow");
    await editor.resize(1280, 800);
    await editor.page.keyboard.press("Escape");
  });

  check("give their entry to be copied, from the view", () => editor, async () => {
    await row("Rong et al. 2019").click({ button: "right" });
    const menu = editor.page.locator(".monaco-menu .action-item", { hasText: "Copy BibTeX" }).first();
    await menu.waitFor({ timeout: PATIENCE });
    await editor.shoot("copy");
    await menu.click();
    await editor.below("Copied the BibTeX entry of rong2019dropedge");
    assert.match(await editor.page.evaluate(() => navigator.clipboard.readText()), /^@\w+\{rong2019dropedge,\n[^]*DropEdge/);
  });

  check("are cited where the cursor stands, with their entry", () => editor, async () => {
    const line = lines.findIndex((each) => each.includes("A fixed number suits few graphs.")) + 1;
    await editor.goTo(line, lines[line - 1].indexOf(" suits") + 1);
    await row("Rong et al. 2019").click({ button: "right" });
    await editor.choose("Cite at the Cursor");
    await editor.page.locator(".view-line", { hasText: "{rong2019dropedge}" }).first().waitFor({ timeout: PATIENCE });
    await editor.below(/edited and saved .*references\.bib/);
    const text = () => readFileSync(here.draft, "utf8");
    await until(() => /A fixed number~\\cite[a-z]*\{rong2019dropedge\} suits few graphs\./.test(text()), text);
    const entries = () => readFileSync(join(here.folder, "references.bib"), "utf8");
    await until(() => entries().includes("{rong2019dropedge,") && entries().includes("1907.10903"), entries);
  });
});

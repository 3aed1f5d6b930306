/** A draft is opened and edited: what is wrong, completed and shown. */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe } from "node:test";
import { PROGRAM, project } from "./project.mjs";
import { LONG, PATIENCE, check, open, until } from "./workbench.mjs";

describe("a draft", () => {
  let here;
  let editor;
  let lines;
  before(async () => {
    here = project();
    const text = readFileSync(here.draft, "utf8");
    writeFileSync(here.draft, text.replace("A fixed number suits few graphs.", "A fixed number suits few \\cite{nobody2000}."));
    const entries = join(here.folder, "references.bib");
    writeFileSync(entries, readFileSync(entries, "utf8").replace("Graph Attention Networks", "Graph Attention Nets"));
    lines = readFileSync(here.draft, "utf8").split("\n");
    editor = await open(here.folder, { file: here.draft, settings: { "citeplug.path": PROGRAM, "citeplug.inlayHints.enabled": true } });
  });
  after(async () => {
    await editor?.close();
    here.remove();
  });
  const shown = (text) => editor.page.getByText(text).first();
  const lineOf = (text) => lines.findIndex((line) => line.includes(text)) + 1;

  check("has its undefined key marked", () => editor, async () => {
    const problem = editor.page.locator(".squiggly-error").first();
    await editor.goTo(lineOf("nobody2000"), 1);
    await problem.waitFor({ timeout: PATIENCE });
    console.log(`# first diagnostic ${Date.now() - editor.started} ms after the folder was opened`);
    await editor.shoot("diagnostic");
  });

  check("shows the paper behind a key", () => editor, async () => {
    const line = lineOf("GraphSAGE \\cite{hamilton2017inductive}");
    await editor.goTo(line, lines[line - 1].indexOf("hamilton2017inductive") + 3);
    await editor.command("Show or Focus Hover");
    await shown("Inductive Representation Learning on Large Graphs").waitFor({ timeout: PATIENCE });
    const card = await editor.page.locator(".monaco-hover", { hasText: "Inductive Representation" }).first().innerText();
    assert.match(card, /✓ Verified[^\n]*\s+Inductive Representation Learning on Large Graphs\s+Advances in Neural[^\n]* · 2017\s+William/);
    await editor.shoot("hover");
    await editor.page.keyboard.press("Escape");
  });

  check("has its bibliography checked by a command", () => editor, async () => {
    await editor.command("citeplug: Check the Bibliography");
    await editor.below(/\d+ entries: \d+ verified/);
    await editor.page.locator(".markers-panel .monaco-list-row", { hasText: "Graph Attention" }).first().waitFor({ timeout: PATIENCE });
    await editor.shoot("check-problems");
    await editor.command("View: Hide Panel");
  });

  check("has keys completed by a word of the title", () => editor, async () => {
    const line = lineOf("A fixed number suits few");
    await editor.goTo(line, 1);
    await editor.page.keyboard.insertText("See \\cite{attention");
    await shown("See \\cite{attention").waitFor({ timeout: PATIENCE });
    await editor.page.keyboard.press("Control+Space");
    const row = editor.page.locator(".suggest-widget .monaco-list-row", { hasText: "velickovic2018graph" }).first();
    await row.waitFor({ timeout: PATIENCE });
    assert.match(await row.innerText(), /★\s*Graph Attention/);
    // What is half typed is no error yet: the only one is on the line behind it.
    assert.equal(await editor.page.locator(".squiggly-error").count(), 1);
    await editor.shoot("completion");
    await row.click();
    await shown("See \\cite{velickovic2018graph").waitFor({ timeout: PATIENCE });
  });

  check("has a paper completed by the meaning of the sentence, and gets its entry", () => editor, async () => {
    const line = lineOf("before training.");
    await editor.goTo(line + 1, 1);
    await editor.page.keyboard.insertText("Graphs may be coarsened to a hierarchy before their nodes are embedded \\cite{");
    const row = editor.page.locator(".suggest-widget .monaco-list-row", { hasText: "chen2017harp" }).first();
    // The model is loaded when it is first needed; until then only the author's own entries are offered.
    for (const end = Date.now() + LONG; !(await row.isVisible()); ) {
      assert.ok(Date.now() < end, "no paper was offered");
      await editor.page.keyboard.press("Escape");
      await editor.page.keyboard.press("Control+Space");
      await row.waitFor({ timeout: PATIENCE / 15 }).catch(() => undefined);
    }
    const rows = await editor.page.locator(".suggest-widget .monaco-list-row").allInnerTexts();
    assert.ok(rows.findIndex((each) => each.includes("chen2017harp")) < 3, rows.join("; "));
    await editor.shoot("completion-by-meaning");
    await row.click();
    await editor.page.locator(".view-line", { hasText: "cite{chen2017harp" }).first().waitFor({ timeout: PATIENCE });
    // The file was clean: it is saved, and named; the draft, in which the author types, is not.
    await editor.below("edited and saved references.bib");
    const entries = () => readFileSync(join(here.folder, "references.bib"), "utf8");
    await until(() => entries().includes("{chen2017harp,"), entries);
    assert.ok(!readFileSync(here.draft, "utf8").includes("chen2017harp"));
    await editor.command("Notifications: Clear All Notifications");
  });

  check("says above each paragraph of its section how many sentences wait, and which papers its plan names", () => editor, async () => {
    await editor.page.locator(".explorer-viewlet .monaco-list-row", { hasText: "related.tex" }).first().click();
    await editor.page.locator(".codelens-decoration", { hasText: /Read \d+ sentences.*Accept all/ }).first().waitFor({ timeout: PATIENCE });
    // Plans are folded when the file is opened.
    await editor.page.locator(".view-line", { hasText: "citeplug:begin p1 " }).first().waitFor({ timeout: PATIENCE });
    await editor.page.locator(".view-line", { hasText: "citeplug:1 " }).first().waitFor({ state: "detached", timeout: PATIENCE });
    await editor.shoot("folded");
    await editor.goTo(2, 1);
    await editor.command("Unfold All");
    await editor.page.locator(".view-line", { hasText: "Rong et al. 2019" }).first().waitFor({ timeout: PATIENCE });
    // What is hidden of a line stays so at the cursor.
    await editor.goTo(3, 20);
    const mark = editor.page.locator(".view-line span span", { hasText: /^%.citeplug:$/ }).first();
    assert.equal(await mark.evaluate((each) => getComputedStyle(each).fontSize), "0px");
    await editor.shoot("hints");
    await editor.page.locator(".tab", { hasText: "main.tex" }).first().click();
  });

  check("leads from a sentence that was accepted to the next, with what it is from", () => editor, async () => {
    await editor.page.locator(".tab", { hasText: "related.tex" }).first().click();
    const read = editor.page.locator(".codelens-decoration a", { hasText: /^Read / }).first();
    const waiting = async () => Number.parseInt((await read.innerText()).slice(5), 10);
    const before = await waiting();
    await read.click({ timeout: PATIENCE });
    const text = async () => await (await editor.viewWith("a.first")).locator("body").innerText().catch(() => ""); // it may be drawn anew
    const left = /\d+(?= to review)/;
    let seen = (await text()).match(left)[0];
    for (const shot of ["next-sentence", "third-sentence"]) {
      const frame = await editor.viewWith("a.first");
      await frame.locator("a.first").click();
      await until(async () => (await text()).match(left)?.[0] === String(seen - 1), () => seen);
      seen -= 1;
      await editor.shoot(shot);
    }
    await until(async () => (await waiting()) !== before, waiting);
    const first = readFileSync(join(here.folder, "related.tex"), "utf8").split("\n").findIndex((each) => /^[^%\s]/.test(each) && !each.startsWith("\\paragraph")) + 1;
    await editor.goTo(first, 3);
    await editor.inView("✓ Accepted");
    await (await editor.viewWith(".do")).getByText("Undo").click();
    await editor.inView(`${seen + 1} to review`);
    await editor.command("View: Show Explorer");
    await editor.page.locator(".tab", { hasText: "main.tex" }).first().click();
  });

  check("has a wrong title marked at the title", () => editor, async () => {
    await editor.page.locator(".explorer-viewlet .monaco-list-row", { hasText: "references.bib" }).first().dblclick();
    const entries = readFileSync(join(here.folder, "references.bib"), "utf8").split("\n");
    const line = entries.findIndex((each) => each.includes("Graph Attention Nets"));
    await editor.goTo(line + 1, entries[line].indexOf("Graph") + 1);
    await editor.page.locator(".squiggly-error, .squiggly-warning").first().waitFor({ timeout: PATIENCE });
    const [marked, value] = await Promise.all([
      editor.page.locator(".squiggly-error, .squiggly-warning").first().boundingBox(),
      editor.page.locator(".view-line", { hasText: "Graph Attention Nets" }).first().boundingBox(),
    ]);
    assert.ok(Math.abs(marked.y - value.y) < value.height);
    await editor.fix("Ignore this difference", "wrong-title");
    await editor.page.locator(".view-line", { hasText: "% citeplug: ignore title_differs" }).first().waitFor({ timeout: PATIENCE });
    await editor.page.locator(".squiggly-warning").first().waitFor({ state: "detached", timeout: PATIENCE });
    await editor.page.locator(".tab", { hasText: "main.tex" }).first().click();
  });

  check("has what an audit finds put right by quick fixes", () => editor, async () => {
    await editor.command("citeplug: Audit the Draft");
    await editor.below("The audit found");
    const problem = editor.page.locator(".markers-panel .monaco-list-row", { hasText: "), not cited" }).first();
    await problem.waitFor({ timeout: LONG });
    await editor.shoot("audit-problems");
    await problem.dblclick();
    await editor.command("View: Focus Active Editor Group");
    await editor.fix("Exclude ", "audit-fixes");
    await editor.below("edited and saved citeplug.toml");
    await editor.command("View: Hide Panel");
    await editor.page.locator(".tab", { hasText: "main.tex" }).first().click();
  });

  check("says in the status bar that the program runs", () => editor, async () => {
    assert.match(await editor.status.getAttribute("aria-label"), /citeplug 0\.1\.0/);
  });

  check("is no worse for a restart", () => editor, async () => {
    await editor.command("citeplug: Restart the Server");
    await editor.runs();
    await editor.goTo(lineOf("nobody2000"), 1);
    await editor.page.locator(".squiggly-error").first().waitFor({ timeout: PATIENCE });
  });
});

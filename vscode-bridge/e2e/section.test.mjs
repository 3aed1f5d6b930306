/** A section is written for a draft that has none: cancelled, discarded, accepted; then one paragraph by a changed plan. */

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe } from "node:test";
import { DRAFT, PROGRAM, project } from "./project.mjs";
import { LONG, PATIENCE, check, open, until } from "./workbench.mjs";

const COMMAND = "citeplug: Write the Related Work";
const OWN = "\\paragraph{Related work.} Some pass messages \\cite{gilmer2017neural,kipf2017semi}. Others do not \\cite{li2018deeper}.";
// Papers of the library that are far from the draft; whichever of them the section does not discuss is put into a plan.
const FAR = [
  ["1709.09994", "wang2017premise"],
  ["1706.02263", "berg2017graph"],
  ["1703.04826", "marcheggiani2017encoding"],
];

describe("a draft without a section", () => {
  let here;
  let editor;
  let files;
  before(async () => {
    here = project(DRAFT);
    files = readdirSync(here.folder).sort();
    editor = await open(here.folder, { file: here.draft, settings: { "citeplug.path": PROGRAM } });
    await editor.runs();
  });
  after(async () => {
    await editor?.close();
    here.remove();
  });
  const untouched = () => assert.deepEqual(readdirSync(here.folder).sort(), files);
  const working = () => editor.notification("Writing the related work");
  const proposed = (file) => editor.page.locator(".multiDiffEntry", { hasText: file }).first();
  const draft = () => readFileSync(here.draft, "utf8");
  const section = () => readFileSync(join(here.folder, "related.tex"), "utf8");
  const saved = async (there, seen) => {
    await editor.command("File: Save All");
    await until(there, seen);
  };
  const lens = (title) => editor.page.locator(".codelens-decoration a", { hasText: title }).first();
  const proposal = async (file) => {
    await proposed(file).locator(".view-line").first().waitFor({ timeout: LONG });
  };
  const offered = async () => {
    await editor.page.locator(".editor-actions .action-label", { hasText: "Write the Proposal" }).first().waitFor({ timeout: LONG });
    await lens("Read the").waitFor({ timeout: PATIENCE });
  };
  const click = async (name) => (await editor.viewWith("p.do")).getByText(name, { exact: true }).click();
  const tabs = () => editor.page.locator(".tab").allInnerTexts();

  check("is left alone when the author cancels", () => editor, async () => {
    await editor.command(COMMAND);
    await working().waitFor({ timeout: PATIENCE });
    await editor.page.locator(".statusbar-item", { hasText: "citeplug: " }).first().waitFor({ timeout: PATIENCE });
    await editor.answer("Writing the related work", "Cancel");
    await working().waitFor({ state: "detached", timeout: PATIENCE });
    untouched();
  });

  check("is shown a proposal before anything is written", () => editor, async () => {
    await editor.command(COMMAND);
    const stage = editor.page.locator(".statusbar-item", { hasText: /citeplug: (?!Writing)/ }).first();
    await stage.waitFor({ timeout: PATIENCE / 3 }).catch(() => undefined); // it may be over soon
    await editor.shoot("generating");
    // A new section is shown as a file, with what can be done in its title, and nothing on its text.
    await offered();
    assert.equal(await editor.page.locator(".notification-toast").count(), 0);
    await editor.below("citeplug: proposed, not written yet");
    assert.equal(await proposed("related.tex").count(), 0);
    await editor.inView("Proposed");
    await editor.shoot("proposal-light");
    await editor.resize(640, 800);
    await editor.shoot("proposal-narrow");
    await editor.resize(1280, 800);
    assert.equal((await tabs()).length, 2);
    await click("Reject");
    await editor.inView("it will not be written");
    await editor.shoot("proposal-rejected");
    await click("Undo");
    await editor.inView("Proposed");
    await lens("Show what changes in main.tex and related.bib").click();
    await proposal("main.tex");
    await editor.shoot("proposal-changes");
    untouched();
  });

  check("is left alone when the author discards it", () => editor, async () => {
    await editor.decide("Discard");
    await editor.page.locator(".statusbar-item", { hasText: "proposed, not written yet" }).waitFor({ state: "detached", timeout: PATIENCE });
    assert.deepEqual((await tabs()).map((each) => each.trim()), ["main.tex"]);
    untouched();
  });

  check("gets what was shown when the author accepts", () => editor, async () => {
    await editor.dark();
    await editor.command(COMMAND);
    await offered();
    await editor.shoot("proposal-dark");
    await editor.decide("Write the Proposal");
    await editor.below("edited and saved ");
    await until(() => existsSync(join(here.folder, "related.tex")) && section().startsWith("% citeplug: 2"), () => readdirSync(here.folder));
    await until(() => existsSync(join(here.folder, "related.bib")), () => readdirSync(here.folder));
    await until(() => /\\input\{related\}/.test(draft()), draft);
    await editor.page.locator(".view-line", { hasText: "citeplug:begin p1 " }).first().waitFor({ timeout: PATIENCE });
    await editor.page.locator(".view-line", { hasText: "citeplug:1 " }).first().waitFor({ state: "detached", timeout: PATIENCE });
    await editor.shoot("section");
    await editor.command("Notifications: Show Notifications");
    await editor.shoot("no-notifications");
    await editor.command("Notifications: Hide Notifications");
  });

  check("has its section and the line that reads it undone together, and no file deleted", () => editor, async () => {
    const before = draft();
    await editor.page.locator(".tab", { hasText: "related.tex" }).first().click();
    await editor.goTo(1, 1);
    await editor.page.keyboard.press("Control+z");
    await editor.page.locator(".tab.dirty", { hasText: "main.tex" }).waitFor({ timeout: PATIENCE });
    await editor.below("citeplug's edit was undone");
    await editor.shoot("undo");
    await editor.command("File: Save All");
    // A file is empty for a moment while it is saved.
    await until(() => draft() === readFileSync(join(DRAFT, "main.tex"), "utf8") && section() === "", () => `${draft()}${section()}`);
    assert.ok(existsSync(join(here.folder, "related.tex")));
    await editor.goTo(1, 1);
    await editor.page.keyboard.press("Control+y");
    await editor.page.locator(".tab.dirty", { hasText: "main.tex" }).waitFor({ timeout: PATIENCE });
    await editor.command("File: Save All");
    await until(() => draft() === before && section().startsWith("% citeplug: 2"), () => `${draft()}${section()}`);
    // The editor looks at a file that it has saved once more: what another program writes before that it takes for its own.
    await editor.page.locator(".tab.dirty").first().waitFor({ state: "detached", timeout: PATIENCE });
  });

  check("is told where its section is not read, and reads it by a quick fix, beside a related work of the author's own", () => editor, async () => {
    const alone = draft().replace(/\\section\{Related Work\}\n\\input\{related\}\n\n/, "").replace("\\section{Introduction}", `${OWN}\n\n$&`);
    writeFileSync(here.draft, alone);
    await editor.page.locator(".squiggly-info").first().waitFor({ timeout: PATIENCE });
    await lens("Insert into the draft").waitFor({ timeout: PATIENCE });
    await editor.goTo(1, 1);
    await editor.fix("Insert the section into the draft", "not-inserted");
    await editor.notification("“Related work”, which cites 3 works").waitFor({ timeout: PATIENCE });
    await editor.shoot("own-text");
    assert.doesNotMatch(draft(), /\\input\{related\}/);
    await editor.answer("“Related work”, which cites 3 works", "Insert after it");
    await until(() => draft().includes(`${OWN}\n\n\\input{related}\n`), draft);
  });

  check("has one paragraph written anew by the plan above it, and no other", () => editor, async () => {
    const before = section();
    const lines = before.split("\n");
    await editor.page.locator(".tab", { hasText: "related.tex" }).first().click();
    const last = lines.findLastIndex((line, at) => at < lines.findIndex(isText) && line.startsWith("% citeplug:"));
    await editor.goTo(last + 2, 1);
    const [id, name] = FAR.find(([each]) => !before.includes(each));
    await editor.page.keyboard.insertText(`% citeplug:9 name another use of such networks [${id}]\n`);
    const above = editor.page.locator(".codelens-decoration", { hasText: "The plan was changed" }).first();
    await above.waitFor({ timeout: PATIENCE });
    await editor.shoot("plan", { calm: true });
    await above.locator("a", { hasText: "Write this paragraph" }).click();
    await editor.page.locator(".tab", { hasText: "citeplug: proposed changes" }).first().waitFor({ timeout: LONG });
    await editor.inView("Proposed");
    await editor.shoot("paragraph");
    await editor.decide("Write the Proposal");
    // A file is empty for a moment while it is saved.
    await saved(() => section() !== before && paragraphs(section())[0]?.includes(`{${name}`), section);
    const [changed, others] = [paragraphs(section()), paragraphs(before)];
    assert.deepEqual(changed.slice(1), others.slice(1));
  });

  check("is told of a paragraph with the same plan that nothing else can be written", () => editor, async () => {
    const before = section();
    await editor.goTo(before.split("\n").findIndex((line) => line.startsWith("% citeplug:begin p1")) + 2, 1);
    await editor.command("citeplug: Rewrite This Paragraph");
    await editor.notification("Nothing else can be written for this paragraph without a language model").waitFor({ timeout: LONG });
    await editor.shoot("nothing-else");
    assert.equal(section(), before);
  });

  check("is told that a section is current, by a click above it", () => editor, async () => {
    await editor.command("Notifications: Clear All Notifications");
    await editor.page.locator(".codelens-decoration a", { hasText: "Refresh the section" }).first().click({ timeout: PATIENCE });
    await editor.notification("nothing would change").waitFor({ timeout: LONG });
  });
});

function isText(line) {
  return line.trim() !== "" && !line.startsWith("%");
}

function paragraphs(text) {
  return text.split(/^(?=% citeplug:begin)/m).slice(1);
}

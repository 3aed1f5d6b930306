/** A question to the papers of a draft: a passage selected, an answer with its source, a sentence of it in the draft. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe } from "node:test";
import { DRAFT, PROGRAM, project } from "./project.mjs";
import { LONG, PATIENCE, check, open, until } from "./workbench.mjs";

const PASSAGE = "A fixed number suits few graphs.";
const QUESTION = "How are nodes embedded that were not seen in training?";

describe("the papers of a draft", () => {
  let here;
  let editor;
  let answered;
  before(async () => {
    here = project(DRAFT);
    editor = await open(here.folder, { file: here.draft, settings: { "citeplug.path": PROGRAM } });
    await editor.runs();
    answered = editor.page.locator(".editor-instance .view-line", { hasText: "Looked through" }).first();
  });
  after(async () => {
    await editor?.close();
    here.remove();
  });
  const text = () => readFileSync(here.draft, "utf8");
  const box = () => editor.page.locator(".quick-input-widget", { hasText: "Ask the Papers" }).first();
  const select = async () => {
    const line = text().split("\n").findIndex((each) => each.startsWith(PASSAGE)) + 1;
    const selected = editor.page.locator(".statusbar-item", { hasText: `(${PASSAGE.length} selected)` }).first();
    for (const end = Date.now() + 2 * PATIENCE; Date.now() < end; ) {
      await editor.goTo(line, 1);
      for (let count = 0; count < PASSAGE.length; count += 1) {
        await editor.page.keyboard.press("Shift+ArrowRight");
      }
      if (await selected.waitFor({ timeout: PATIENCE / 6 }).then(() => true, () => false)) {
        return;
      }
    }
    throw new Error("the passage cannot be selected");
  };
  const ask = async (question) => {
    await editor.command("citeplug: Ask the Papers");
    await box().waitFor({ timeout: PATIENCE });
    await box().locator("input.input").first().fill(question, { timeout: PATIENCE });
    await box().locator("input.input").first().press("Enter", { timeout: PATIENCE });
  };
  check("are asked what is selected, or what one types in its place", () => editor, async () => {
    await select();
    await editor.command("citeplug: Ask the Papers");
    await box().waitFor({ timeout: PATIENCE });
    assert.equal(await box().locator("input.input").first().inputValue(), PASSAGE);
    await editor.shoot("ask-question", { calm: true });
    await editor.page.keyboard.press("Escape");
    await box().waitFor({ state: "hidden", timeout: PATIENCE });
  });

  check("answer in their own words, each sentence with its source", () => editor, async () => {
    await ask(QUESTION);
    await answered.waitFor({ timeout: LONG });
    await editor.page.locator(".view-line", { hasText: "Inductive Representation Learning" }).first().waitFor({ timeout: PATIENCE });
    await editor.shoot("ask-answer");
  });

  check("give a sentence to the draft at the cursor, with its citation", () => editor, async () => {
    await editor.answer("The answer is open.", "Insert a Sentence");
    const sentence = editor.page.locator(".quick-input-list .monaco-list-row").first();
    await sentence.waitFor({ timeout: PATIENCE });
    await editor.shoot("ask-insert", { calm: true });
    await sentence.click({ timeout: PATIENCE });
    await editor.page.locator(".view-line", { hasText: `${PASSAGE} The` }).first().waitFor({ timeout: PATIENCE });
    await editor.command("File: Save All");
    const inserted = /A fixed number suits few graphs\. The [^~]+~\\cite\w*\{\w+\}\. With labels/;
    await until(() => inserted.test(text()), text);
    assert.equal(text().replace(/(?<=suits few graphs\.) The [^~]+~\\cite\w*\{\w+\}\.(?= With labels)/, ""), readFileSync(join(DRAFT, "main.tex"), "utf8"));
    await editor.shoot("ask-inserted");
    const record = () => readFileSync(join(here.folder, ".citeplug", "provenance.json"), "utf8");
    assert.equal(JSON.parse(record()).asked[0].question, QUESTION);
  });

  check("are not put where LaTeX prints no text", () => editor, async () => {
    await editor.goTo(1, 1);
    const before = text();
    await ask(QUESTION);
    await editor.answer("The answer is open.", "Insert a Sentence");
    await editor.page.locator(".quick-input-list .monaco-list-row").first().click({ timeout: LONG });
    await editor.notification("is in the preamble").waitFor({ timeout: PATIENCE });
    await editor.shoot("ask-refused");
    assert.equal(text(), before);
  });
});

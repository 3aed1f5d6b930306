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
  before(async () => {
    here = project(DRAFT);
    editor = await open(here.folder, { file: here.draft, settings: { "citeplug.path": PROGRAM } });
    await editor.runs();
  });
  after(async () => {
    await editor?.close();
    here.remove();
  });
  const text = () => readFileSync(here.draft, "utf8");
  const panel = () => editor.viewWith("#ask");
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
    const view = await panel();
    await view.locator("#question").fill(question, { timeout: PATIENCE });
    await view.locator("#question").press("Enter", { timeout: PATIENCE });
    await view.locator("article h2").getByText(question).last().waitFor({ timeout: LONG });
    return view;
  };
  const insert = async (view) => {
    await view.getByRole("button", { name: "Insert into the draft" }).first().click({ timeout: PATIENCE });
  };

  check("are asked what is selected, or what one types in its place", () => editor, async () => {
    await select();
    await editor.command("citeplug: Ask the Papers");
    const view = await panel();
    await view.getByText("No questions yet").waitFor({ timeout: PATIENCE });
    assert.equal(await view.locator("#question").inputValue(), PASSAGE);
    await editor.shoot("ask-question", { calm: true });
  });

  check("answer in their own words, each quotation once, and show the passage that it is from", () => editor, async () => {
    const view = await ask(QUESTION);
    const words = "computes embeddings for nodes never seen in training";
    assert.equal((await view.locator("article").innerText()).split(words).length, 2);
    await view.locator(".references", { hasText: "Inductive Representation Learning" }).waitFor({ timeout: PATIENCE });
    await view.locator("button[data-act=passage]").first().click({ timeout: PATIENCE });
    assert.match(await view.locator("blockquote mark").first().innerText({ timeout: PATIENCE }), new RegExp(words));
    await editor.isAccessible(view);
    await editor.shoot("ask-answer", { calm: true });
  });

  check("give a sentence to the draft at the cursor, with its citation", () => editor, async () => {
    await insert(await panel());
    await editor.page.locator(".view-line", { hasText: new RegExp(`${PASSAGE} (?:Hamilton|.cite)`.replaceAll(" ", "\\s")) }).first().waitFor({ timeout: PATIENCE });
    await editor.shoot("ask-inserted");
    await editor.command("File: Save All");
    const inserted = /A fixed number suits few graphs\. \\citet\{\w+\} [^.]+\. With labels/;
    await until(() => inserted.test(text()), text);
    assert.equal(text().replace(/(?<=suits few graphs\.) \\citet\{\w+\} [^.]+\.(?= With labels)/, ""), readFileSync(join(DRAFT, "main.tex"), "utf8"));
    const record = () => readFileSync(join(here.folder, ".citeplug", "provenance.json"), "utf8");
    assert.equal(JSON.parse(record()).asked[0].question, QUESTION);
  });

  check("are not put where LaTeX prints no text, and have the conversation again when the panel is opened anew", () => editor, async () => {
    const before = text();
    await (await panel()).locator("#question").press("Control+w", { timeout: PATIENCE }).catch(() => undefined);
    await editor.goTo(1, 1);
    await editor.command("citeplug: Ask the Papers");
    const view = await panel();
    await view.locator("article h2").getByText(QUESTION).waitFor({ timeout: PATIENCE });
    await insert(view);
    await editor.notification("is in the preamble").waitFor({ timeout: PATIENCE });
    assert.equal(text(), before);
    await view.getByRole("button", { name: "New conversation" }).click({ timeout: PATIENCE });
    await view.getByText("No questions yet").waitFor({ timeout: PATIENCE });
    await ask("How much is a kilogram of bananas in Lima?");
    await view.getByText("None of these papers answers that.").waitFor({ timeout: PATIENCE });
    await editor.dark();
    await view.locator("body.vscode-dark").waitFor({ timeout: PATIENCE });
    await editor.isAccessible(view);
    await editor.shoot("ask-refused", { calm: true });
  });
});

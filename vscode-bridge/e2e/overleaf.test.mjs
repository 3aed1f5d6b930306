/** A project of Overleaf Workshop's kind, whose files exist in the editor alone; its section is written by a language model. */

import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe } from "node:test";
import { DRAFT, PROGRAM } from "./project.mjs";
import { LONG, PATIENCE, check, open, until } from "./workbench.mjs";

const OVERLEAF = process.env.CITEPLUG_E2E_OVERLEAF_VSIX;

describe("a draft that lies on no disk", () => {
  let root;
  let editor;
  let lines;
  before(async () => {
    root = mkdtempSync(join(tmpdir(), "citeplug-overleaf-"));
    mkdirSync(join(root, "empty"));
    lines = readFileSync(join(DRAFT, "main.tex"), "utf8").split("\n");
    editor = await open(join(root, "empty"), {
      settings: { "citeplug.path": PROGRAM, "citeplug.generate.languageModel": "openai:small" },
      env: { CITEPLUG_E2E_OVERLEAF: DRAFT, CITEPLUG_E2E_WRITTEN: join(root, "written") },
      extensions: [OVERLEAF],
    });
    await editor.command("Overleaf-like: Open the Draft");
    await editor.runs();
  });
  after(async () => {
    await editor?.close();
    rmSync(root, { recursive: true, force: true });
  });
  const written = (name) => {
    const file = join(root, "written", name);
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  };

  check("has its bibliography read through the editor", () => editor, async () => {
    const line = lines.findIndex((each) => each.includes("A fixed number suits few graphs.")) + 1;
    await editor.goTo(line, 1);
    await editor.page.keyboard.insertText("Nobody \\cite{nobody2000} said this.\n");
    // Files that are not open are known a moment later than those that are.
    await editor.page.waitForFunction(() => document.querySelectorAll(".squiggly-error").length === 1, undefined, { timeout: PATIENCE });
    await editor.goTo(line, 1);
    await editor.page.keyboard.insertText("See \\cite{attention}\n");
    await editor.goTo(line, "See \\cite{attention".length + 1);
    await editor.page.keyboard.press("Control+Space");
    const row = editor.page.locator(".suggest-widget .monaco-list-row", { hasText: "velickovic2018graph" }).first();
    await row.waitFor({ timeout: PATIENCE });
    await editor.page.keyboard.press("Escape");
    await editor.shoot("overleaf-read");
  });

  check("gets a section, by a language model that the author allows, when he accepts it", () => editor, async () => {
    const writing = await editor.watchForTab("Related work, being written");
    await editor.command("citeplug: Write the Related Work");
    await editor.notification("is about to send").waitFor({ timeout: LONG });
    await editor.answer("is about to send", "Send");
    await writing();
    await editor.shoot("writing");
    await editor.page.locator(".editor-actions .action-label", { hasText: "Write the Proposal" }).first().waitFor({ timeout: LONG });
    await editor.page.locator(".tab", { hasText: "Related work, being written" }).first().waitFor({ state: "detached", timeout: PATIENCE });
    await editor.shoot("overleaf");
    assert.ok(!existsSync(join(root, "written")));
    await editor.decide("Write the Proposal");
    // The author has typed in the draft: it is not saved for him.
    await editor.wasTold(/edited and saved [^]*related\.tex, and edited [^]*main\.tex, which is not saved/);
    await until(() => written("related.tex").startsWith("% citeplug: 2"), () => written("related.tex"));
    await until(() => written("related.bib").includes("@"), () => written("related.bib"));
  });
});

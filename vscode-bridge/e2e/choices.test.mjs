/** Choices that nobody saves, files that the author has not saved, and a citeplug.toml that cannot be heeded. */

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe } from "node:test";
import { DRAFT, PROGRAM, project } from "./project.mjs";
import { papers } from "./view.mjs";
import { PATIENCE, check, open, until } from "./workbench.mjs";

describe("edits that are left to the author to save", () => {
  let here;
  let editor;
  let view;
  before(async () => {
    here = project(DRAFT);
    const settings = { "citeplug.path": PROGRAM, "citeplug.edits.afterwards": "leave" };
    editor = await open(here.folder, { file: here.draft, settings });
    view = papers(editor);
    await editor.runs();
  });
  after(async () => {
    await editor?.close();
    here.remove();
  });
  const saved = () => {
    const file = join(here.folder, "citeplug.toml");
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  };
  const tab = (name) => editor.page.locator(".tab", { hasText: name }).first();

  check("hold every choice, made one right after the other", () => editor, async () => {
    await (await view.open()).click();
    await view.found();
    await view.click("Simonovsky and Komodakis 2017", "Pin");
    await view.click("Henaff et al. 2015", "Exclude");
    await editor.wasTold("edited citeplug.toml, which is not saved");
    assert.equal(saved(), "");
    await editor.page.locator(".tab.dirty", { hasText: "citeplug.toml" }).first().waitFor({ timeout: PATIENCE });
    await editor.command("File: Save All");
    await until(() => saved().includes("exclude"), saved);
    assert.equal(saved().match(/^\[related\]$/gm)?.length, 1);
    assert.match(saved(), /^pin = \["1704\.02901"\]$/m);
    assert.match(saved(), /^exclude = \["1506\.05163"\]$/m);
  });

  check("that break it are marked in it and nowhere else, until they are mended", () => editor, async () => {
    await tab("citeplug.toml").click();
    await editor.command("Notifications: Clear All Notifications");
    await editor.goTo(1, 1);
    await editor.page.keyboard.insertText("[[broken\n");
    await editor.page.locator(".squiggly-warning, .squiggly-error").first().waitFor({ timeout: PATIENCE });
    await editor.shoot("configuration");
    await tab("main.tex").click();
    await editor.goTo(1, 1);
    assert.equal(await editor.page.locator(".squiggly-error").count(), 0);
    await tab("citeplug.toml").click();
    await editor.goTo(1, 1);
    await editor.command("Delete Line");
    await editor.page.locator(".squiggly-warning, .squiggly-error").first().waitFor({ state: "detached", timeout: PATIENCE });
  });
});

describe("a file in which something waits to be saved", () => {
  let here;
  let editor;
  let view;
  before(async () => {
    here = project(DRAFT);
    editor = await open(here.folder, { file: join(here.folder, "references.bib"), settings: { "citeplug.path": PROGRAM } });
    await editor.runs();
    view = papers(editor);
  });
  after(async () => {
    await editor?.close();
    here.remove();
  });

  check("is never saved for the author, and named", () => editor, async () => {
    const entries = () => readFileSync(join(here.folder, "references.bib"), "utf8");
    const before = entries();
    await editor.goTo(1, 1);
    await editor.page.keyboard.insertText("% a word of mine\n");
    await editor.page.locator(".tab.dirty", { hasText: "references.bib" }).first().waitFor({ timeout: PATIENCE });
    await editor.page.locator(".explorer-viewlet .monaco-list-row", { hasText: "main.tex" }).first().dblclick();
    await editor.page.locator(".tab", { hasText: "main.tex" }).first().waitFor({ timeout: PATIENCE });
    await editor.goTo(readFileSync(join(here.folder, "main.tex"), "utf8").split("\n").findIndex((line) => line.includes("A fixed number suits few graphs.")) + 1, 1);
    await (await view.open()).click();
    await view.found();
    await view.row("Rong et al. 2019").click({ button: "right" });
    await editor.choose("Cite at the Cursor");
    await editor.wasTold("edited references.bib, which is not saved");
    await editor.shoot("edited-not-saved");
    assert.equal(entries(), before);
    await editor.command("File: Save All");
    await until(() => entries().startsWith("% a word of mine\n") && entries().includes("{rong2019dropedge,"), entries);
  });
});

/** A section is written for a draft that has none: cancelled, discarded, accepted. */

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe } from "node:test";
import { DRAFT, PROGRAM, project } from "./project.mjs";
import { PATIENCE, check, open } from "./workbench.mjs";

const COMMAND = "citeplug: Write the Related-Work Section";
const LONG = 4 * PATIENCE; // models are loaded

describe("a draft without a section", () => {
  let here;
  let editor;
  let files;
  before(async () => {
    here = project(DRAFT);
    files = readdirSync(here.folder).sort();
    editor = await open(here.folder, { file: here.draft, settings: { "citeplug.path": PROGRAM } });
    await editor.page.locator("[aria-label*='citeplug 0.1.0']").first().waitFor({ timeout: PATIENCE });
  });
  after(async () => {
    await editor?.close();
    here.remove();
  });
  const untouched = () => assert.deepEqual(readdirSync(here.folder).sort(), files);
  const working = () => editor.notification("Writing the related-work section");
  const button = (name) => editor.page.locator(".notification-toast").getByText(name, { exact: true }).first();

  check("is left alone when the author cancels", () => editor, async () => {
    await editor.command(COMMAND);
    await working().waitFor({ timeout: PATIENCE });
    await editor.page.locator(".statusbar-item", { hasText: "citeplug:" }).first().waitFor({ timeout: PATIENCE });
    await editor.page.waitForTimeout(700); // it slides in
    await editor.shoot("generating");
    await button("Cancel").click();
    await working().waitFor({ state: "detached", timeout: 5000 });
    await editor.page.waitForTimeout(2000);
    untouched();
  });

  check("is shown a proposal before anything is written", () => editor, async () => {
    await editor.command(COMMAND);
    await editor.notification("Nothing is written yet").waitFor({ timeout: LONG });
    await editor.page.locator(".multiDiffEntry").first().waitFor({ timeout: PATIENCE });
    await editor.page.waitForTimeout(500);
    await editor.shoot("proposal-light");
    await editor.resize(640, 800);
    await editor.shoot("proposal-narrow");
    await editor.resize(1280, 800);
    untouched();
  });

  check("is left alone when the author discards it", () => editor, async () => {
    await button("Discard").click();
    await editor.page.locator(".multiDiffEntry").first().waitFor({ state: "detached", timeout: PATIENCE });
    untouched();
  });

  check("gets what was shown when the author accepts", () => editor, async () => {
    await editor.command("Preferences: Toggle between Light/Dark Themes");
    await editor.command(COMMAND);
    await editor.notification("Nothing is written yet").waitFor({ timeout: LONG });
    const proposed = editor.page.locator(".multiDiffEntry", { hasText: "related.tex" }).first();
    await proposed.waitFor({ timeout: PATIENCE });
    await editor.page.waitForTimeout(500);
    await editor.shoot("proposal-dark");
    await button("Accept").click();
    await editor.notification("The section is written").waitFor({ timeout: LONG });
    assert.match(readFileSync(join(here.folder, "related.tex"), "utf8"), /^% citeplug: 1/);
    assert.ok(existsSync(join(here.folder, "related.bib")));
    await editor.shoot("section");
  });

  check("reads its section at a click, as an edit that can be undone", () => editor, async () => {
    await button("Make the Draft Read It").click();
    const changed = editor.page.locator(".explorer-item, .tab", { hasText: "main.tex" });
    await changed.first().waitFor({ timeout: PATIENCE });
    await editor.page.waitForTimeout(2000);
    await editor.command("File: Save All");
    await editor.page.waitForTimeout(2000);
    assert.match(readFileSync(here.draft, "utf8"), /\\input\{related\}/);
  });

  check("is told that a section is current, by a click above it", () => editor, async () => {
    await editor.page.locator(".tab", { hasText: "related.tex" }).first().click();
    await editor.command("Notifications: Clear All Notifications");
    await editor.page.locator(".codelens-decoration a", { hasText: "Refresh" }).first().click({ timeout: PATIENCE });
    await editor.notification("nothing would change").waitFor({ timeout: LONG });
  });
});

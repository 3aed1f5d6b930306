/** The first use on a machine without citeplug: what is offered, and that nothing runs unasked. */

import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe } from "node:test";
import { PATIENCE, check, open } from "./workbench.mjs";

const DRAFT = "\\documentclass{article}\n\\begin{document}\nSo it is \\cite{nobody2000}.\n\\end{document}\n";

/** A folder with a draft, a PATH with a `uv` that leaves a mark when it runs, and a home with nothing. */
function place() {
  const root = mkdtempSync(join(tmpdir(), "citeplug-first-"));
  const bin = join(root, "bin");
  const draft = join(root, "paper", "main.tex");
  for (const folder of [bin, join(root, "paper"), join(root, "home")]) {
    mkdirSync(folder);
  }
  writeFileSync(draft, DRAFT);
  const mark = join(root, "uv-ran");
  writeFileSync(join(bin, "uv"), `#!/bin/sh\n/bin/echo "$@" > ${mark}\nexit 1\n`);
  chmodSync(join(bin, "uv"), 0o755);
  return { root, draft, mark, folder: join(root, "paper"), env: { PATH: bin, HOME: join(root, "home") } };
}

describe("a machine without citeplug", () => {
  let here;
  let editor;
  before(async () => {
    here = place();
    editor = await open(here.folder, { file: here.draft, env: here.env });
  });
  after(async () => {
    await editor?.close();
    rmSync(here.root, { recursive: true, force: true });
  });

  check("is offered an installation, of which nothing has run", () => editor, async () => {
    await editor.notification("was not found").waitFor({ timeout: PATIENCE });
    await editor.page.getByText("Install with uv").first().waitFor({ timeout: PATIENCE });
    await editor.shoot("first-use-offer");
    assert.ok(!existsSync(here.mark));
  });

  check("says so in the status bar", () => editor, async () => {
    await editor.status.waitFor({ timeout: PATIENCE });
    assert.match(await editor.status.getAttribute("aria-label"), /not found/);
  });

  check("is shown the command before it runs, and it does not run when that is declined", () => editor, async () => {
    await editor.answer("was not found", "Install with uv");
    const dialog = editor.page.locator(".monaco-dialog-box");
    await dialog.waitFor({ timeout: PATIENCE });
    assert.match(await dialog.innerText(), /uv tool install --python >=3\.11 citeplug/);
    await editor.shoot("first-use-command");
    await dialog.getByText("Cancel").click();
    await dialog.waitFor({ state: "detached", timeout: PATIENCE });
    assert.ok(!existsSync(here.mark));
  });

  check("is led through its first use", () => editor, async () => {
    await editor.page.locator(".activitybar [aria-label='citeplug']").first().click();
    await editor.page.getByText("The citeplug program was not found on this machine, or it did not start.").first().waitFor({ timeout: PATIENCE });
    await editor.command("Welcome: Open Walkthrough...");
    await editor.page.locator(".quick-input-list .monaco-list-row", { hasText: "Write and Check Related Work" }).first().click({ timeout: PATIENCE });
    await editor.page.locator(".getting-started-step", { hasText: "Read its sentences" }).first().waitFor({ timeout: PATIENCE });
    await editor.shoot("walkthrough");
    await editor.dark();
    await editor.shoot("walkthrough-dark");
    await editor.resize(640, 800);
    await editor.shoot("walkthrough-narrow");
    await editor.resize(1280, 800);
    assert.ok(!existsSync(here.mark));
  });
});

describe("a workspace that is not trusted", () => {
  let here;
  let editor;
  before(async () => {
    here = place();
    const ran = join(here.root, "citeplug-ran");
    const program = join(here.root, "bin", "citeplug");
    writeFileSync(program, `#!/bin/sh\n/bin/echo "$@" >> ${ran}\necho citeplug, version 0.1.0\n`);
    chmodSync(program, 0o755);
    here.mark = ran;
    editor = await open(here.folder, { file: here.draft, env: here.env, trusted: false });
  });
  after(async () => {
    await editor?.close();
    rmSync(here.root, { recursive: true, force: true });
  });

  check("starts nothing, and says that it waits", () => editor, async () => {
    const decline = editor.page.locator(".monaco-dialog-box").getByText(/No, I don't trust/);
    await decline.click({ timeout: PATIENCE });
    await editor.status.waitFor({ timeout: PATIENCE });
    assert.match(await editor.status.getAttribute("aria-label"), /when you trust/);
    await editor.page.locator(".activitybar [aria-label='citeplug']").first().click();
    await editor.page.getByText("Manage Workspace Trust", { exact: true }).first().waitFor({ timeout: PATIENCE });
    await editor.shoot("untrusted");
    assert.ok(!existsSync(here.mark));
  });
});

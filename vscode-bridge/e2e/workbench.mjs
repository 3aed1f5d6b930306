/** A real VS Code in a browser: started on free ports, with the packaged extension, ended with all that it started. */

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const HERE = dirname(fileURLToPath(import.meta.url));
// The editor alone: the program around it is for logging in, and needs a compiler.
const EDITOR = join(HERE, "node_modules", "code-server", "lib", "vscode", "out", "server-main.js");
const VSIX = process.env.CITEPLUG_VSIX ?? join(HERE, "..", "citeplug.vsix");
const SHOTS = process.env.CITEPLUG_SCREENSHOTS;
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const FLAGS = [
  "--no-sandbox",
  "--headless=new",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
];
export const PATIENCE = 30_000;

const SETTINGS = {
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.enableExperiments": false,
  "telemetry.telemetryLevel": "off",
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "chat.commandCenter.enabled": false,
  "editor.minimap.enabled": false,
  "editor.wordWrap": "on",
  "files.autoSave": "off",
  "git.enabled": false,
};

/** A check of an editor, which leaves a picture where it fails. */
export function check(name, editor, work) {
  it(name, async () => {
    try {
      await work();
    } catch (error) {
      await editor()?.shoot(`failed ${name.replaceAll(/[^\w ]/g, "")}`);
      throw error;
    }
  });
}

/**
 * Start an editor on a folder. `settings` are the user's, `env` is what the editor's programs see, `extensions` are
 * folders of further extensions, `trusted` says whether the author has trusted the folder.
 */
export async function open(folder, { settings = {}, env = {}, extensions = [], trusted = true, file, query = "" } = {}) {
  const home = mkdtempSync(join(tmpdir(), "citeplug-e2e-"));
  const data = join(home, "data");
  const user = join(data, "User");
  const installed = join(home, "extensions");
  mkdirSync(user, { recursive: true });
  const all = { ...SETTINGS, "security.workspace.trust.enabled": !trusted, ...settings };
  writeFileSync(join(user, "settings.json"), JSON.stringify(all));
  const places = ["--user-data-dir", data, "--server-data-dir", join(home, "server"), "--extensions-dir", installed];
  const licence = "--accept-server-license-terms";
  for (const extension of [VSIX, ...extensions]) {
    const ran = spawnSync(process.execPath, [EDITOR, ...places, licence, "--install-extension", resolve(extension)]);
    if (ran.status !== 0) {
      throw new Error(`${extension} was not installed: ${ran.stdout}${ran.stderr}`);
    }
  }
  const server = spawn(
    process.execPath,
    [EDITOR, ...places, licence, "--host", "127.0.0.1", "--port", "0", "--without-connection-token", "--force-disable-user-env"],
    { env: { ...process.env, ...env }, detached: true, stdio: ["ignore", "pipe", "pipe"] },
  );
  let browser;
  const close = async () => {
    await browser?.close().catch(() => undefined);
    try {
      process.kill(-server.pid, "SIGKILL"); // its group: the extension host and the language server too
    } catch {
      // it has ended
    }
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const port = await portOf(server);
    browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS, headless: true });
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const host = `127.0.0.1:${port}`;
    const started = Date.now();
    const payload =
      file === undefined ? "" : `&payload=${encodeURIComponent(JSON.stringify([["openFile", `vscode-remote://${host}${file}`]]))}`;
    await page.goto(`http://${host}/?folder=${encodeURIComponent(folder)}${payload}${query}`);
    await page.waitForSelector(".monaco-workbench", { timeout: PATIENCE });
    return { page, home, started, close, ...actions(page) };
  } catch (error) {
    await close();
    throw error;
  }
}

function actions(page) {
  return {
    /** Run a command of the palette. */
    async command(name) {
      await page.keyboard.press("F1");
      await page.waitForSelector(".quick-input-widget input", { state: "visible", timeout: PATIENCE });
      await page.keyboard.insertText(name);
      await page.locator(".quick-input-list .monaco-list-row", { hasText: name }).first().click({ timeout: PATIENCE });
    },
    /** Put the cursor on a line and a column, both from 1. */
    async goTo(line, column) {
      const there = page.locator(".statusbar-item", { hasText: `Ln ${line}, Col ${column}` }).first();
      await page.locator(".view-line").first().waitFor({ timeout: PATIENCE });
      // An editor that is still being opened forgets where it was told to go.
      for (let tries = 0; tries < 5; tries += 1) {
        await page.keyboard.press("Control+g");
        await page.waitForSelector(".quick-input-widget input", { state: "visible", timeout: PATIENCE });
        await page.keyboard.insertText(`:${line}:${column}`);
        await page.keyboard.press("Enter");
        if (await there.waitFor({ timeout: PATIENCE / 6 }).then(() => true, () => false)) {
          return;
        }
      }
      throw new Error(`the cursor does not go to line ${line}`);
    },
    /** A picture in $CITEPLUG_SCREENSHOTS, if that is set. */
    async shoot(name) {
      if (SHOTS !== undefined) {
        mkdirSync(SHOTS, { recursive: true });
        await page.screenshot({ path: join(SHOTS, `${name}.png`) });
      }
    },
    /** The window's size; VS Code lays itself out anew. */
    async resize(width, height) {
      await page.setViewportSize({ width, height });
      await page.waitForTimeout(500);
    },
    status: page.locator("#citeplug\\.citeplug\\.citeplug\\.status, [id*='citeplug.status']").first(),
    notification: (text) => page.locator(".notification-toast", { hasText: text }).first(),
  };
}

function portOf(server) {
  return new Promise((resolve, reject) => {
    let said = "";
    const timer = setTimeout(() => reject(new Error(`no editor after ${PATIENCE} ms: ${said}`)), PATIENCE);
    const listen = (some) => {
      said += some;
      const port = /listening on (\d+)/.exec(said)?.[1];
      if (port !== undefined) {
        clearTimeout(timer);
        resolve(port);
      }
    };
    server.stdout.setEncoding("utf8").on("data", listen);
    server.stderr.setEncoding("utf8").on("data", listen);
    server.on("exit", () => reject(new Error(`the editor ended: ${said}`)));
  });
}

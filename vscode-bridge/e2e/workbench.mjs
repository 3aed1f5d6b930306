/** A real VS Code in a browser: started on free ports, with the packaged extension, ended with all that it started. */

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
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
export const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
export const FLAGS = [
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
export const LONG = 4 * PATIENCE; // models are loaded

const SETTINGS = {
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.hover.delay": 600_000, // what comes up under a resting mouse covers the rows beneath
  "workbench.reduceMotion": "on",
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

const failed = new WeakSet();

/** A check of an editor, which leaves a picture where it fails; those after it in the same editor would only wait in vain. */
export function check(name, editor, work) {
  it(name, async (test) => {
    if (failed.has(editor())) {
      test.skip("an earlier check failed");
      return;
    }
    try {
      await work();
    } catch (error) {
      failed.add(editor());
      await editor().shoot(`failed ${name.replaceAll(/[^\w ]/g, "")}`);
      throw error;
    }
  });
}

/** Wait for something that is no part of the page, such as a file; `seen` tells what stood there instead. */
export async function until(there, seen, patience = PATIENCE) {
  const end = Date.now() + patience;
  while (!(await there())) {
    if (Date.now() > end) {
      throw new Error(`it did not come to be in ${patience} ms: ${await seen()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * Start an editor on a folder. `settings` are the user's, `env` is what the editor's programs see, `extensions` are
 * folders of further extensions, `trusted` says whether the author has trusted the folder.
 */
export async function open(folder, { settings = {}, env = {}, extensions = [], trusted = true, file, query = "" } = {}) {
  const home = mkdtempSync(join(tmpdir(), "citeplug-e2e-"));
  const data = join(home, "data");
  const user = join(data, "User");
  mkdirSync(user, { recursive: true });
  const all = { ...SETTINGS, "security.workspace.trust.enabled": !trusted, ...settings };
  writeFileSync(join(user, "settings.json"), JSON.stringify(all));
  const places = ["--user-data-dir", data, "--server-data-dir", join(home, "server"), "--extensions-dir", join(home, "extensions")];
  const licence = "--accept-server-license-terms";
  const wanted = [VSIX, ...extensions].flatMap((extension) => ["--install-extension", resolve(extension)]);
  const ran = spawnSync(process.execPath, [EDITOR, ...places, licence, ...wanted]);
  if (ran.status !== 0) {
    throw new Error(`${wanted.join(" ")} was not done: ${ran.stdout}${ran.stderr}`);
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
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, permissions: ["clipboard-read", "clipboard-write"] });
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
  const field = () => page.locator(".quick-input-widget input.input").first();
  /**
   * Open the field at the top by a key and write into it; whether that was done. The key is lost where the focus is on its
   * way, and what is typed would go to the editor if that takes the focus back: the field itself is filled.
   */
  const ask = async (key, text) => {
    await page.keyboard.press(key);
    return await field().fill(text, { timeout: PATIENCE / 10 }).then(() => true, () => false);
  };
  const told = (text) => page.locator(".notification-toast, .notifications-center .notification-list-item", { hasText: text });
  return {
    /** Run a command of the palette. */
    async command(name) {
      const row = page.locator(".quick-input-list .monaco-list-row", { hasText: name }).first();
      // The palette knows the commands that were there when it was opened.
      for (const end = Date.now() + 2 * PATIENCE; Date.now() < end; ) {
        if (!(await ask("F1", `>${name}`))) {
          continue;
        }
        if (await row.waitFor({ timeout: PATIENCE / 6 }).then(() => true, () => false)) {
          if (await row.click({ timeout: PATIENCE / 6 }).then(() => true, () => false)) {
            return;
          }
        }
        await page.keyboard.press("Escape");
      }
      throw new Error(`there is no command ${name}`);
    },
    /** Wait until the program runs. */
    async runs() {
      await page.locator("[aria-label*='citeplug 0.1.0']").first().waitFor({ timeout: PATIENCE });
    },
    /** Put the cursor on a line and a column, both from 1. */
    async goTo(line, column) {
      const there = page.locator(".statusbar-item", { hasText: new RegExp(`^Ln ${line}, Col ${column}$`) }).first();
      await page.locator(".view-line").first().waitFor({ timeout: PATIENCE });
      // An editor that is still being opened forgets where it was told to go.
      for (const end = Date.now() + 2 * PATIENCE; Date.now() < end; ) {
        if (!(await ask("Control+g", `:${line}:${column}`))) {
          continue;
        }
        await field().press("Enter", { timeout: PATIENCE / 10 }).catch(() => undefined);
        if (await there.waitFor({ timeout: PATIENCE / 6 }).then(() => true, () => false)) {
          return;
        }
      }
      throw new Error(`the cursor does not go to line ${line}`);
    },
    /** A picture in $CITEPLUG_SCREENSHOTS, if that is set; `calm` takes the mouse and what it brought up away. */
    async shoot(name, { calm = false } = {}) {
      if (SHOTS !== undefined) {
        if (calm) {
          await page.mouse.move(24, 560);
          await page.locator(".workbench-hover").first().waitFor({ state: "hidden", timeout: PATIENCE / 10 }).catch(() => undefined);
        }
        mkdirSync(SHOTS, { recursive: true });
        await page.screenshot({ path: join(SHOTS, `${name}.png`) }).catch((error) => console.log(`# no picture: ${error}`));
      }
    },
    /** The window's size, and the workbench in it. */
    async resize(width, height) {
      await page.setViewportSize({ width, height });
      await page.waitForFunction((wide) => document.querySelector(".monaco-workbench > .monaco-grid-view")?.clientWidth === wide, width);
    },
    /** The other colour theme. */
    async dark() {
      await this.command("Preferences: Toggle between Light/Dark Themes");
      await page.locator(".monaco-workbench.vs-dark").waitFor({ timeout: PATIENCE });
    },
    /** Wait for words in a view that is a page of its own: while its content changes, the old one is there beside the new. */
    async inView(words) {
      for (const end = Date.now() + PATIENCE; Date.now() < end; ) {
        for (const frame of page.frames().slice(1)) {
          if (await frame.getByText(words).first().isVisible().catch(() => false)) {
            return;
          }
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error(`no view says ${words}`);
    },
    /** The page of its own in which something stands. */
    async viewWith(selector) {
      for (const end = Date.now() + PATIENCE; Date.now() < end; ) {
        for (const frame of page.frames().slice(1)) {
          if (await frame.locator(selector).isVisible().catch(() => false)) {
            return frame;
          }
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error(`no view has ${selector}`);
    },
    /** axe finds nothing in a page of its own; the frame around it is the editor's. */
    async isAccessible(frame) {
      await frame.evaluate(readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
      const { violations } = await frame.evaluate(() => window.axe.run());
      assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`), []);
    },
    status: page.locator("#citeplug\\.citeplug\\.citeplug\\.status, [id*='citeplug.status']").first(),
    notification: (text) => told(text).first(),
    /** Wait for a notification that may have hidden by itself since. */
    async wasTold(text) {
      const there = told(text).first();
      if (!(await there.waitFor({ timeout: PATIENCE / 3 }).then(() => true, () => false))) {
        await this.command("Notifications: Show Notifications");
        await there.waitFor({ timeout: PATIENCE });
        await this.command("Notifications: Hide Notifications");
      }
    },
    /** Click a button of a notification that has been shown; it may have hidden by itself since. */
    async answer(text, button) {
      const there = told(text).locator(".monaco-button").getByText(button, { exact: true }).first();
      try {
        await there.click({ timeout: PATIENCE / 3 });
      } catch {
        await this.command("Notifications: Show Notifications");
        await there.click({ timeout: PATIENCE });
        await this.command("Notifications: Hide Notifications");
      }
    },
    /** Watch for a tab that is there for a moment only; what comes back waits until it was seen. */
    async watchForTab(label) {
      await page.evaluate((wanted) => {
        const look = () => {
          const tabs = [...document.querySelectorAll(".tab")];
          window.tabWasSeen ||= tabs.some((tab) => tab.textContent.includes(wanted));
        };
        new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
      }, label);
      return () => page.waitForFunction(() => window.tabWasSeen === true, undefined, { timeout: LONG });
    },
    /** Choose what the light bulb offers at the cursor, by the keyboard: behind the list is a layer that takes clicks. */
    async fix(title, picture) {
      await page.keyboard.press("Control+.");
      const row = page.locator(".action-widget .monaco-list-row", { hasText: title }).first();
      await row.waitFor({ timeout: PATIENCE });
      await this.shoot(picture);
      for (let tries = 0; tries < 20 && !(await row.getAttribute("class")).includes("focused"); tries += 1) {
        await page.keyboard.press("ArrowDown");
      }
      await page.keyboard.press("Enter");
    },
    /** Choose from the menu that was just opened: it takes no click right after that. */
    async choose(title) {
      const item = page.locator(".monaco-menu .action-item", { hasText: title }).first();
      await item.hover({ timeout: PATIENCE });
      await page.waitForTimeout(PATIENCE / 60);
      await item.click({ timeout: PATIENCE });
    },
    /** Wait for words in the status bar, which stay for a while. */
    async below(text) {
      await page.locator(".statusbar-item", { hasText: text }).first().waitFor({ timeout: PATIENCE });
    },
    /** Click what decides about it above a proposal. */
    async decide(name) {
      await page.locator(".editor-actions .action-label", { hasText: name }).first().click({ timeout: PATIENCE });
    },
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

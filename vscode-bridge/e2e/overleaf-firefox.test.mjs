/** The extension in a real Firefox, in a page as Overleaf's, with citeplug on the same machine. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import puppeteer from "puppeteer-core";
import { Companion, example, freePort, HOST, Site } from "./overleaf-page.mjs";
import { LONG, PATIENCE, until } from "./workbench.mjs";

const FIREFOX = process.env.FIREFOX ?? "/usr/bin/firefox-esr";
const EXTENSION = join(dirname(fileURLToPath(import.meta.url)), "..", "overleaf", "dist", "firefox");
const UUID = "0b7c9a52-0000-4000-8000-000000000001"; // else another one in each profile
const OWN = "https://overleaf.example.org";

class Firefox {
  site = new Site();
  errors = [];

  static async open() {
    const self = new Firefox();
    self.browser = await puppeteer.launch({
      browser: "firefox",
      executablePath: FIREFOX,
      headless: true,
      args: ["-remote-allow-system-access"], // or no page of an extension may be opened
      extraPrefsFirefox: {
        "extensions.webextensions.uuids": JSON.stringify({ "overleaf@citeplug": UUID }),
        "extensions.webextOptionalPermissionPrompts": false, // the author says yes
      },
      defaultViewport: { width: 1000, height: 560 },
    });
    await self.browser.installExtension(EXTENSION);
    return self;
  }

  async page(address, project) {
    const page = await this.browser.newPage();
    page.setDefaultTimeout(PATIENCE);
    await page.exposeFunction("saved", (...what) => this.site.saved(...what));
    await page.setRequestInterception(true);
    page.on("request", (request) => void this.answer(request).catch((error) => this.errors.push(String(error))));
    if (project !== undefined) {
      project.pages.push(page);
    }
    await page.goto(address);
    return page;
  }

  async answer(request) {
    const body = await request.fetchPostData();
    const reply = await this.site.reply({ url: request.url(), csrf: request.headers()["x-csrf-token"], body });
    const { status, contentType, body: content } = reply;
    await request.respond({ status, contentType, body: content });
    await this.site.after(reply);
  }

  /** A project in a tab, and the panel in another one. */
  async project(files, host = HOST) {
    const project = this.site.add(files);
    const page = await this.page(`${host}${project.address}`, project);
    await has(page, ".cm-content");
    const panel = await this.panel();
    const tab = await panel.evaluate(async (url) => (await chrome.tabs.query({})).find((each) => each.url === url)?.id, page.url());
    await this.look(panel, `?tab=${tab}`);
    await page.bringToFront();
    return { page, panel };
  }

  async panel() {
    const panel = await this.browser.newPage();
    panel.setDefaultTimeout(LONG);
    await panel.setViewport({ width: 420, height: 640 });
    await this.look(panel, "");
    return panel;
  }

  /** The driver is told nothing of how a page of an extension loads. */
  async look(panel, search) {
    panel.goto(`moz-extension://${UUID}/panel.html${search}`).catch(() => undefined);
    const there = () => panel.evaluate((wanted) => window.location.search === wanted && document.querySelector("#status > *") !== null, search).catch(() => false);
    await until(there, () => `the panel did not open${search}`);
  }
}

// A tab behind another one draws nothing, for which the driver's own waiting waits.
const says = (panel, text) =>
  until(() => panel.evaluate((wanted) => document.body.innerText.includes(wanted), text), () => panel.evaluate(() => document.body.innerText), LONG);
const has = (page, selector) =>
  until(() => page.evaluate((wanted) => document.querySelector(wanted) !== null, selector), () => `no ${selector}: ${page.url()}`, LONG);
const press = (panel, name) =>
  panel.evaluate((wanted) => [...document.querySelectorAll("button")].find((each) => each.textContent === wanted).click(), name);
const fill = (panel, name, text) =>
  panel.evaluate((wanted, value) => {
    const label = [...document.querySelectorAll("label")].find((each) => each.textContent === wanted);
    (label?.control ?? document.querySelector(`[aria-label="${wanted}"]`)).value = value;
  }, name, text);

describe("the extension in Firefox", { concurrency: false }, () => {
  let firefox;
  let companion;
  let port;

  before(async () => {
    port = await freePort();
    [companion, firefox] = await Promise.all([Companion.start(port), Firefox.open()]);
  });
  after(async () => {
    await firefox?.browser.close();
    await companion?.stop();
  });

  it("is let in by the code, and by no other", async () => {
    const { page, panel } = await firefox.project(example());
    await fill(panel, "3. Type the code that it prints:", `${port}-AAAA-AAAA`);
    await press(panel, "Pair");
    await says(panel, "wrong, or was used already");
    await fill(panel, "Code from the terminal", companion.code);
    await press(panel, "Pair");
    await says(panel, "main.tex ·");
    assert.match(companion.said, new RegExp(`paired with moz-extension://${UUID}`));
    await page.close();
    await panel.close();
  });

  it("completes papers, and proposes the section, which is accepted and taken back", async () => {
    const files = example();
    const original = files.get("main.tex");
    const { page, panel } = await firefox.project(files);
    await says(panel, "main.tex ·");
    await fill(panel, "Title, authors, words", "attention");
    await press(panel, "Search");
    await has(panel, "article");
    await page.evaluate(() => window.cursorTo("\\end{document}", false));
    await page.keyboard.type("Attention weighs the neighbors of a node \\cite{");
    await has(page, ".ol-cm-completion-citeplug");
    await page.keyboard.press("Escape");
    await page.keyboard.type("nobody1999}");
    await has(page, ".citeplug-mark.citeplug-error");
    const typed = await page.evaluate(() => window.shown());
    assert(typed.length > original.length);
    await press(panel, "Section");
    await press(panel, "Write related work");
    const offered = () => panel.evaluate(() => [...document.querySelectorAll("button")].map((each) => each.textContent));
    await until(async () => /Insert after it|Write \d/.test(await offered()), offered, LONG);
    if ((await offered()).includes("Insert after it")) {
      await press(panel, "Insert after it");
      await says(panel, "Discard");
    }
    assert(!files.has("related.tex"), "nothing is written before it is accepted");
    await press(panel, (await offered()).find((name) => /^Write \d/.test(name)));
    await says(panel, "Wrote the section at ");
    await until(() => /citeplug:begin/.test(files.get("related.tex")), () => files.get("related.tex"));
    await until(() => files.get("main.tex") !== typed, () => files.get("main.tex"));
    await press(panel, "Undo");
    await says(panel, "Undone");
    await until(() => files.get("main.tex") === typed, () => files.get("main.tex"));
    assert(!files.has("related.tex"), "a file that was made is deleted again");
    await page.close();
    await panel.close();
  });

  it("says where the browser does not let it into Overleaf, and asks for it", async () => {
    const { page, panel } = await firefox.project(example());
    await says(panel, "main.tex ·");
    await panel.evaluate((origin) => chrome.permissions.remove({ origins: [`${origin}/*`] }), HOST);
    await page.reload();
    await says(panel, "Your browser does not let citeplug into www.overleaf.com yet.");
    await panel.bringToFront();
    await panel.locator("#status button.primary").click(); // as a person does, or Firefox refuses to ask
    const isAllowed = () => panel.evaluate((origin) => chrome.permissions.contains({ origins: [`${origin}/*`] }), HOST);
    await until(isAllowed, () => "it is not allowed");
    await page.bringToFront();
    await page.reload();
    await says(panel, "main.tex ·");
    await page.close();
    await panel.close();
  });

  it("works on a server of the author's own once it is allowed, and nowhere else", async () => {
    const project = firefox.site.add(example());
    const stranger = await firefox.page(`${OWN}${project.address}`, project);
    await has(stranger, ".cm-content");
    assert(!(await stranger.evaluate(() => document.querySelector(".citeplug-line") !== null)));
    const panel = await firefox.panel();
    await fill(panel, "Address of your server", OWN);
    await panel.bringToFront();
    await panel.locator(".own button").click(); // as a person does, or Firefox refuses to ask
    const allowed = () => panel.evaluate(async () => (await chrome.scripting.getRegisteredContentScripts()).flatMap(({ matches }) => matches));
    await until(async () => (await allowed()).includes(`${OWN}/project/*`), allowed);
    const { page, panel: beside } = await firefox.project(example(), OWN);
    await says(beside, "main.tex ·");
    await panel.evaluate((origin) => chrome.permissions.remove({ origins: [`${origin}/*`] }), OWN);
    await until(async () => (await allowed()).length === 0, allowed);
    for (const each of [stranger, page, panel, beside]) {
      await each.close();
    }
  });

  it("tells nothing to another page", async () => {
    const project = firefox.site.add(example());
    const page = await firefox.page(`https://evil.example${project.address}`, project);
    const got = await page.evaluate(
      async (to, panel) => {
        const reached = [];
        await new Promise((resolve) => {
          const socket = new WebSocket(to);
          socket.onopen = () => reached.push("socket");
          socket.onclose = socket.onerror = resolve;
        });
        await fetch(`${panel}/panel.js`).then(() => reached.push("files of the extension"), () => undefined);
        return reached;
      },
      `ws://127.0.0.1:${port}/`,
      `moz-extension://${UUID}`,
    );
    assert.deepEqual(got, []);
    await page.close();
    assert.deepEqual(firefox.errors, []);
  });
});

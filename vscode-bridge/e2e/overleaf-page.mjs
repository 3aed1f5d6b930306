/** Overleaf for the extension in a real Chromium: its address, its downloads, and a page as its editor's. And citeplug. */

import { spawn } from "node:child_process";
import { createServer as createHttpServer, request } from "node:http";
import { createServer } from "node:net";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createRequire } from "node:module";
import { crc32, deflateRawSync } from "node:zlib";
import { chromium } from "playwright-core";
import { CHROMIUM, FLAGS, PATIENCE } from "./workbench.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const { ChangeSet, Text } = createRequire(join(HERE, "..", "package.json"))("@codemirror/state");
const EXTENSION = join(HERE, "..", "overleaf", "dist", "chromium");
const PROGRAM = process.env.CITEPLUG_E2E_PROGRAM;
export const HOST = "https://www.overleaf.com";
const SHOTS = process.env.CITEPLUG_SCREENSHOTS;
export const DRAFT = process.env.CITEPLUG_E2E_DRAFT;

/** The files of the example. */
export function example() {
  return new Map(readdirSync(DRAFT).map((name) => [name, readFileSync(join(DRAFT, name), "utf8")]));
}

async function pageScript() {
  const { build } = await import(pathToFileURL(createRequire(join(HERE, "..", "package.json")).resolve("esbuild")).href);
  const made = await build({ entryPoints: [join(HERE, "overleaf-page", "page.js")], bundle: true, write: false, format: "iife" });
  return made.outputFiles[0].text;
}

/** Overleaf's side of it: projects by address, {files, options, downloads}, and what is answered to a browser. */
export class Site {
  projects = new Map();
  script = pageScript();

  add(files, options = {}) {
    const address = `/project/${(this.projects.size + 1).toString(16).padStart(24, "0")}`;
    const project = { address, files, options, downloads: 0, pages: [], changes: new Map(), told: Promise.resolve() };
    this.projects.set(address, project);
    return project;
  }

  saved(address, path, text) {
    this.projects.get(address).files.set(path, text);
  }

  /** Take a change of a page that knows all before it, and tell it to every page; false of one that does not. */
  exchange(address, path, version, changes, by) {
    const project = this.projects.get(address);
    const made = project.changes.get(path) ?? project.changes.set(path, []).get(path);
    if (made.length !== version) {
      return false;
    }
    made.push(changes);
    const before = Text.of(project.files.get(path).split("\n"));
    project.files.set(path, ChangeSet.fromJSON(changes).apply(before).toString());
    const tell = (page) => page.evaluate((change) => window.receive(change), { path, by, changes }).catch(() => undefined);
    project.told = project.told.then(() => Promise.all(project.pages.map(tell)));
    return true;
  }

  /** `added` is what the page is told after the reply: somebody made a file. */
  async reply({ url, csrf, body }) {
    const { pathname } = new URL(url);
    const project = this.projects.get(/^\/project\/[0-9a-f]{24}/.exec(pathname)?.[0]);
    if (project === undefined) {
      return { status: 404, contentType: "text/plain", body: "" };
    }
    if (pathname.endsWith("/download/zip")) {
      project.downloads += 1;
      return { status: 200, contentType: "application/zip", body: zip(project.files) };
    }
    const doc = /\/doc(?:\/id%20(.+))?$/.exec(pathname);
    if (doc !== null) {
      if (csrf !== "secret of the page") {
        return { status: 403, contentType: "text/plain", body: "" };
      }
      if (doc[1] !== undefined) {
        const path = decodeURIComponent(doc[1]);
        project.files.delete(path);
        return { status: 204, contentType: "text/plain", body: "", removed: `id ${path}`, pages: project.pages };
      }
      const { name, parent_folder_id: folder } = JSON.parse(body);
      const path = `${(folder ?? "folder ").slice("folder ".length)}${name}`;
      if (project.files.has(path)) {
        return { status: 400, contentType: "text/plain", body: "" };
      }
      project.files.set(path, "");
      const id = `id ${path}`;
      return { status: 200, contentType: "application/json", body: JSON.stringify({ _id: id }), added: { id, path, text: "" }, pages: project.pages };
    }
    const docs = [...project.files].map(([path, text]) => ({ id: `id ${path}`, path, text }));
    const about = JSON.stringify({ open: "main.tex", ...project.options, docs }).replaceAll("<", "\\u003c");
    return {
      status: 200,
      contentType: "text/html; charset=utf-8",
      body: `<!doctype html><meta charset="utf-8"><meta name="ol-csrfToken" content="secret of the page"><title>A paper - Overleaf</title>
<style>body { margin: 0; display: grid; grid-template-columns: 200px 1fr; font: 14px sans-serif } #editor { height: 100vh; overflow: auto } ul { padding-left: 16px; list-style: none } .cm-tooltip-autocomplete ul { max-height: 153px !important }</style>
<div id="files"></div><div id="editor"></div><script>window.project = ${about};</script><script>${await this.script}</script>`,
    };
  }

  /** What changes in the file tree of the pages after a reply. */
  async after({ pages = [], added, removed }) {
    for (const page of pages) {
      if (added !== undefined) {
        await page.evaluate((doc) => window.added(doc), added);
      } else {
        await page.evaluate((id) => window.removed(id), removed);
      }
    }
  }
}

/** A Chromium with the extension, and Overleaf's pages in it. */
export class Overleaf {
  errors = [];

  /** `site` answers with a page, or, if it has a port, at that. */
  static async open({ beside = [], site = new Site() } = {}) {
    const self = new Overleaf();
    self.site = site;
    self.profile = mkdtempSync(join(tmpdir(), "citeplug-overleaf-"));
    const extensions = [EXTENSION, ...beside].join(",");
    self.context = await chromium.launchPersistentContext(self.profile, {
      executablePath: CHROMIUM,
      args: [...FLAGS, ...(site.port === undefined ? [] : leadTo(site.port)), `--disable-extensions-except=${extensions}`, `--load-extension=${extensions}`],
      ignoreDefaultArgs: ["--disable-extensions"],
      viewport: { width: 1000, height: 560 },
    });
    self.context.setDefaultTimeout(PATIENCE);
    await self.context.exposeFunction("saved", (address, path, text) => self.site.saved(address, path, text));
    await self.context.exposeFunction("exchange", (...change) => self.site.exchange(...change));
    if (site.port === undefined) {
      await self.context.route(`${HOST}/**`, (route) => self.answer(route));
    }
    await self.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    return self;
  }

  /** The id of the extension. */
  async extensionId() {
    const workers = this.context.serviceWorkers();
    const worker = workers.find((each) => each.url().endsWith("/background.js")) ?? (await this.context.waitForEvent("serviceworker"));
    return new URL(worker.url()).host;
  }

  async answer(route) {
    const request = route.request();
    const reply = await this.site.reply({ url: request.url(), csrf: await request.headerValue("x-csrf-token"), body: request.postData() });
    const { status, contentType, body } = reply;
    await route.fulfill({ status, contentType, body });
    await this.site.after(reply);
  }

  /** Open a project of these files in a tab, and the panel in another; `files` stays what Overleaf has of it. */
  async project(files, options = {}) {
    const project = this.site.add(files, options);
    project.page = await this.join(project);
    project.panel = await this.panel(project.page);
    return project;
  }

  /** Open a project in one more tab. */
  async join(project) {
    const page = await this.context.newPage();
    project.pages.push(page);
    page.on("pageerror", (error) => this.errors.push(String(error)));
    page.on("console", (said) => said.type() === "error" && this.errors.push(said.text()));
    await page.goto(`${HOST}${project.address}`);
    await page.locator(".cm-content").waitFor();
    return page;
  }

  async panel(page) {
    const id = await this.extensionId();
    const panel = await this.context.newPage();
    await panel.setViewportSize({ width: 420, height: 640 });
    await panel.goto(`chrome-extension://${id}/panel.html`);
    // The browser's own side panel looks at the tab beside it; a panel in a tab is told which.
    const tab = await panel.evaluate(async (url) => (await chrome.tabs.query({})).find((each) => each.url === url)?.id, page.url());
    await panel.goto(`chrome-extension://${id}/panel.html?tab=${tab}`);
    panel.on("pageerror", (error) => this.errors.push(String(error)));
    panel.on("console", (said) => said.type() === "error" && this.errors.push(said.text()));
    await page.bringToFront();
    return panel;
  }

  async shoot(page, name) {
    if (SHOTS) {
      mkdirSync(SHOTS, { recursive: true });
      // Of a panel, what there is: it is as high as the browser's window, whatever is in it.
      const { width, height } = page.viewportSize?.() ?? {};
      const used = await page.evaluate(() => document.querySelector("main > #view")?.parentElement.getBoundingClientRect().bottom ?? Infinity);
      const clip = used < height ? { clip: { x: 0, y: 0, width, height: Math.max(160, used) } } : {};
      await page.screenshot({ path: join(SHOTS, `overleaf-${name}.png`), ...clip });
    }
  }

  async close() {
    await this.context?.close();
    rmSync(this.profile, { recursive: true, force: true });
  }
}

/** Flags of a browser that takes a port of this machine for Overleaf. */
export function leadTo(port) {
  return [`--host-resolver-rules=MAP ${new URL(HOST).host}:443 127.0.0.1:${port}`, "--ignore-certificate-errors"];
}

/** citeplug on this machine; `code` is what it printed, if it did. */
export class Companion {
  static async start(port, ...options) {
    const self = new Companion();
    self.port = port;
    self.process = spawn(PROGRAM, ["overleaf", "serve", "--port", String(port), ...options], { detached: true });
    self.said = "";
    const lines = createInterface({ input: self.process.stderr });
    const coded = createInterface({ input: self.process.stdout });
    coded.on("line", (line) => {
      self.code = /^code: (\S+)/.exec(line)?.[1] ?? self.code;
    });
    for await (const line of lines) {
      self.said += `${line}\n`;
      if (line.startsWith("serving")) {
        lines.on("line", (more) => (self.said += `${more}\n`));
        return self;
      }
    }
    throw new Error(`citeplug did not start: ${self.said}`);
  }

  /** A signal to it and its language servers. */
  signal(name) {
    try {
      process.kill(-this.process.pid, name);
    } catch {
      // it has ended
    }
  }

  async stop() {
    const ended = new Promise((resolve) => this.process.once("close", resolve));
    this.signal("SIGKILL");
    await ended;
  }
}

/** A way to a model's service that notes what is sent there. */
export class Service {
  sent = [];

  static async before(address) {
    const self = new Service();
    self.server = createHttpServer((asked, reply) => {
      self.sent.push(asked.url);
      const onward = request(`${address}${asked.url}`, { method: asked.method, headers: asked.headers }, (answer) => {
        reply.writeHead(answer.statusCode, answer.headers);
        answer.pipe(reply);
      });
      asked.pipe(onward);
    });
    await new Promise((resolve) => self.server.listen(0, "127.0.0.1", resolve));
    self.address = `http://127.1:${self.server.address().port}`;
    return self;
  }

  close() {
    this.server.close();
  }
}

export function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** An extension of somebody else's, which has a page. */
export function otherExtension(place) {
  mkdirSync(place, { recursive: true });
  const manifest = { manifest_version: 3, name: "other", version: "1", host_permissions: ["<all_urls>"], background: { service_worker: "other.js" } };
  writeFileSync(join(place, "manifest.json"), JSON.stringify(manifest));
  writeFileSync(join(place, "other.js"), "");
  writeFileSync(join(place, "other.html"), "<!doctype html><title>other</title>");
  return place;
}

export function zip(files) {
  const [locals, directory] = [[], []];
  let offset = 0;
  for (const [name, text] of files) {
    const data = Buffer.from(text);
    const packed = deflateRawSync(data);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const where = Buffer.alloc(14);
    where.writeUInt32LE(offset, 10);
    locals.push(Buffer.from("PK\x03\x04"), common, Buffer.from(name), packed);
    directory.push(Buffer.from("PK\x01\x02\0\0"), common, where, Buffer.from(name));
    offset += 30 + Buffer.byteLength(name) + packed.length;
  }
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06");
  end.writeUInt16LE(files.size, 10);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, ...directory, end]);
}

/**
 * Overleaf's real-time server, document updater and page client, from a checkout of Overleaf's repository that
 * CITEPLUG_OVERLEAF names. What they ask of Overleaf's other services, a server here answers in their protocol.
 */

import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { freePort, zip } from "./overleaf-page.mjs";
import { until } from "./workbench.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const CHECKOUT = resolve(process.env.CITEPLUG_OVERLEAF);
const SERVICES = join(CHECKOUT, "services");
const ofRedis = createRequire(join(CHECKOUT, "libraries", "redis-wrapper", "package.json"));
const ofRealTime = createRequire(join(SERVICES, "real-time", "package.json"));
const SECRET = "secret of the session";
const COOKIE = "overleaf.sid";
const CSRF = "secret of the page";

async function pageScript() {
  const bridge = join(HERE, "..");
  const { build } = await import(pathToFileURL(createRequire(join(bridge, "package.json")).resolve("esbuild")).href);
  const oneEditor = {
    name: "one editor",
    setup(own) {
      // Two copies of the editor's modules would not know each other's classes.
      own.onResolve({ filter: /^@(codemirror|lezer)\// }, async ({ path, kind, pluginData }) => {
        const ours = pluginData === "asked" ? undefined : await own.resolve(path, { resolveDir: bridge, kind, pluginData: "asked" });
        return ours?.errors.length === 0 ? ours : undefined;
      });
    },
  };
  const made = await build({
    entryPoints: [join(HERE, "overleaf-peer", "page.js")],
    alias: { "@": join(SERVICES, "web", "frontend", "js") },
    bundle: true,
    write: false,
    format: "iife",
    logLevel: "error",
    plugins: [oneEditor],
    tsconfigRaw: {},
  });
  return made.outputFiles[0].text;
}

export class Peer {
  projects = new Map();
  applied = []; // what the document updater has made of all that was sent: {doc, op, meta}
  processes = [];
  sockets = new Set();
  browsers = new Set();
  isCut = false;
  log = "";
  delayed = new Set(); // sessions whose operations wait on the way

  static async start() {
    const self = new Peer();
    try {
      await self.begin();
    } catch (error) {
      await self.stop();
      throw error;
    }
    return self;
  }

  async begin() {
    this.folder = mkdtempSync(join(tmpdir(), "citeplug-peer-"));
    const client = readFileSync(join(ofRealTime("socket.io-client").dist, "socket.io.js"), "utf8");
    [this.client, this.script] = [client, await pageScript()].map((script) => script.replaceAll("</script", "<\\/script"));
    const [redis, updater, realTime] = [await freePort(), await freePort(), await freePort()];
    this.updater = `http://127.0.0.1:${updater}`;
    this.realTime = realTime;
    this.run(this.folder, "redis-server", "--port", redis, "--bind", "127.0.0.1", "--save", "", "--dir", this.folder);
    const Redis = ofRedis("ioredis");
    this.redis = new Redis(redis, "127.0.0.1", { maxRetriesPerRequest: null });
    const follower = this.redis.duplicate();
    await follower.subscribe("applied-ops");
    follower.on("message", (_channel, message) => {
      const { op } = JSON.parse(message);
      this.applied.push(...(op?.op === undefined ? [] : [op]));
    });
    this.followers = [this.redis, follower];
    const inside = await this.listen(createServer((asked, answer) => this.inside(asked, answer)));
    const settings = join(this.folder, "settings.cjs");
    const url = `http://127.0.0.1:${inside}`;
    const places = { internal: { documentupdater: { port: updater }, realTime: { port: realTime } } };
    const apis = { web: { url }, project_history: { url }, documentupdater: { url: this.updater } };
    writeFileSync(settings, `module.exports = ${JSON.stringify({ ...places, apis })}`);
    const env = { ...process.env, OVERLEAF_CONFIG: settings, REDIS_PORT: String(redis), SESSION_SECRET: SECRET, LOG_LEVEL: "error" };
    // Started as a module, the document updater waits for no MongoDB, which it needs for snapshots of its own debugging.
    this.run(join(SERVICES, "document-updater"), process.execPath, "-e", `require("./app.js").listen(${updater}, "127.0.0.1")`, env);
    this.run(join(SERVICES, "real-time"), process.execPath, "app.js", env);
    this.port = await this.listen(this.outside());
    for (const address of [this.updater, `http://127.0.0.1:${realTime}`]) {
      await until(() => fetch(`${address}/status`).then(({ ok }) => ok, () => false), () => this.log);
    }
  }

  run(cwd, program, ...words) {
    const env = typeof words.at(-1) === "object" ? words.pop() : process.env;
    const started = spawn(program, words.map(String), { cwd, env, detached: true });
    for (const stream of [started.stdout, started.stderr]) {
      stream.on("data", (data) => (this.log = (this.log + data).slice(-20_000)));
    }
    this.processes.push(started);
  }

  async listen(server) {
    server.on("connection", (socket) => {
      this.sockets.add(socket);
      socket.on("close", () => this.sockets.delete(socket));
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    this.servers = [...(this.servers ?? []), server];
    return server.address().port;
  }

  add(files, options = {}) {
    const id = randomBytes(12).toString("hex");
    const address = `/project/${id}`;
    const docs = new Map([...files].map(([path, text]) => [randomBytes(12).toString("hex"), docOf(path, text)]));
    const project = { id, address, docs, options, pages: [] };
    this.projects.set(id, project);
    return project;
  }

  /** What the document updater has: {text, comments}. */
  async truth(project, path) {
    const [id] = [...project.docs].find(([, doc]) => doc.path === path) ?? [];
    const response = await fetch(`${this.updater}/project/${project.id}/doc/${id}?fromVersion=-1`);
    const { lines, ranges } = await response.json();
    return { id, text: lines.join("\n"), comments: (ranges.comments ?? []).map(({ op }) => op) };
  }

  /** The parts of all operations on a document that an author sent. */
  sent(author, id) {
    return this.applied.filter(({ doc, meta }) => doc === id && meta.source === author).flatMap(({ op }) => op);
  }

  /** No browser reaches Overleaf, until `mend`. */
  cut() {
    this.isCut = true;
    this.first = undefined;
    for (const end of this.browsers) {
      end.destroy();
    }
  }

  /** The browser of a session reaches Overleaf again; without one, all do. */
  mend(session) {
    this.isCut = session !== undefined;
    this.first = session;
  }

  /** For the browsers: the page, the author's requests, and the way to the real-time server. */
  outside() {
    const [key, cert] = [join(this.folder, "key.pem"), join(this.folder, "cert.pem")];
    spawnSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, "-days", "2", "-subj", "/CN=www.overleaf.com"]);
    const server = createSecureServer({ key: readFileSync(key), cert: readFileSync(cert) }, (asked, answer) => {
      if (this.isCut && sessionOf(asked) !== this.first) {
        answer.destroy();
        return;
      }
      (asked.url.startsWith("/socket.io/") ? this.pass(asked, answer) : this.reply(asked, answer)).catch((error) => {
        answer.writeHead(500).end(String(error));
      });
    });
    server.on("secureConnection", (socket) => {
      this.browsers.add(socket);
      socket.on("close", () => this.browsers.delete(socket));
      if (this.isCut && this.first === undefined) {
        socket.destroy();
      }
    });
    server.on("upgrade", (asked, socket, head) => {
      if (this.isCut && sessionOf(asked) !== this.first) {
        socket.destroy();
        return;
      }
      const onward = request({ host: "127.0.0.1", port: this.realTime, path: asked.url, headers: asked.headers });
      onward.on("upgrade", (reply, far, first) => {
        const lines = Object.entries(reply.headers).map(([name, value]) => `${name}: ${value}\r\n`);
        socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join("")}\r\n`);
        socket.write(first);
        far.write(head);
        far.pipe(socket);
        const session = sessionOf(asked);
        let before = Promise.resolve();
        socket.on("data", (data) => {
          before = before.then(() => this.free(session)).then(() => far.write(data));
        });
        for (const [one, other] of [[socket, far], [far, socket]]) {
          one.on("error", () => undefined);
          one.on("close", () => other.destroy());
        }
      });
      onward.on("error", () => socket.destroy());
      onward.end();
    });
    return server;
  }

  async free(session) {
    while (this.delayed.has(session)) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async pass(asked, answer) {
    const onward = request({ host: "127.0.0.1", port: this.realTime, path: asked.url, method: asked.method, headers: asked.headers }, (reply) => {
      answer.writeHead(reply.statusCode, reply.headers);
      reply.pipe(answer);
    });
    onward.on("error", () => answer.destroy());
    asked.pipe(onward);
  }

  async reply(asked, answer) {
    const { pathname } = new URL(asked.url, "https://www.overleaf.com");
    const [, id, rest] = /^\/project\/([0-9a-f]{24})(?:\/(.*))?$/.exec(pathname) ?? [];
    const project = this.projects.get(id);
    const body = await read(asked);
    if (project === undefined) {
      answer.writeHead(404).end();
    } else if (rest === "download/zip") {
      await fetch(`${this.updater}/project/${id}/flush`, { method: "POST" });
      answer.writeHead(200, { "content-type": "application/zip" }).end(zip(new Map([...project.docs.values()].map(({ path, lines }) => [path, lines.join("\n")]))));
    } else if (rest !== undefined && asked.headers["x-csrf-token"] !== CSRF) {
      answer.writeHead(403).end();
    } else if (rest === "doc") {
      const made = randomBytes(12).toString("hex");
      const { name } = JSON.parse(body);
      project.docs.set(made, docOf(name, ""));
      await this.tell(id, "reciveNewDoc", [null, { _id: made, name }, "editor", "user"]);
      answer.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ _id: made }));
    } else if (rest !== undefined) {
      const gone = rest.slice("doc/".length);
      await fetch(`${this.updater}/project/${id}/doc/${gone}`, { method: "DELETE" });
      project.docs.delete(gone);
      await this.tell(id, "removeEntity", [gone, "editor"]);
      answer.writeHead(204).end();
    } else {
      const headers = { "content-type": "text/html; charset=utf-8", ...(sessionOf(asked) ? {} : { "set-cookie": await this.session() }) };
      const docs = [...project.docs].map(([doc, { path }]) => ({ id: doc, path }));
      const about = JSON.stringify({ open: "main.tex", docs });
      answer.writeHead(200, headers).end(`<!doctype html><meta charset="utf-8"><meta name="ol-csrfToken" content="${CSRF}"><meta name="ol-project_id" content="${id}">
<meta name="ol-ExposedSettings" data-type="json" content='{"isOverleaf": false}'><meta name="ol-maxDocLength" data-type="number" content="2097152"><title>A paper - Overleaf</title>
<style>body { margin: 0; display: grid; grid-template-columns: 200px 1fr } #editor { height: 100vh; overflow: auto }</style>
<div id="files"></div><div id="editor"></div><script>window.project = ${about};</script><script>${this.client}</script><script>${this.script}</script>`);
    }
  }

  /** A user who has logged in; the cookie. */
  async session() {
    const id = randomBytes(18).toString("hex");
    const user = { _id: randomBytes(12).toString("hex"), first_name: "An", last_name: "Author", email: "a@example.org" };
    await this.redis.set(`sess:${id}`, JSON.stringify({ cookie: {}, passport: { user } }));
    const { sign } = ofRealTime("cookie-signature");
    return `${COOKIE}=${encodeURIComponent(`s:${sign(id, SECRET)}`)}; Path=/; Secure; HttpOnly`;
  }

  async tell(project, message, payload) {
    await this.redis.publish("editor-events", JSON.stringify({ room_id: project, message, payload, _id: randomBytes(8).toString("hex") }));
  }

  /** For the services: who may join, documents, and a history that takes everything. */
  async inside(asked, answer) {
    const [, id, what, doc] = /^\/project\/([0-9a-f]{24})\/(\w+)(?:\/([0-9a-f]{24}))?/.exec(asked.url) ?? [];
    const project = this.projects.get(id);
    const body = await read(asked);
    const json = (value) => answer.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (project === undefined) {
      answer.writeHead(404).end();
    } else if (what === "join") {
      json({ project: { _id: id, name: "A paper", owner: { _id: id } }, privilegeLevel: "owner", isRestrictedUser: false, isTokenMember: false, isInvitedMember: false });
    } else if (what === "doc" && project.docs.has(doc)) {
      if (asked.method === "POST") {
        const { lines, version, ranges } = JSON.parse(body);
        Object.assign(project.docs.get(doc), { lines, version, ranges });
        json({ rev: version, modified: true });
      } else {
        const { path, ...rest } = project.docs.get(doc);
        json({ ...rest, pathname: `/${path}`, projectHistoryId: "1", historyRangesSupport: false, resolvedCommentIds: [] });
      }
    } else {
      answer.writeHead(what === "flush" ? 204 : 404).end();
    }
  }

  async stop() {
    for (const follower of this.followers ?? []) {
      follower.disconnect();
    }
    for (const started of this.processes) {
      try {
        process.kill(-started.pid, "SIGKILL");
      } catch {
        // it has ended
      }
    }
    for (const socket of this.sockets) {
      socket.destroy();
    }
    for (const server of this.servers ?? []) {
      server.close();
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function docOf(path, text) {
  return { path, lines: text.split("\n"), version: 0, ranges: {} };
}

export function sessionOf({ headers }) {
  return new RegExp(`${COOKIE}=([^;]+)`).exec(headers.cookie ?? "")?.[1];
}

async function read(stream) {
  const parts = [];
  for await (const part of stream) {
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

/** The review page for a browser: served by citeplug, opened as a user's browser opens it, and looked at. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createInterface } from "node:readline";
import { PATIENCE } from "./workbench.mjs";

const SHOTS = process.env.CITEPLUG_SCREENSHOTS;
const PYTHON = process.env.CITEPLUG_E2E_PYTHON;
const PROJECT = /^\/[0-9a-f]{12}\/$/; // the address of a project

/** Serve a project; the file that a browser is opened with, and the server. `place` is a folder for a browser's stand-in. */
export async function serve(project, place) {
  const bin = join(place, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "xdg-open"), '#!/bin/sh\necho "opened $1"\n', { mode: 0o755 });
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  const server = spawn(PYTHON, ["-m", "tests.harness.only_loopback", "review", project], { env });
  server.stderr.resume();
  for await (const line of createInterface({ input: server.stdout })) {
    if (line.startsWith("opened ")) {
      server.stdout.resume();
      return { server, address: pathToFileURL(line.slice("opened ".length)).href };
    }
  }
  throw new Error("no browser was opened");
}

/** A page that notes in `errors` what breaks a rule, or asks another machine. */
export async function newPage(browser, errors) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, reducedMotion: "reduce" });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  page.on("console", (said) => said.type() === "error" && !/409/.test(said.text()) && errors.push(said.text()));
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("request", (request) => !/^(http:\/\/127\.0\.0\.1:|file:)/.test(request.url()) && errors.push(request.url()));
  return page;
}

/** Open a served project; that with which its addresses begin. */
export async function enter(page, address) {
  await page.goto(address);
  await page.waitForURL((url) => url.protocol === "http:" && PROJECT.test(url.pathname));
  return page.url().slice(0, -1);
}

export async function shoot(page, name, options = {}) {
  if (SHOTS) {
    mkdirSync(SHOTS, { recursive: true });
    await page.screenshot({ path: join(SHOTS, `review-${name}.png`), ...options });
  }
}

/** axe finds nothing, in dark and in light. */
export async function isAccessible(page, where) {
  const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  for (const colorScheme of ["dark", "light"]) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => window.axe.run());
    const found = violations.map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes[0].html}`);
    assert.deepEqual(found, [], `${where} ${colorScheme}`);
  }
}

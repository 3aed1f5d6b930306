/** Draws art/icon.svg into media/icon.png; `make vscode-tests` installs what it needs. */

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "../e2e/node_modules/playwright-core/index.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 128, height: 128 } });
await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${readFileSync(join(here, "icon.svg"), "utf8")}`);
await page.screenshot({ path: join(here, "..", "media", "icon.png"), omitBackground: true });
await browser.close();

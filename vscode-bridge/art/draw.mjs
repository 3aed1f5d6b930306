/** Draws art/icon.svg into media/icon.png, and in three sizes for the browser extension; `make vscode-tests` installs what it needs. */

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "../e2e/node_modules/playwright-core/index.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const pictures = [[128, "media/icon.png"], ...[16, 48, 128].map((size) => [size, `overleaf/static/icons/${size}.png`])];
for (const [size, picture] of pictures) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>body { margin: 0 } svg { display: block; width: 100vw; height: 100vh }</style>${readFileSync(join(here, "icon.svg"), "utf8")}`);
  await page.screenshot({ path: join(here, "..", picture), omitBackground: true });
}
await browser.close();

/** Pictures for the documentation: the editor and the review page with the example project. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { withPalette } from "./palette.mjs";
import { PROGRAM, WRITTEN, project } from "./project.mjs";
import { enter, newPage, serve } from "./review-page.mjs";
import { papers } from "./view.mjs";
import { CHROMIUM, FLAGS, LONG, open } from "./workbench.mjs";

const FOLDER = process.argv[2];
const SIZE = { width: 1180, height: 760 };
const TABS = [["papers", "li[id^=paper-]"], ["audit", "main li"]]; // pages, and what is there once they are complete
const PHONE = { width: 390, height: 760 };

async function drawEditor() {
  const here = project();
  const editor = await open(here.folder, { file: join(here.folder, "related.tex"), settings: { "citeplug.path": PROGRAM } });
  try {
    await editor.runs();
    await editor.page.locator(".codelens-decoration a").first().waitFor({ timeout: LONG });
    const view = papers(editor);
    await view.show();
    await view.row("New in the section").waitFor({ timeout: LONG });
    await editor.page.locator(".codelens-decoration a", { hasText: /^Read / }).first().click({ timeout: LONG });
    await editor.viewWith("a.first");
    await editor.resize(SIZE.width, SIZE.height);
    await editor.command("Notifications: Clear All Notifications");
    await editor.page.mouse.move(24, 560);
    await shoot(editor.page, "editor");
  } finally {
    await editor.close();
    here.remove();
  }
}

async function drawPage() {
  const here = project();
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  const { server, address } = await serve(here.folder, join(WRITTEN, ".."));
  try {
    const page = await newPage(browser, []);
    await page.setViewportSize(SIZE);
    const project = await enter(page, address);
    await page.locator(".sentence").first().waitFor({ timeout: LONG });
    await page.keyboard.press("j");
    await page.keyboard.press("j"); // the sentence whose source docs/index.md shows
    await page.waitForLoadState("networkidle");
    await shoot(page, "page");
    await page.setViewportSize(PHONE);
    await shoot(page, "phone");
    await page.setViewportSize(SIZE);
    for (const [name, row] of TABS) {
      await page.goto(`${project}/${name}`);
      await page.locator(row).first().waitFor({ timeout: LONG });
      await page.waitForLoadState("networkidle");
      await shoot(page, name);
    }
  } finally {
    await browser.close();
    server.kill("SIGKILL");
    here.remove();
  }
}

async function shoot(page, name) {
  const png = await page.screenshot();
  const blank = await page.context().browser().newPage(); // the editor does not let its own page fetch
  writeFileSync(join(FOLDER, `${name}.png`), await withPalette(blank, png));
}

await drawPage();
await drawEditor();

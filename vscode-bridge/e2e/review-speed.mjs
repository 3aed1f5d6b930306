/** Milliseconds of the review page in a real browser, as JSON: its first view, and each key to the picture after it. */

import { dirname } from "node:path";
import { chromium } from "playwright-core";
import { enter, newPage, serve } from "./review-page.mjs";
import { CHROMIUM, FLAGS } from "./workbench.mjs";

const [project, rounds] = [process.argv[2], Number(process.argv[3])];

/** Press a key; the time until the selected sentence is another one, or has another status, and is painted. */
const press = (key) =>
  new Promise((done) => {
    const now = () => {
      const selected = document.querySelector(".sentence.selected");
      return `${selected?.id} ${document.querySelector("#source .about")?.textContent}`;
    };
    const before = now();
    const start = performance.now();
    const seen = new MutationObserver(() => {
      if (now() !== before) {
        seen.disconnect();
        requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
      }
    });
    seen.observe(document.body, { childList: true, subtree: true, attributes: true });
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  });

const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
const { server, address } = await serve(project, dirname(dirname(project)));
try {
  const page = await newPage(browser, []);
  const start = performance.now();
  const base = await enter(page, address);
  await page.locator(".sentence.selected").waitFor();
  const first = performance.now() - start;
  const again = [];
  for (let round = 0; round < rounds; round += 1) {
    const begin = performance.now();
    await page.goto(`${base}/`);
    await page.locator(".sentence.selected").waitFor();
    again.push(performance.now() - begin);
  }
  const keys = { j: [], k: [], a: [], u: [], r: [] };
  for (let round = 0; round < rounds; round += 1) {
    await page.goto(`${base}/`); // or the keys come to the last sentence, from which none leads on
    for (const key of ["j", "j", "k", "a", "u", "r", "u"]) {
      keys[key].push(await page.evaluate(press, key));
    }
  }
  const sentences = await page.locator(".sentence").count();
  console.log(JSON.stringify({ first, again, keys, sentences }));
} finally {
  await browser.close();
  server.kill("SIGKILL");
}

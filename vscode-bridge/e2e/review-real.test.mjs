/** A real draft as a zip, from "there is no section yet" to the zip of the changed files, in a real browser. */

import assert from "node:assert/strict";
import { dirname } from "node:path";
import { after, before, describe, it } from "node:test";
import { chromium } from "playwright-core";
import { enter, isAccessible, newPage, serve, shoot } from "./review-page.mjs";
import { CHROMIUM, FLAGS, LONG } from "./workbench.mjs";

const ZIP = process.env.CITEPLUG_E2E_ZIP;
const CHANGED = process.env.CITEPLUG_E2E_CHANGED; // where the changed files go
const PAPER = process.env.CITEPLUG_E2E_PAPER; // the id of one for a new paragraph
const WORDS = process.env.CITEPLUG_E2E_WORDS; // with which a paragraph of the draft begins
const QUESTION = process.env.CITEPLUG_E2E_QUESTION;
const OWN = "Filters on graphs are compared in these words of the author.";
const WIDE = { width: 1400, height: 900 };
const NARROW = { width: 400, height: 900 };

describe("a real draft in the review page", () => {
  let server;
  let browser;
  let page;
  let base;
  const errors = [];
  const go = (path) => page.goto(base + path);
  const button = (name) => page.getByRole("button", { name, exact: true });
  const write = async (name, said) => {
    await button(name).click();
    await page.getByText(said).first().waitFor({ timeout: LONG });
    await page.locator(".columns").waitFor();
  };

  before(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
    page = await newPage(browser, errors);
    const served = await serve(ZIP, dirname(ZIP));
    server = served.server;
    base = await enter(page, served.address);
  });
  after(async () => {
    await browser?.close();
    server?.kill("SIGKILL");
  });

  it("writes the section, and has the draft read it", async () => {
    await shoot(page, "real-empty");
    await write("Write the section", "The section is written.");
    await shoot(page, "real-section");
    await page.getByText("Add it to your document").click();
    await shoot(page, "real-insertion");
    await write("Add them", "Your document now includes the section.");
    assert.equal(await page.locator("#insert").count(), 0);
  });

  it("takes a pinned paper and a paragraph of the author's into the section, and moves it", async () => {
    await page.getByRole("link", { name: "Papers", exact: true }).click();
    await page.getByRole("heading", { name: "Papers your draft should discuss" }).waitFor({ timeout: LONG });
    await shoot(page, "real-papers");
    await page.getByRole("button", { name: /^Pin / }).last().click();
    await page.getByText("Saved in citeplug.toml").waitFor({ timeout: LONG });
    await page.getByRole("link", { name: "Section", exact: true }).click();
    await page.getByText("Add a paragraph").click();
    await page.locator("#add-heading").fill("Attention");
    await page.locator("#add-line").fill(`describe attention [${PAPER}]`);
    await page.locator("#add").getByRole("button", { name: "Add" }).click();
    await page.getByText("The plan was changed.").waitFor();
    await write("Update the section", "The section is written.");
    const names = () => page.locator(".paragraphs h3").allTextContents();
    const before = await names();
    const at = before.indexOf("Attention");
    assert(before.length > 1 && at > 0, before.join(", "));
    await page.locator(".paragraphs > li").nth(at).getByText("Edit the plan").click();
    await page.getByRole("button", { name: "Move paragraph Attention up" }).click();
    await page.getByText("The paragraph was moved.").waitFor();
    assert.equal((await names()).indexOf("Attention"), at - 1);
  });

  it("rejects a sentence, and takes the author's words for another", async () => {
    const sentences = page.locator(".sentence.generated");
    const count = await sentences.count();
    const gone = await sentences.last().locator(".words").textContent();
    await sentences.last().locator(".words").click();
    await page.waitForFunction(() => [...document.querySelectorAll(".sentence.generated")].at(-1).matches(".selected"));
    await page.keyboard.press("r");
    await page.getByText("was removed").waitFor();
    assert.equal(await sentences.count(), count - 1);
    assert(!(await page.locator(".text").textContent()).includes(gone));
    await sentences.first().locator(".words").click();
    await page.waitForFunction(() => document.querySelector(".sentence.generated").matches(".selected"));
    await page.keyboard.press("e");
    await page.locator("#edit").fill(OWN);
    await page.locator(".editor button.main").click();
    await page.getByText("it is yours now").waitFor();
    await shoot(page, "real-edited");
    await isAccessible(page, "section");
  });

  it("answers a question, and puts its answer into the draft", async () => {
    await page.getByRole("link", { name: "Ask", exact: true }).click();
    await page.getByLabel("Your question").fill(QUESTION);
    await button("Ask").click();
    await page.locator(".answer > li").first().waitFor({ timeout: LONG });
    await page.locator(".citations a").first().click();
    await page.locator("#passage mark").waitFor();
    await shoot(page, "real-ask");
    await page.getByRole("link", { name: "Insert into the draft: sentence 1" }).first().click();
    const choice = page.getByLabel("At the end of the paragraph");
    await choice.selectOption(await choice.locator("option", { hasText: WORDS }).first().getAttribute("value"));
    await button("Show what would change").click();
    await page.locator("pre ins").first().waitFor();
    await shoot(page, "real-insert");
    await button("Insert").click();
    await page.getByText("The sentence was added to the draft").waitFor();
  });

  it("shows the entries, the history, and all of it narrow and dark", async () => {
    await go("/entries");
    await shoot(page, "real-entries");
    await isAccessible(page, "entries");
    await go("/history");
    for (const what of ["rejected", "pinned", "inserted from an answer"]) {
      await page.locator(".events").getByText(what).first().waitFor();
    }
    await isAccessible(page, "history");
    await page.emulateMedia({ colorScheme: "dark" });
    for (const [name, size] of [["wide", WIDE], ["narrow", NARROW]]) {
      await page.setViewportSize(size);
      for (const path of ["/", "/papers", "/ask?turn=1&sentence=1&citation=1", "/entries", "/history", "/export"]) {
        await go(path);
        await shoot(page, `real-${name}-dark-${path.match(/\w+/)?.[0] ?? "section"}`);
        const { width, seen } = await page.evaluate(() => ({ width: document.body.scrollWidth, seen: window.innerWidth }));
        assert(width <= seen, `${name} ${path}: ${width} of ${seen}`);
      }
    }
    await page.setViewportSize(WIDE);
    await page.emulateMedia({ colorScheme: "light" });
  });

  it("gives the changed files", async () => {
    await go("/export?comments=yes");
    await shoot(page, "real-export");
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download the changed files" }).click();
    await (await download).saveAs(CHANGED);
  });

  it("asked no other machine for anything, and broke no rule of its own", async () => {
    assert.deepEqual(errors, []);
  });
});

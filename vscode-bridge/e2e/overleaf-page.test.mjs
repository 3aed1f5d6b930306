/** The extension in a real Chromium, in a page as Overleaf's, with citeplug on the same machine. */

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Companion, example, freePort, otherExtension, Overleaf, Service } from "./overleaf-page.mjs";
import { LONG, until } from "./workbench.mjs";

const BIB = "references.bib";
const typed = (page, text) => page.keyboard.type(text);
const shown = (page) => page.evaluate(() => window.shown());
const connected = (panel) => panel.getByText("main.tex ·").waitFor({ timeout: LONG });
const press = (panel, name) => panel.getByRole("button", { name, exact: true }).click();
/** Add the entry of the paper that was cited last, which stands among the papers. */
const addEntry = async (panel) => {
  await panel.getByRole("tab", { name: "Papers" }).click();
  await panel.locator(".missing").getByRole("button", { name: "Add entry" }).first().click();
};
const acceptance = (panel) => panel.getByRole("button", { name: /^(Write|Apply) \d/ });
const accept = (panel) => acceptance(panel).click();
const options = (page) => page.locator(".cm-tooltip-autocomplete li");
/** Wait until citeplug has loaded its catalogue: what is typed before is completed by the author's own keys. */
async function warm(panel) {
  await panel.getByLabel("Title, authors, words").fill("attention");
  await press(panel, "Search");
  await panel.locator("article").first().waitFor({ timeout: LONG });
}
/** Overleaf's own dark theme. */
async function dark(page, panel) {
  await page.evaluate(() => (document.body.dataset.theme = "default"));
  await panel.waitForFunction(() => getComputedStyle(document.body).backgroundColor === "rgb(27, 34, 44)");
}
/** A citation that is begun in a paragraph of its own. */
async function begin(page, text) {
  await page.evaluate(() => window.cursorTo("\\end{document}", false));
  await typed(page, text);
}

const proposed = async (panel) => {
  const asked = panel.getByRole("button", { name: "Insert after it" });
  const accepting = acceptance(panel);
  await asked.or(accepting).waitFor({ timeout: LONG });
  if (await asked.isVisible()) {
    await asked.click();
    await accepting.waitFor({ timeout: LONG });
  }
};
const accepted = async (panel) => {
  await proposed(panel);
  await accept(panel);
};

describe("the extension in Overleaf's page", { concurrency: false }, () => {
  let overleaf;
  let companion;
  let port;
  let other;
  let service;

  before(async () => {
    service = await Service.before(process.env.ANTHROPIC_BASE_URL);
    process.env.ANTHROPIC_BASE_URL = service.address;
    port = await freePort();
    other = otherExtension(mkdtempSync(join(tmpdir(), "citeplug-other-")));
    [companion, overleaf] = await Promise.all([Companion.start(port), Overleaf.open({ beside: [other] })]);
  });
  after(async () => {
    await overleaf?.close();
    await companion?.stop();
    service?.close();
    rmSync(other, { recursive: true, force: true });
  });

  it("is let in by the code, once, and not by another", async () => {
    const { page, panel } = await overleaf.project(example());
    await panel.getByLabel("Code").fill("K7QF-2MXA");
    await overleaf.shoot(panel, "code");
    const panelSays = (code, words) => panel.getByLabel("Code").fill(code).then(() => press(panel, "Pair")).then(() => panel.getByText(words).waitFor());
    await panelSays("AAAA", "That is not a code");
    await panelSays(`${await freePort()}-AAAA-AAAA`, "citeplug is not running, or the code is of an earlier start");
    assert.match(await panel.getByLabel("Code").inputValue(), /-AAAA-AAAA$/, "what was typed stays");
    await panel.getByLabel("Code").fill(`${port}-AAAA-AAAA`);
    await press(panel, "Pair");
    await panel.getByText("wrong, or was used already").waitFor();
    await overleaf.shoot(panel, "pairing");
    await panel.getByLabel("Code").fill(companion.code);
    await press(panel, "Pair");
    await connected(panel);
    const { token } = await panel.evaluate(() => chrome.storage.local.get("token"));
    await panel.evaluate(() => chrome.storage.local.set({ token: "of an earlier pairing" }));
    await page.reload();
    await panel.getByText("citeplug does not know this browser any more").waitFor();
    await panel.evaluate((before) => chrome.storage.local.set({ token: before }), token);
    await page.close();
    await panel.close();
  });

  it("completes papers after the author's own keys, and adds the entry where it belongs", async () => {
    const files = example();
    const project = await overleaf.project(files);
    const { page, panel } = project;
    await connected(panel);
    await warm(panel);
    await overleaf.shoot(panel, "search");
    const before = new Map(files);
    await begin(page, "Attention weighs the neighbors of a node \\cite{");
    await page.locator(".ol-cm-completion-citeplug").first().waitFor();
    const kinds = await options(page).evaluateAll((all) => all.map((each) => /completion-(\w+)/.exec(each.className)?.[1]));
    assert(kinds.indexOf("citeplug") > kinds.lastIndexOf("reference"), "the editor's own come first");
    await typed(page, "attention");
    const paper = page.locator(".ol-cm-completion-citeplug", { hasText: "Attention-based" }).first();
    await paper.waitFor();
    // Until then the list of what was typed before is shown, and takes no click.
    await page.waitForFunction(() => window.completion() === "active");
    await overleaf.shoot(page, "completion");
    await paper.click();
    const key = /\\cite\{([^{}]+)$/m.exec((await shown(page)).split("\\end{document}")[0])[1];
    assert.notEqual(key, "attention");
    await panel.locator("section", { hasText: key }).getByRole("heading", { name: /^An Attention-based/ }).waitFor();
    await overleaf.shoot(panel, "cited");
    assert.equal(files.get(BIB), before.get(BIB), "nothing is added before it is asked for");
    await addEntry(panel);
    await panel.getByText(/^Added \w+ at \S+\.bib, line \d+\.$/).waitFor({ timeout: LONG });
    await overleaf.shoot(panel, "entry");
    assert(files.get(BIB).includes(`{${key},`), files.get(BIB));
    assert(files.get(BIB).startsWith(before.get(BIB).trimEnd()), "what was there stays byte for byte");
    await connected(panel); // the author's file is open again
    assert((await shown(page)).includes(`\\cite{${key}`));
    await page.close();
    await panel.close();
  });

  it("cites a listed paper at the cursor, with its entry, and takes both back", async () => {
    const files = example();
    const { page, panel } = await overleaf.project(files);
    await connected(panel);
    await press(panel, "Find papers for the draft");
    await panel.locator("article.paper").first().waitFor({ timeout: LONG });
    const paper = panel.locator("article.paper", { hasText: await panel.locator("article.paper h3").first().innerText() });
    await overleaf.shoot(panel, "papers");
    assert.equal(await paper.locator(".chip:visible").count(), 0, "what is not cited comes first");
    await paper.getByText(/^Why: /).waitFor();
    await paper.getByRole("button", { name: /^More on / }).click();
    await paper.getByRole("button", { name: "Pin", exact: true }).click();
    await paper.getByRole("button", { name: "Unpin" }).waitFor({ timeout: LONG });
    await until(() => /pin = \[/.test(files.get("citeplug.toml") ?? ""), () => [...files.keys()].join(), LONG);
    await connected(panel);
    await overleaf.shoot(panel, "pinned");
    await page.evaluate(() => window.cursorTo("\\end{document}", false));
    await typed(page, "As others do ");
    const [draft, entries] = [await shown(page), files.get(BIB)];
    const check = panel.getByRole("tab", { name: "Check" });
    const problems = await check.innerText();
    const cites = async () => {
      await page.evaluate(() => window.cursorTo("As others do "));
      await paper.getByRole("button", { name: "Cite at the cursor" }).click();
      await panel.getByText(/^Added \\cite[tp]?\{\w+\} at line \d+\.$/).waitFor({ timeout: LONG });
      await connected(panel); // the author's file is shown again
      await until(async () => /As others do \\cite[tp]?\{\w+/.test(await shown(page)), () => shown(page), LONG);
      const key = /As others do \\cite[tp]?\{([^}]+)/.exec(await shown(page))[1];
      assert(files.get(BIB).includes(`{${key},`), files.get(BIB));
      await paper.waitFor({ state: "hidden" });
    };
    await cites();
    await panel.locator("footer").getByRole("button", { name: "Undo" }).click();
    await panel.getByText(/^Undone: .* line \d+\.$/).waitFor({ timeout: LONG });
    assert.deepEqual([await shown(page), files.get(BIB)], [draft, entries]);
    assert.equal(await check.innerText(), problems, "a key that was without its entry for a moment is no problem");
    await paper.waitFor(); // it is among those that are not cited
    await cites();
    await overleaf.shoot(panel, "cite");
    await panel.getByRole("button", { name: /^Cited \d+$/ }).click();
    await paper.waitFor();
    assert.equal(await paper.getByRole("button").first().innerText(), "Copy entry", "it is not cited again by its first action");
    await dark(page, panel);
    await overleaf.shoot(panel, "papers-dark");
    await page.close();
    await panel.close();
  });

  describe("in one tab", { concurrency: false }, () => {
    let page;
    let panel;
    const files = example();
    files.set(BIB, files.get(BIB).replace("on Large Graphs", "on Very Large Graphs"));

    before(async () => {
      ({ page, panel } = await overleaf.project(files));
      await connected(panel);
    });
    after(async () => {
      await page.close();
      await panel.close();
    });

    it("explains keys under the mouse, and marks a key that is nowhere defined", async () => {
      await begin(page, "Wrong \\cite{nobody1999} here.");
      await page.locator(".citeplug-mark.citeplug-error", { hasText: "nobody1999" }).waitFor();
      await page.locator(".citeplug-line.citeplug-error").first().waitFor();
      await panel.getByRole("tab", { name: "Check" }).click();
      await panel.locator("article.error", { hasText: "nobody1999" }).waitFor();
      await panel.getByText(/^\d+ cited: /).waitFor({ timeout: LONG });
      await overleaf.shoot(panel, "check");
      await page.evaluate(() => window.cursorTo("\\begin{document}"));
      await panel.locator("article.error", { hasText: "nobody1999" }).getByRole("button", { name: /^main.tex, line / }).click();
      await until(async () => /nobody1999/.test(await page.evaluate(() => window.cursorLine())), () => "the line is not shown");
      const cited = /\\cite\{([^,{}]+)/.exec(await shown(page))[1];
      const title = new RegExp(`@\\w+\\{${cited},[^@]*?title\\s*=\\s*[{"]+([^{}"]{12})`).exec(example().get(BIB))[1];
      await page.evaluate((text) => window.cursorTo(text), cited);
      const { left, top } = await page.evaluate((text) => window.coords(text), cited);
      await page.mouse.move(left + 2, top + 4);
      await page.mouse.move(left + 3, top + 5);
      await page.locator(".citeplug-card", { hasText: title }).waitFor();
      await overleaf.shoot(page, "hover");
    });

    it("loses nothing of two who type at once", async () => {
      // Both write in the same document, in turn and without waiting.
      await page.evaluate(() => window.cursorTo("\\end{document}", false));
      for (const letter of "abcdef") {
        await Promise.all([page.keyboard.type(letter), page.evaluate((sign) => window.remote("main.tex", 0, sign), letter)]);
      }
      const isWhole = (text) => text.startsWith("fedcba") && text.includes("abcdef\\end{document}");
      await until(async () => isWhole(await shown(page)), () => shown(page));
      await page.evaluate(() => window.cursorTo("abcdef"));
      await typed(page, " \\cite{nobody2001}");
      await page.locator(".citeplug-mark", { hasText: "nobody2001" }).waitFor(); // the server has the very text
      assert.equal(files.get("main.tex"), await shown(page));
    });

    it("writes once Overleaf unlocks the editor, and says when it is locked", async () => {
      await page.evaluate(() => window.lock(true));
      await panel.getByText("You may only read this project").waitFor();
      await page.evaluate(() => window.lock(false));
      await connected(panel);
    });

    it("corrects an entry beside what a co-author has written meanwhile, and nothing where the co-author was at the place", async () => {
      await panel.getByRole("tab", { name: "Check" }).click();
      const propose = async () => {
        await panel.locator("article", { hasText: "Inductive" }).getByRole("button", { name: "Use the record's title" }).first().click({ timeout: LONG });
        await panel.getByRole("heading", { name: BIB }).waitFor({ timeout: LONG });
      };
      const before = files.get(BIB);
      await propose();
      assert.equal(files.get(BIB), before, "nothing is changed before it is accepted");
      await page.evaluate((path) => window.remote(path, 0, "% a co-author\n"), BIB);
      await accept(panel);
      await panel.getByText(/^Corrected \S+\.bib, line \d+\.$/).waitFor({ timeout: LONG });
      assert.equal(files.get(BIB), `% a co-author\n${before.replace("Very Large", "Large")}`);
      await page.evaluate((path) => window.remote(path, 0, "% and again\n"), BIB);
      await panel.locator("footer").getByRole("button", { name: "Undo" }).click();
      await panel.getByText(/^Undone: .* line \d+\.$/).waitFor({ timeout: LONG });
      assert.equal(files.get(BIB), `% and again\n% a co-author\n${before}`, "what was written since stays");
      await propose();
      await page.evaluate(([path, at]) => window.remote(path, at, "r"), [BIB, files.get(BIB).indexOf("ry Large")]);
      const theirs = files.get(BIB);
      await accept(panel);
      await panel.getByText(/was changed in the meantime at the very place; nothing was edited/).first().waitFor({ timeout: LONG });
      assert.equal(files.get(BIB), theirs);
      await propose();
      await page.getByRole("treeitem", { name: BIB }).click();
      await panel.getByText(`${BIB} ·`).waitFor();
      await page.evaluate(() => window.cursorTo("% a co-author"));
      const mine = " and the author types on while the entry is corrected";
      await Promise.all([page.keyboard.type(mine, { delay: 20 }), acceptance(panel).dispatchEvent("click")]);
      await until(() => files.get(BIB).includes(mine) && !files.get(BIB).includes("Verry"), () => panel.locator("body").innerText(), LONG);
      assert(files.get(BIB).includes(`% a co-author${mine}\n`), files.get(BIB));
    });
  });

  describe("with a section", { concurrency: false }, () => {
    let page;
    let panel;
    const files = example();

    before(async () => {
      ({ page, panel } = await overleaf.project(files));
      await connected(panel);
    });
    after(async () => {
      await page.close();
      await panel.close();
    });

    it("stops a run, writes the section as a proposal, by small edits that the editor undoes, and undoes all of it", async () => {
      const before = new Map(files);
      await panel.getByRole("tab", { name: "Section" }).click();
      await panel.getByText("before any of it is in the draft").waitFor({ timeout: LONG });
      await overleaf.shoot(panel, "section");
      await press(panel, "Write related work");
      // At once: what a run tells moves the button, and Playwright would wait until that is over.
      await panel.getByRole("button", { name: "Stop", exact: true }).dispatchEvent("click");
      await panel.getByText("Stopped. Nothing was written.").waitFor();
      assert.equal(await acceptance(panel).count(), 0);
      await press(panel, "Write related work");
      await proposed(panel);
      const quoted = panel.locator("details.sentence").first();
      await quoted.locator("summary").click();
      await quoted.locator("blockquote").first().waitFor();
      assert.doesNotMatch(await panel.locator("article.prose").first().innerText(), /\\|20\d\d[a-z]/, "names and years, no keys");
      await overleaf.shoot(panel, "proposal");
      const places = await panel.locator("article.prose, details.file").evaluateAll((all) => all.map((each) => each.className + (each.querySelector("h3")?.textContent ?? "")));
      assert(places[0].startsWith("prose") && places.at(-1).includes("related.bib"), "the prose first, the entries last");
      assert.deepEqual(files, before, "nothing is written before it is accepted");
      const all = await panel.locator("article.prose .line").count();
      const second = await panel.locator("article.prose").nth(1).locator(".line").count();
      const left = panel.locator("article.prose").first().locator(".line").nth(1);
      const leftWords = (await left.innerText()).split(/\W+/).filter((word) => /^[a-z]{6,}$/.test(word));
      await left.getByRole("button", { name: "Leave this sentence out" }).click();
      assert.equal(await acceptance(panel).innerText(), `Write ${all - 1} of ${all} sentences`);
      assert(await panel.getByLabel("Paragraph 1").evaluate((box) => box.indeterminate), "a paragraph without one of its sentences");
      const filesOf = () => panel.locator(".files").innerText();
      await panel.locator(".files:not([aria-busy])").waitFor({ timeout: LONG });
      await overleaf.shoot(panel, "left-out");
      assert.doesNotMatch(await filesOf(), new RegExp(leftWords.join("[^]*")), "the files are without it");
      await panel.getByRole("tab", { name: "Papers" }).click();
      assert.equal(await panel.getByRole("button", { name: "Find papers for the draft" }).isEnabled(), false, "one proposal at a time");
      await overleaf.shoot(panel, "back");
      await press(panel, "Show it");
      await panel.getByLabel("Paragraph 2").uncheck();
      await panel.locator(".files:not([aria-busy])").waitFor({ timeout: LONG });
      await panel.locator("details.file").last().scrollIntoViewIfNeeded();
      assert(await acceptance(panel).evaluate((button) => button.getBoundingClientRect().top >= 0), "Write stays in view");
      assert.equal(await acceptance(panel).innerText(), `Write ${all - 1 - second} of ${all} sentences`);
      const top = await panel.getByRole("tablist").evaluate((list) => list.getBoundingClientRect().top);
      assert.equal(top, 0, "the tabs stay on top");
      await overleaf.shoot(panel, "scrolled");
      await accept(panel);
      await panel.getByText(/^Wrote the section at /).waitFor({ timeout: LONG });
      assert.match(files.get("related.tex"), /citeplug:begin p1 [^]*citeplug:begin p3 /);
      assert.doesNotMatch(files.get("related.tex"), /p2/, "a paragraph that was not taken");
      assert(leftWords.length > 1 && !leftWords.every((word) => files.get("related.tex").includes(word)), "a sentence that was not taken");
      assert.match(files.get("related.bib"), /eprint/);
      const cited = new Set([...`${files.get("main.tex")}${files.get("related.tex")}`.matchAll(/\\cite\w*\{([^}]+)/g)].flatMap(([, keys]) => keys.split(/,\s*/)));
      for (const [, key] of files.get("related.bib").matchAll(/^@\w+\{([^,]+),/gm)) {
        assert(cited.has(key), `${key} is of a work that only what was left out cites`);
      }
      assert.notEqual(files.get("main.tex"), before.get("main.tex"));
      const lines = before.get("main.tex").split("\n");
      const now = files.get("main.tex").split("\n");
      assert(lines.every((line) => now.includes(line) || /bibliography/.test(line)), "the author's lines stay");
      await page.evaluate(() => window.cursorTo("\\begin{document}"));
      await page.keyboard.press("Control+z");
      assert.equal(await shown(page), before.get("main.tex"), "the editor's undo undoes");
      await page.keyboard.press("Control+y");
      await panel.locator("footer").getByRole("button", { name: "Undo" }).click();
      await panel.getByText(/^Undone: .* line \d+\.$/).waitFor({ timeout: LONG });
      assert.equal(files.get("main.tex"), before.get("main.tex"));
      assert(!files.has("related.tex") && !files.has("related.bib"), "a file that was made is deleted again");
    });

    it("answers a question with quotations, and has the section that was written read sentence by sentence", async () => {
      const files = example(); // of its own: what the first one left out is recorded as rejected
      const { page, panel } = await overleaf.project(files);
      await connected(panel);
      for (const name of ["Papers", "Section", "Check"]) {
        await panel.getByRole("tab", { name }).press("ArrowRight");
      }
      await panel.getByLabel("A question to the papers").fill("What do graph attention networks replace?");
      await press(panel, "Ask");
      await panel.locator("#view blockquote").first().waitFor({ timeout: LONG });
      assert.equal(await panel.locator("#view .problem").count(), 0);
      assert.equal(await panel.getByLabel("A question to the papers").inputValue(), "", "the question stands above its answer");
      await overleaf.shoot(panel, "ask");
      await panel.getByRole("tab", { name: "Section" }).click();
      await press(panel, "Write related work");
      await accepted(panel);
      await panel.getByText(/^Wrote the section at /).waitFor({ timeout: LONG });
      await panel.locator("#view article blockquote").first().waitFor({ timeout: LONG });
      for (const quotation of await panel.locator("#view article .quotation").all()) {
        assert.match(await quotation.innerText(), /\w+[^]*\n[^]*\w+/, "words and their place");
      }
      assert.doesNotMatch(await panel.locator("#view article").first().innerText(), /\\/);
      await overleaf.shoot(panel, "sources");
      const cards = panel.locator("#view article.sentence-card");
      await cards.first().getByRole("button", { name: "Accept", exact: true }).click();
      await panel.locator("article.accepted").first().waitFor({ timeout: LONG });
      const whole = files.get("related.tex");
      await cards.nth(1).getByRole("button", { name: "Reject" }).click();
      await panel.locator("article.rejected").waitFor({ timeout: LONG });
      assert(files.get("related.tex").length < whole.length - 40, "it went from the file");
      await panel.evaluate(() => window.scrollTo({ top: 0 }));
      await overleaf.shoot(panel, "decided");
      await panel.locator("article.rejected").getByRole("button", { name: "Undo" }).click();
      await panel.locator("article.rejected").waitFor({ state: "detached", timeout: LONG });
      assert.equal(files.get("related.tex"), whole);
      await press(panel, "Accept all");
      await panel.getByText("Accept all of them, unread?").waitFor();
      await press(panel, "Cancel");
      assert.equal(await panel.locator("article.accepted").count(), 1, "it asks first");
      await cards.nth(1).getByRole("button", { name: "Edit" }).click();
      await until(async () => /\\cite/.test(await page.evaluate(() => window.cursorLine())), () => "the sentence is not shown");
      await page.getByRole("treeitem", { name: "main.tex" }).click();
      await connected(panel);
      await begin(page, "HARP coarsens a graph before it embeds the nodes. ");
      await panel.getByRole("tab", { name: "Audit" }).click();
      await press(panel, "Audit the draft");
      await panel.locator("#view article.finding", { hasText: "HARP" }).waitFor({ timeout: LONG });
      await panel.locator("#view .account").waitFor({ timeout: LONG });
      assert.equal(await panel.locator("#view .problem").count(), 0);
      assert.equal(await panel.getByRole("button", { name: "Undo" }).count(), 0, "that is of another tab");
      await panel.getByText(/\d+ of \d+ entries could not be compared with a record\.$/).waitFor();
      await overleaf.shoot(panel, "audit");
      await panel.getByText("What was checked, and what was not").click();
      await overleaf.shoot(panel, "audit-checked");
      await dark(page, panel);
      await overleaf.shoot(panel, "audit-dark");
      await page.close();
      await panel.close();
    });
  });

  it("follows what is typed while it still looks for the path of the document", async () => {
    const files = example();
    files.set("main.tex", files.get("main.tex").replace("\\end{document}", "\\input{parts/early}\n\\end{document}"));
    files.set("parts/early.tex", "Early. ");
    let release;
    const isReleased = new Promise((resolve) => (release = resolve));
    const hold = async (route) => {
      await isReleased;
      await route.fallback();
    };
    await overleaf.context.route("**/download/zip", hold);
    const { page, panel } = await overleaf.project(files, { open: "parts/early.tex" });
    await page.evaluate(() => window.cursorTo("Early. "));
    await typed(page, "Typed before \\cite{nobody1999} it is known. ");
    assert.equal(await page.locator(".citeplug-mark").count(), 0);
    release();
    await panel.getByText("parts/early.tex ·").waitFor({ timeout: LONG });
    const mark = page.locator(".citeplug-mark.citeplug-error", { hasText: "nobody1999" });
    await mark.waitFor({ timeout: LONG });
    assert.equal(await mark.innerText(), "nobody1999", "the server has every letter, and at its place");
    await overleaf.context.unroute("**/download/zip", hold);
    await page.close();
    await panel.close();
  });

  it("lets the author type while citeplug is slow, gone, or begins anew, and goes on by itself", async () => {
    const { page, panel } = await overleaf.project(example());
    await connected(panel);
    companion.signal("SIGSTOP");
    await begin(page, "Slow \\cite{");
    await options(page).first().waitFor(); // the editor's own completion does not wait
    await typed(page, "x}. ");
    assert((await shown(page)).includes("Slow \\cite{x}. "));
    companion.signal("SIGCONT");
    await companion.stop();
    await panel.getByText("citeplug is not running").waitFor({ timeout: LONG });
    await overleaf.shoot(panel, "offline");
    await typed(page, "Alone. ");
    companion = await Companion.start(port);
    assert.equal(companion.code, undefined, "it is paired already");
    await press(panel, "Try again").catch(() => undefined); // it may have been faster
    await connected(panel);
    await typed(page, "Again \\cite{nobody1999}");
    await page.locator(".citeplug-mark", { hasText: "nobody1999" }).waitFor();
    assert((await shown(page)).includes("Alone. Again"));
    await page.close();
    await panel.close();
  });

  it("serves two projects in two tabs, each with its own text", async () => {
    const [first, second] = [example(), example()];
    second.set("main.tex", second.get("main.tex").replace("\\end{document}", "Only here \\cite{second2002}.\n\\end{document}"));
    const tabs = [await overleaf.project(first), await overleaf.project(second)];
    for (const { panel } of tabs) {
      await connected(panel);
      await panel.getByRole("tab", { name: "Check" }).click();
    }
    for (const [number, { page }] of tabs.entries()) {
      await page.bringToFront();
      await begin(page, `Both \\cite{tab${number}key}. `);
    }
    for (const [number, { page, panel }] of tabs.entries()) {
      await panel.locator("article.error", { hasText: `tab${number}key` }).waitFor();
      assert.equal(await panel.locator("article", { hasText: `tab${1 - number}key` }).count(), 0);
      assert.equal(await panel.locator("article", { hasText: "second2002" }).count(), number);
      assert(!(await shown(page)).includes(`tab${1 - number}key`));
    }
    for (const { page, panel } of tabs) {
      await page.close();
      await panel.close();
    }
  });

  it("sends a language model nothing before its price is accepted, then writes with it, and keeps all that two authors type meanwhile", async () => {
    const files = example();
    const project = await overleaf.project(files, { shared: true });
    const { page, panel } = project;
    await connected(panel);
    const before = files.get("main.tex");
    const second = await overleaf.join(project);
    await page.bringToFront();
    await page.evaluate(() => window.cursorTo("\\end{document}", false));
    await typed(page, "Mine before. ");
    await panel.getByRole("tab", { name: "Section" }).click();
    await panel.getByText("Nothing leaves this machine").click();
    await panel.getByLabel("Language model").fill("anthropic:claude-opus-5-5");
    await panel.getByLabel("Language model").blur();
    await press(panel, "Write related work");
    const asked = panel.getByRole("region", { name: "Question" });
    await asked.waitFor({ timeout: LONG });
    await overleaf.shoot(panel, "consent");
    assert.match(await asked.innerText(), /To\s+anthropic:claude-opus-5-5 \(http:.*What\s+Title.*Price\s+About \$\d.*Limit\s+at most \$/s);
    const [, price] = /About \$([\d.]+)/.exec(await asked.innerText());
    const prefilled = Number(await asked.getByLabel("Limit in dollars").inputValue());
    assert(prefilled >= 2 * price && prefilled < 2 * price + 0.11, "the limit is twice the price, rounded up");
    await asked.getByRole("button", { name: "Do not send" }).click();
    await panel.locator("#view .problem").waitFor({ timeout: LONG });
    assert.deepEqual(service.sent, [], "refused, nothing is sent");
    await press(panel, "Write related work");
    await asked.getByLabel("Limit in dollars").fill("5", { timeout: LONG });
    await asked.getByRole("button", { name: "Send", exact: true }).click();
    await proposed(panel);
    await second.bringToFront();
    await second.evaluate(() => window.cursorTo("\\begin{document}"));
    const theirs = "The second author writes on and on, whatever the first one does. ";
    await Promise.all([second.keyboard.type(theirs, { delay: 40 }), acceptance(panel).dispatchEvent("click")]);
    await panel.getByText(/^Wrote the section at /).waitFor({ timeout: LONG });
    await page.bringToFront();
    await page.evaluate(() => window.cursorTo("\\end{document}", false));
    await typed(page, "Mine after. ");
    const texts = async () => [files.get("main.tex"), ...(await Promise.all([page, second].map(shown)))];
    await until(async () => new Set(await texts()).size === 1, texts, LONG);
    const now = files.get("main.tex");
    assert(now.includes(theirs) && now.includes("Mine before. ") && now.includes("Mine after. "));
    const rest = [theirs, "Mine before. ", "Mine after. "].reduce((text, part) => text.replace(part, ""), now).split("\n");
    assert(before.split("\n").every((line) => rest.includes(line) || /bibliography/.test(line)), "the author's lines stay");
    assert.equal(now.match(/\\input\{related\}/g).length, 1);
    assert.equal(await panel.evaluate(async () => (await chrome.storage.local.get("limit")).limit), "5.00");
    assert(service.sent.length > 0);
    assert.match(files.get("related.tex"), /citeplug:begin/);
    await panel.evaluate(() => chrome.storage.local.remove(["llm", "limit", "price"]));
    await second.close();
    await page.close();
    await panel.close();
  });

  it("reads where it may not write, and offers copies", async () => {
    for (const limited of [{ hook: false }, { readOnly: true }]) {
      const files = example();
      const before = new Map(files);
      const { page, panel } = await overleaf.project(files, limited);
      await panel.getByText(limited.readOnly ? "You may only read this project" : "citeplug cannot write").waitFor({ timeout: LONG });
      if (limited.hook === false) {
        await panel.getByRole("tab", { name: "Section" }).click();
        await press(panel, "Write related work");
        const asked = panel.getByRole("button", { name: "Insert after it" });
        const heading = panel.getByRole("heading", { name: "related.tex (new)" });
        await asked.or(heading).waitFor({ timeout: LONG });
        if (await asked.isVisible()) {
          await asked.click();
        }
        await heading.waitFor({ timeout: LONG });
        assert.equal(await acceptance(panel).count(), 0);
        const saving = panel.waitForEvent("download");
        await panel.getByRole("region", { name: "related.tex (new)" }).getByRole("button", { name: "Download" }).click();
        assert.equal((await saving).suggestedFilename(), "related.tex");
        await panel.bringToFront();
        await panel.getByRole("region", { name: "related.tex (new)" }).getByRole("button", { name: "Copy" }).click();
        assert.match(await panel.evaluate(() => navigator.clipboard.readText()), /citeplug:begin/);
        await press(panel, "Discard");
        await panel.getByText("Nothing was written.").waitFor();
      }
      assert.deepEqual(files, before);
      await page.close();
      await panel.close();
    }
  });

  it("follows a document in a folder, and one of 2 MB while it is typed in", async () => {
    const files = example();
    const filler = "A sentence of a very long thesis, which says nothing at all about graphs.\n".repeat(28_000);
    files.set("main.tex", files.get("main.tex").replace("\\end{document}", "\\input{parts/long}\n\\end{document}"));
    files.set("parts/long.tex", `${filler}Here \\cite{`);
    const { page, panel } = await overleaf.project(files, { open: "parts/long.tex" });
    await panel.getByText("parts/long.tex ·").waitFor({ timeout: LONG });
    assert(files.get("parts/long.tex").length > 2_000_000);
    await warm(panel);
    await page.evaluate(() => window.cursorTo("Here \\cite{"));
    await typed(page, "atten");
    await page.locator(".ol-cm-completion-citeplug").first().waitFor();
    const work = await page.evaluate(async () => {
      const start = performance.now();
      for (let round = 0; round < 20; round += 1) {
        window.remote("parts/long.tex", 0, "x");
      }
      return (performance.now() - start) / 20;
    });
    assert(work < 500, `${work} ms a change`);
    await page.close();
    await panel.close();
  });

  it("tells nothing to another page or another extension", async () => {
    const id = await overleaf.extensionId();
    await overleaf.context.route("https://evil.example/**", (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html><title>evil</title>" }));
    const stranger = overleaf.context.serviceWorkers().find((each) => !each.url().includes(id)) ?? (await overleaf.context.waitForEvent("serviceworker"));
    for (const address of ["https://evil.example/project/0123456789abcdef01234567", `chrome-extension://${new URL(stranger.url()).host}/other.html`]) {
      const page = await overleaf.context.newPage();
      await page.goto(address);
      const got = await page.evaluate(
        async ([to, panel, extension]) => {
          const reached = [];
          await new Promise((resolve) => {
            const socket = new WebSocket(to.replace("http", "ws"));
            socket.onopen = () => reached.push("socket");
            socket.onclose = socket.onerror = resolve;
          });
          await fetch(to).then((reply) => reply.ok && reached.push("fetch"), () => undefined);
          await fetch(`${panel}/panel.js`).then(() => reached.push("files of the extension"), () => undefined);
          await new Promise((resolve) => {
            try {
              const port = chrome.runtime.connect(extension, { name: "panel" });
              port.onMessage.addListener(() => reached.push("worker"));
              port.onDisconnect.addListener(resolve);
              port.postMessage({ kind: "look", tab: 1 });
            } catch {
              resolve();
            }
          });
          return reached;
        },
        [`http://127.0.0.1:${port}/`, `chrome-extension://${id}`, id],
      );
      assert.deepEqual(got, [], address);
      await page.close();
    }
  });

  it("leaves no error in the page or in the panel", () => {
    // Where citeplug was gone, the browser notes that no connection came to be.
    assert.deepEqual(overleaf.errors.filter((error) => !/ERR_CONNECTION_REFUSED|404/.test(error)), []);
  });
});

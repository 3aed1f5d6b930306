/** The extension in a page with Overleaf's own client, at Overleaf's own real-time server and document updater. */

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Companion, example, freePort, HOST, Overleaf } from "./overleaf-page.mjs";
import { Peer } from "./overleaf-peer.mjs";
import { LONG, until } from "./workbench.mjs";

const BIB = "references.bib";
const QUESTION = "How far a node should look depends on where it";
const GATE = "a gate that learns a propagation depth for each node";
const END = "\\bibliography{"; // a comment whose very end the section's entries are put behind
const DOI = "{10.1109/TNN.2008.2005605}";
const TITLE = "{The Graph Neural Network Model}";
const shown = (page) => page.evaluate(() => window.shown());
const press = (panel, name) => panel.getByRole("button", { name, exact: true }).click();
/** Add the entry of the paper that was cited last, which stands among the papers. */
const addEntry = async (panel) => {
  await panel.getByRole("tab", { name: "Papers" }).click();
  await panel.locator(".missing").getByRole("button", { name: "Add entry" }).last().click();
};
const acceptance = (panel) => panel.getByRole("button", { name: /^(Write|Apply) \d/ });
const count = (text, part) => text.split(part).length - 1;
/** Write behind a text of the shown document. */
async function write(page, behind, text) {
  await page.evaluate((place) => window.cursorTo(place), behind);
  await page.keyboard.type(text, { delay: 15 });
  // What is not there now was lost between keyboard and editor, before anything was sent.
  await page.waitForFunction((words) => window.shown().includes(words), text);
}

describe("the extension beside Overleaf's own servers", { concurrency: false }, () => {
  let [peer, companion, overleaf, others, project, page, panel, author, coauthor] = [];

  /** Wait until both have sent everything and have all of the other; what the document updater has then. */
  async function settled(path) {
    const state = async () => {
      const texts = [await shown(page), await shown(coauthor), (await peer.truth(project, path)).text];
      const isSaved = await Promise.all([page, coauthor].map((each) => each.evaluate(() => window.isSaved())));
      return { isSaved, texts };
    };
    await until(
      async () => {
        const { texts, isSaved } = await state();
        return isSaved.every(Boolean) && texts.every((text) => text === texts[0]);
      },
      async () => JSON.stringify({ ...(await state()), problems: await Promise.all([page, coauthor].map((each) => each.evaluate(() => window.problems))) }),
      LONG, // Overleaf's client tries again after seconds only
    );
    for (const each of [page, coauthor]) {
      assert.deepEqual(await each.evaluate(() => window.problems), [], "Overleaf's client has nothing to complain of");
    }
    return peer.truth(project, path);
  }
  /** Every comment is on the text it was made on. */
  function commentsAreOn({ text, comments }, ...texts) {
    assert.deepEqual(comments.map(({ c }) => c).sort(), [...texts].sort());
    for (const { c, p } of comments) {
      assert.equal(text.slice(p, p + c.length), c);
    }
  }
  /** What the author's page sent of a document: the signs that were put in and those that were taken out. */
  function sent(id) {
    return peer.sent(author, id).reduce(([put, taken], { i = "", d = "" }) => [put + i, taken + d], ["", ""]);
  }
  /** Cite a paper that has no entry yet, the last one offered of `which`; its key. */
  async function cite(word, on = page, which = {}) {
    await on.evaluate(() => window.cursorTo("before training."));
    await on.keyboard.type(` Attention weighs the neighbors of a node \\cite{${word}`);
    const offered = on.locator("completion-section", { hasText: "Adds an entry" });
    const isOffered = () => offered.waitFor({ timeout: 5_000 }).then(() => true, () => on.keyboard.press("Control+Space"));
    await until(isOffered, async () => `no paper fits ${word}: ${await on.locator(".cm-tooltip").allInnerTexts()}`, LONG); // on a busy machine papers come later than the list
    const paper = on.locator(".ol-cm-completion-citeplug", which).last(); // those without an entry come last
    await on.waitForTimeout(200);
    await paper.click();
    return /before training\. Attention weighs the neighbors of a node \\cite\{([^{}\s]+)/.exec(await shown(on))[1];
  }
  /** What is cited before the catalogue is loaded is completed by the author's own keys. */
  async function warm(own) {
    await own.getByLabel("Title, authors, words").fill("attention");
    await press(own, "Search");
    await own.locator("article").first().waitFor({ timeout: LONG });
  }
  /**
   * The co-author is connected again, then the author. Where they are at the same time, Overleaf loses text without any
   * extension: its real-time server puts a page into the room of a document before it asks for what the page has missed
   * (`joinDoc`), so an operation of the other can come twice, and `catchUp` gives it a new version rather than drop it. The
   * page is one version ahead then, and its next operation ends both with "Op at future version".
   */
  async function reconnect() {
    for (const [each, session] of [[coauthor, coauthor.session], [page, undefined]]) {
      peer.mend(session);
      await each.evaluate(() => window.reconnect());
      await until(() => each.evaluate(() => window.isSaved()), () => "it is not connected again", LONG);
    }
  }
  before(async () => {
    const port = await freePort();
    peer = await Peer.start();
    [companion, overleaf, others] = await Promise.all([Companion.start(port), Overleaf.open({ site: peer }), Overleaf.open({ site: peer })]);
    project = await overleaf.project(example());
    ({ page, panel } = project);
    await panel.getByLabel("Code").fill(companion.code);
    await press(panel, "Pair");
    await panel.getByText("main.tex ·").waitFor({ timeout: LONG });
    await warm(panel);
    author = await page.evaluate(() => window.author());
    coauthor = await others.join(project);
    await coauthor.waitForFunction(() => window.shown() !== "");
    coauthor.session = (await others.context.cookies(HOST)).find(({ name }) => name === "overleaf.sid").value;
  });
  after(async () => {
    await Promise.all([overleaf?.close(), others?.close()]);
    await companion?.stop();
    await peer?.stop();
  });

  it("writes the section while a co-author's words are on their way, and moves no comment", async () => {
    for (const text of [QUESTION, GATE, END]) {
      await coauthor.evaluate((on) => window.comment(on, crypto.randomUUID().replaceAll("-", "").slice(0, 24)), text);
    }
    const start = await settled("main.tex");
    commentsAreOn(start, QUESTION, GATE, END);
    await panel.getByRole("tab", { name: "Section" }).click();
    await press(panel, "Write related work");
    const asked = panel.getByRole("button", { name: "Insert after it" });
    const accepting = acceptance(panel);
    await asked.or(accepting).waitFor({ timeout: LONG });
    if (await asked.isVisible()) {
      await asked.click();
      await accepting.waitFor({ timeout: LONG });
    }
    peer.delayed.add(coauthor.session);
    await write(coauthor, QUESTION, " (the co-author asks)");
    await write(coauthor, "\\end{document}", "\n% the co-author ends");
    await accepting.click();
    await panel.getByText(/^Wrote the section at /).waitFor({ timeout: LONG });
    const written = await shown(page);
    assert(!written.includes("co-author"), "the words were on their way");
    peer.delayed.delete(coauthor.session);
    await write(page, "before training.", " And the author goes on.");
    const end = await settled("main.tex");
    for (const words of [" (the co-author asks)", "% the co-author ends", " And the author goes on.", "\\input{related}"]) {
      assert.equal(count(end.text, words), 1, `${words} in ${end.text}`);
    }
    commentsAreOn(end, QUESTION, GATE, END);
    const [put, taken] = sent(end.id);
    assert.equal(taken, "", "nothing is taken out where something is put in");
    assert.equal(put.length, written.length - start.text.length + " And the author goes on.".length);
    for (const [path, sign] of [["related.tex", "citeplug:begin"], ["related.bib", "eprint"]]) {
      const { text } = await peer.truth(project, path);
      assert(text.includes(sign), path);
    }
  });

  it("adds an entry to one file while both write in another", async () => {
    await cite("atten");
    const before = await peer.truth(project, BIB);
    const writing = write(coauthor, "\\end{document}", "\n% one long line that takes its time while an entry is asked for and added");
    await addEntry(panel);
    await until(async () => (await peer.truth(project, BIB)).text !== before.text, () => panel.locator("body").innerText(), LONG);
    await panel.getByText("main.tex ·").waitFor({ timeout: LONG });
    await Promise.all([writing, write(page, "before training.", " Both write.")]);
    const end = await settled("main.tex");
    assert.equal(count(end.text, "\n% one long line that takes its time while an entry is asked for and added"), 1);
    assert.equal(count(end.text, " Both write."), 1);
    commentsAreOn(end, QUESTION, GATE, END);
    const after = await peer.truth(project, BIB);
    const [put, taken] = sent(after.id);
    assert.equal(taken, "");
    assert.equal(put.length, after.text.length - before.text.length);
    assert(after.text.startsWith(before.text.trimEnd()), "what was there stays");
  });

  it("adds the entries of two authors at once, and of one paper a single entry", async () => {
    const theirs = await others.panel(coauthor);
    await theirs.evaluate((pairing) => chrome.storage.local.set(pairing), await panel.evaluate(() => chrome.storage.local.get(["token", "port"])));
    await coauthor.reload();
    await coauthor.waitForFunction(() => window.shown() !== "");
    await theirs.getByText("main.tex ·").waitFor({ timeout: LONG });
    await warm(theirs);
    const both = [panel, theirs];
    const text = async () => (await peer.truth(project, BIB)).text;
    const before = await text();
    const first = await cite("convol");
    await settled("main.tex");
    const second = await cite("learn", coauthor, { hasNotText: first });
    assert.notEqual(first, second);
    await Promise.all(both.map(addEntry));
    for (const key of [first, second]) {
      await until(async () => (await text()).includes(`{${key},`), text, LONG);
    }
    for (const own of both) {
      await own.getByText("main.tex ·").waitFor({ timeout: LONG }); // the author's file is shown again
    }
    const added = await text();
    assert(added.startsWith(before.trimEnd()), "what was there stays");
    const third = await cite("networ");
    await settled("main.tex");
    assert.equal(await cite("networ", coauthor, { hasText: third }), third);
    await addEntry(panel);
    await until(async () => (await text()).includes(`{${third},`), text, LONG);
    await addEntry(theirs);
    await theirs.locator(".missing").waitFor({ state: "detached", timeout: LONG });
    await Promise.all(both.map((own) => own.getByText("main.tex ·").waitFor({ timeout: LONG })));
    // In the same moment neither sees the other's entry: both are written, and the second goes again.
    const fourth = await cite("embed", page, { hasNotText: third });
    await settled("main.tex");
    assert.equal(await cite("embed", coauthor, { hasText: fourth }), fourth);
    await Promise.all(both.map(addEntry));
    await until(async () => (await text()).includes(`{${fourth},`), text, LONG);
    await page.waitForTimeout(6_000);
    await until(async () => count(await text(), `{${fourth},`) === 1, text, LONG);
    await Promise.all(both.map((own) => own.getByText("main.tex ·").waitFor({ timeout: LONG })));
    const end = await settled("main.tex");
    const entries = await text();
    for (const [key, times] of [[first, 1], [second, 1], [third, 2], [fourth, 2]]) {
      assert.equal(count(end.text, `\\cite{${key}`), times, key);
      assert.equal(count(entries, `{${key},`), 1, key);
    }
    assert(entries.startsWith(added.trimEnd()), "what was there stays");
    commentsAreOn(end, QUESTION, GATE, END);
    await theirs.close();
  });

  it("edits the shown file without a connection, and sends it once when there is one", async () => {
    await cite("graph");
    await panel.locator(".missing").getByRole("button", { name: "Add entry" }).last().waitFor();
    for (const each of [page, coauthor]) {
      await each.getByRole("treeitem", { name: BIB }).click();
      await each.waitForFunction((title) => window.shown().includes(title), TITLE);
    }
    await panel.getByText(`${BIB} ·`).waitFor();
    await coauthor.evaluate((on) => window.comment(on, "0123456789abcdef01234567"), TITLE);
    const start = await settled(BIB);
    peer.cut();
    await until(async () => !(await page.evaluate(() => window.isSaved())), () => "it is connected");
    await addEntry(panel);
    await page.waitForFunction((length) => window.shown().length > length, start.text.length);
    const added = (await shown(page)).length - start.text.length;
    await write(page, DOI, ", note = {by the author}");
    await write(coauthor, TITLE, ", note = {by the co-author}");
    assert.equal((await peer.truth(project, BIB)).text, start.text);
    await reconnect();
    const end = await settled(BIB);
    assert.equal(end.text.length, start.text.length + added + ", note = {by the author}, note = {by the co-author}".length);
    assert.equal(count(end.text, "{by the author}"), 1);
    assert.equal(count(end.text, "{by the co-author}"), 1);
    commentsAreOn(end, TITLE);
  });

  it("edits nothing without a connection where another file has to be opened, and says why", async () => {
    for (const each of [page, coauthor]) {
      await each.getByRole("treeitem", { name: "main.tex" }).click();
      await each.waitForFunction(() => window.shown().includes("\\end{document}"));
    }
    await cite("netw");
    const start = await settled("main.tex");
    peer.cut();
    await addEntry(panel);
    await panel.getByText("Overleaf cannot be reached").first().waitFor({ timeout: LONG });
    await write(page, "before training.", " Alone.");
    await reconnect();
    const end = await settled("main.tex");
    assert.equal(end.text, start.text.replace("before training.", "before training. Alone."));
  });
});

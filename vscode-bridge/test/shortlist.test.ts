import assert from "node:assert/strict";
import { it } from "node:test";

import { draftOf, findings, isDone, readChoices, readKey, readFound, readPreview, readShortlist } from "../src/answers.js";
import { asMarkdown, brief, choosing, details, grouped, heading, newerNotice, rechosen, sign, spoken } from "../src/shortlist.js";

const SAGE = {
  arxiv_id: "1706.02216",
  title: "Inductive Representation Learning on Large Graphs",
  authors: ["William L. Hamilton", "Rex Ying"],
  year: 2017,
  categories: ["cs.SI"],
  score: 0.8351,
  found_by: ["lexical", "dense"],
  key: "hamilton2017inductive",
  cited_as: "hamilton2017inductive",
  reasons: [
    { kind: "words", text: "shares with your abstract: sampling, nodes", of: "abstract", words: ["sampling", "nodes"], keys: [] },
    { kind: "citation", text: "like what you cite as kipf2017", of: "citations", words: [], keys: ["kipf2017"] },
  ],
  chosen: true,
  choice: null,
  verified: true,
};
const NEW = { arxiv_id: "1907.10903", title: "DropEdge", authors: [], year: null, score: null, found_by: [], key: null, chosen: false };

const papers = () => readShortlist({ done: true, papers: [SAGE, NEW] }) ?? [];

it("an answer without papers is no shortlist, and what is no paper in one is passed over", () => {
  for (const answer of [undefined, null, "no", [], { done: false, message: "it is not open" }, { papers: 3 }]) {
    assert.equal(readShortlist(answer), undefined);
  }
  assert.deepEqual(readShortlist({ papers: [null, 5, {}, { title: "without an id" }] }), []);
  assert.equal(readShortlist({ papers: [{ arxiv_id: "1", authors: "Ada", score: "high" }] })?.[0]?.title, "1");
});

it("papers stand by what they are for the section, in their order, and keep it while one chooses", () => {
  const all = papers();
  assert.deepEqual(grouped(all).map(({ title }) => title), ["Cited already", "More papers"]);
  const chosen = choosing(choosing(all, "1706.02216", "exclude"), "1907.10903", "pin");
  assert.deepEqual(grouped(chosen).map(({ title }) => title), ["Cited already", "More papers"]);
  assert.deepEqual(chosen.map((paper) => brief(paper).split(" · ")[0]), ["excluded", "pinned"]);
  const again = readShortlist({ papers: [{ ...SAGE, choice: "exclude" }, { ...NEW, choice: "pin" }] }) ?? [];
  assert.deepEqual(
    grouped(again).map(({ title, papers: some }) => [title, some.map(({ arxivId }) => arxivId)]),
    [
      ["Pinned", ["1907.10903"]],
      ["Excluded", ["1706.02216"]],
    ],
  );
  assert.deepEqual(grouped([]), []);
});

it("what only the section cites stands between what nothing cites and what the draft cites", () => {
  const other = { ...NEW, arxiv_id: "1806.01973", chosen: true };
  const all = readShortlist({ papers: [SAGE, { ...NEW, in_section: true }, other] }) ?? [];
  assert.deepEqual(grouped(all).map(({ title }) => title), ["Not cited yet", "New in the section", "Cited already"]);
  assert.ok(all[1] !== undefined && details(all[1]).includes("Cited in the section, not in your own text"));
  assert.deepEqual(grouped(readShortlist({ papers: [{ ...SAGE, in_section: true }] }) ?? []).map(({ title }) => title), ["Cited already"]);
});

it("what another program chooses is marked where the papers stand", () => {
  const choices = readChoices({ done: true, pin: ["1907.10903", "0704.0001"], exclude: ["1706.02216"] });
  assert.ok(choices !== undefined);
  const after = rechosen(choosing(papers(), "1907.10903", "exclude"), choices);
  assert.deepEqual(after.map(({ arxivId, choice }) => [arxivId, choice]), [
    ["1706.02216", "exclude"],
    ["1907.10903", "pin"],
  ]);
  assert.deepEqual(grouped(after).map(({ title }) => title), ["Cited already", "More papers"]);
  assert.equal(readChoices({ done: false, message: "the file is broken" }), undefined);
});

it("a paper is named as readers do, with its score, its title, and what is known of it", () => {
  const [sage, other] = papers();
  assert.ok(sage !== undefined && other !== undefined);
  assert.equal(brief(sage), "Hamilton and Ying 2017");
  assert.equal(brief({ ...sage, authors: [...sage.authors, "Jure Leskovec"], choice: "pin" }), "pinned · Hamilton et al. 2017");
  assert.equal(heading({ ...sage, title: "SAGE: Large Graphs", newer: true }), "↑ SAGE");
  assert.equal(brief(other), "arXiv:1907.10903");
  assert.deepEqual(details(sage), [
    "Inductive Representation Learning on Large Graphs",
    "William L. Hamilton, Rex Ying",
    "2017 · arXiv:1706.02216 · cs.SI",
    "Shares with your abstract: sampling, nodes",
    "Like what you cite as kipf2017",
    "Found by its words and its meaning",
    "Relevance 0.84",
    "Its record is complete and mentions no withdrawal",
    "Cited by your draft as hamilton2017inductive",
  ]);
  assert.ok(spoken(other).includes("Not verified") && spoken(other).includes("Not in your bibliography"));
});

it("the sign of a paper is that of its entry's check, where there was one", () => {
  const signs = [null, "verified", "differs", "unchecked"].map((verdict) => readShortlist({ papers: [{ ...SAGE, verdict }] })?.map(sign)[0]);
  assert.deepEqual(signs, ["circle-outline", "pass", "warning", "circle-outline"]);
});

it("a paper that is newer than the draft has a mark, which the title of the list explains", () => {
  const answer = { papers: [{ ...SAGE, newer: true }, NEW], draft_of: "2016" };
  const mark = newerNotice(draftOf(answer)).split(" ")[0] ?? "";
  assert.equal(newerNotice(draftOf(answer)), `${mark} newer than 2016`);
  assert.deepEqual((readShortlist(answer) ?? []).map((paper) => heading(paper).includes(mark)), [true, false]);
  assert.equal(newerNotice(draftOf({ papers: [] })), "");
});

it("an entry that nothing cites is said to be one, and reasons that are none are passed over", () => {
  const odd = { ...SAGE, cited_as: null, reasons: [null, 3, { kind: "words" }, { text: 5 }, { text: "like" }] };
  const [uncited] = readShortlist({ papers: [odd] }) ?? [];
  assert.ok(uncited !== undefined);
  assert.equal(heading(uncited), "Inductive Representation Learning on Large Graphs");
  assert.ok(details(uncited).includes("In your bibliography as hamilton2017inductive, not cited yet"));
  assert.deepEqual(uncited.reasons, ["like"]);
  assert.deepEqual(readShortlist({ papers: [{ ...SAGE, reasons: "many" }] })?.[0]?.reasons, []);
});

it("a debate has its probability and a line for each argument, which is no part of what is read out of a row", () => {
  const argument = { argument: "It samples nodes too.", quote: "sampling a node's neighbourhood" };
  const debate = { probability: 82.5, for: [argument, null, "none"], against: [{ ...argument, argument: "It is inductive." }, { argument: "It quotes nothing." }] };
  const [debated] = readShortlist({ papers: [{ ...SAGE, debate }] }) ?? [];
  assert.ok(debated !== undefined);
  assert.deepEqual(debated.debate, [
    "Debated by a model: cited with probability 82.5 %",
    "For: It samples nodes too. “sampling a node's neighbourhood”",
    "Against: It is inductive. “sampling a node's neighbourhood”",
  ]);
  assert.ok(debated.debate.every((line) => details(debated).includes(line)));
  assert.ok(!spoken(debated).includes("It samples nodes too"));
  for (const none of [null, undefined, 3, "yes", { probability: null, for: null }]) {
    assert.deepEqual(readShortlist({ papers: [{ ...SAGE, debate: none }] })?.[0]?.debate, []);
  }
});

it("a run that changes nothing has no changes, and one that failed is none", () => {
  assert.deepEqual(readPreview({ done: false, changes: [], findings: [] }), { id: "", changes: [], findings: [], sentences: [], sourced: [] });
  assert.equal(readPreview({ done: false, message: "there is no catalogue" }), undefined);
  const change = { uri: "file:///p/related.tex", before: null, after: "% citeplug: 2\n" };
  const at = { place: "p1:2", line: 3, character: 0, end_line: 4, end_character: 7 };
  const sentences = [{ ...at, doubt: "not supported by its sources", sources: [{ arxiv_id: null, name: "Your draft" }] }, { place: "p1:3" }];
  assert.deepEqual(readPreview({ done: true, preview: "7", changes: [change, { uri: 3 }], findings: [{ code: "a", message: "b", fix: "c" }], sentences: sentences.slice(0, 1) }), {
    id: "7",
    changes: [{ ...change, before: "" }],
    findings: [{ code: "a", message: "b", fix: "c" }],
    sentences: [{ place: "p1:2", line: 3, character: 0, endLine: 4, endCharacter: 7, verdict: "review" }],
    sourced: [
      {
        place: "p1:2",
        accepted: false,
        close: "",
        doubt: "not supported by its sources",
        sources: [{ arxivId: "", record: "", name: "Your draft", title: "", place: "", parts: [] }],
      },
    ],
  });
  assert.deepEqual(readPreview({ changes: [], sentences })?.sentences.map(({ place }) => place), ["p1:2"]);
});

it("what an answer does not say is not made up", () => {
  assert.equal(isDone({ done: "yes" }), false);
  assert.equal(readKey({ key: null }), undefined);
  assert.deepEqual(findings({ findings: "none" }), []);
});

it("a paper that a search found says who wrote it, whether the draft has it, and how its abstract begins", () => {
  const long = { ...SAGE, cited: true, key: "sage", abstract: `Low-dimensional ${"embeddings ".repeat(40)}` };
  const [first, second, ...none] = readFound({ done: true, papers: [long, { ...NEW, abstract: "Deep." }, { title: "no id" }, 3] });
  assert.equal(first?.by, "Hamilton and Ying 2017 · cited as sage");
  assert.ok(first.about.startsWith("Low-dimensional") && first.about.endsWith(" …") && first.about.length < 230);
  assert.deepEqual(second, { arxivId: "1907.10903", title: "DropEdge", by: "", about: "Deep." });
  assert.deepEqual(none, []);
  const three = { ...SAGE, key: null, authors: [...SAGE.authors, "Jure Leskovec"] };
  assert.deepEqual(readFound({ papers: [three] }, "Lesko graphs").map(({ by }) => by), ["Hamilton et al., Leskovec 2017"]);
  assert.deepEqual(readFound(undefined), []);
});

it("other people's text is neither markup nor a link in a tooltip, and its words stay apart", () => {
  assert.equal(asMarkdown("two  words,\n1. [x](y) <b> $(alert)"), "two words\\, 1\\. \\[x\\]\\(y\\) \\<b\\> \\$\\(alert\\)");
  assert.doesNotMatch(asMarkdown("https://a.b www.c.d mailto:e@f"), /:\\\/\\\/a|www\\\.c|mailto\\:e/);
});

import assert from "node:assert/strict";
import { it } from "node:test";

import { readAnswered, readPassage, readTurns } from "../src/answers.js";
import { conversation, passage } from "../src/conversation.js";

const PAPER = "1706.02216";
const said = {
  done: true,
  answer: "a1",
  question: "Why?",
  sentences: [
    { text: "One.", shown: "“One.”", remark: "", citations: [{ paper: PAPER, place: "abstract", quote: "One.", beside: null }] },
    { text: "Two.", remark: "conflict: another", citations: [{ paper: PAPER, place: "p. 2", quote: "Second.", beside: "Second." }] },
  ],
  nearest: [],
  references: { [PAPER]: "W. Hamilton. Graphs" },
  looked: "2 papers",
  model: null,
};

it("an answer shows each quotation once, its places, and what speaks against a sentence", () => {
  const html = conversation(readTurns({ turns: [said] }));
  assert.equal(html.split("One.").length - 1, 1);
  assert.equal(html.split("Second.").length - 1, 1);
  for (const part of ["[1, abstract]", "conflict: another", "Searched 2 papers; in the papers' own words", `href="https://arxiv.org/abs/${PAPER}"`]) {
    assert(html.includes(part), part);
  }
});

it("a refusal shows the passages nearest to the question, and which papers they are from", () => {
  const html = conversation([readAnswered({ ...said, sentences: [], nearest: [{ paper: PAPER, place: "p. 3", quote: "Near." }] })].flatMap((each) => each ?? []));
  for (const part of ["None of these papers answers that", "Near.", 'data-number="0"', "[1, p. 3]", "<li>W. Hamilton. Graphs"]) {
    assert(html.includes(part), part);
  }
});

it("nothing that papers, questions or models say is markup", () => {
  const bad = `<img src=x onerror="1">'&`;
  const citation = { paper: `${PAPER}"><a href="x`, place: bad, quote: bad, beside: bad };
  const sentences = [{ text: bad, shown: bad, remark: bad, citations: [citation] }];
  const all = { ...said, answer: bad, question: bad, sentences, references: { [citation.paper]: bad }, looked: bad, model: bad };
  const html =
    conversation(readTurns({ turns: [all, { ...all, sentences: [], nearest: [citation] }] })) +
    passage(readPassage({ title: bad, place: bad, parts: [{ text: bad, marked: true }], found: false }) ?? assert.fail());
  assert(!/<img|<a |="[^"]*<|&(?!#)/.test(html), html);
});

it("what is of another shape is no answer", () => {
  for (const odd of [undefined, null, 7, {}, { done: false, message: "no" }, { answer: "a1" }, { answer: 3, sentences: [] }]) {
    assert.equal(readAnswered(odd), undefined);
    assert.equal(readPassage(odd), undefined);
    assert.deepEqual(readTurns(odd), []);
  }
  assert.deepEqual(readAnswered({ answer: "a1", sentences: [3] })?.sentences, [{ text: "", remark: "", citations: [] }]);
});

import assert from "node:assert/strict";
import { it } from "node:test";

import { readAnswered } from "../src/answers.js";

it("an answer has its sentences with what speaks against them", () => {
  const sentences = [
    { text: "One.", status: "supported", doubt: null },
    { text: "Two.", shown: "“Two.”", status: "conflict", doubt: null },
    { text: "Three.", status: "weak", doubt: "borne out in part" },
  ];
  const said = { done: true, answer: "a1", markdown: "# Why?", refused: false, sentences };
  assert.deepEqual(readAnswered(said), {
    id: "a1",
    markdown: "# Why?",
    sentences: [
      { text: "One.", doubt: "" },
      { text: "“Two.”", doubt: "conflict" },
      { text: "Three.", doubt: "borne out in part" },
    ],
  });
});

it("a refusal is an answer without sentences, and what is of another shape is none", () => {
  assert.deepEqual(readAnswered({ answer: "a1", markdown: "No.", sentences: [] })?.sentences, []);
  for (const said of [undefined, null, 7, {}, { done: false, message: "no" }, { answer: "a1" }, { answer: 3, sentences: [] }]) {
    assert.equal(readAnswered(said), undefined);
  }
  assert.deepEqual(readAnswered({ answer: "a1", sentences: [3, {}] })?.sentences, [
    { text: "", doubt: "" },
    { text: "", doubt: "" },
  ]);
});

import assert from "node:assert/strict";
import { it } from "node:test";

import { hiddenParts, planFolds, planLines } from "../src/section.js";

const SECTION = `% citeplug: 2
% citeplug:begin p1 sentences=2 words=50
% citeplug:heading Graphs
% citeplug:1 describe one [1705.05615]
\\paragraph{Graphs.}
A sentence. % a comment of mine
% citeplug:end p1 sha256=01ae3446

  %citeplug:begin p2
% citeplug:end p2 sha256=01ae3446
% a comment of mine
`;

it("the lines that are citeplug's own are told from the author's", () => {
  assert.deepEqual(planLines(SECTION), [0, 1, 2, 3, 6, 8, 9]);
  assert.deepEqual(planLines(SECTION.replaceAll("\n", "\r\n")), [0, 1, 2, 3, 6, 8, 9]);
});

it("a plan is folded behind the line that begins its paragraph, where there is one", () => {
  assert.deepEqual(planFolds(SECTION), [{ name: "p1", start: 1, end: 3 }]);
  assert.deepEqual(planFolds("Text.\n% A comment\n"), []);
});

it("the lines that begin and end a paragraph are hidden, and the mark of each line of a plan; its words, and the author's lines, are not", () => {
  assert.deepEqual(hiddenParts(SECTION), [
    { line: 1, start: 0, end: 40, label: "Plan: 2 sentences, about 50 words" },
    { line: 2, start: 0, end: 19, label: "Heading: " },
    { line: 3, start: 0, end: 11, label: "" },
    { line: 6, start: 0, end: 33, label: "" },
    { line: 8, start: 0, end: 20, label: "Plan" },
    { line: 9, start: 0, end: 33, label: "" },
  ]);
  assert.deepEqual(hiddenParts("% citeplug: breadth=3\nText.\n"), []);
});

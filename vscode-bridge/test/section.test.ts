import assert from "node:assert/strict";
import { it } from "node:test";

import { planFolds, planLines } from "../src/section.js";

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
  assert.deepEqual(planFolds(SECTION), [[1, 3]]);
  assert.deepEqual(planFolds("Text.\n% A comment\n"), []);
});

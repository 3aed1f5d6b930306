import assert from "node:assert/strict";
import { it } from "node:test";

import { Lines, lastWords, words } from "../src/progress.js";
import { readProposal } from "../src/proposal.js";
import { show } from "../src/state.js";
import { isChecked, summary } from "../src/verdicts.js";

it("a check is told by its verdicts, the good ones first", () => {
  const verdicts = { unchecked: 2, verified: 5, differs: 1 };
  assert.equal(summary({ verdicts, worst: "error" }), "8 entries: 5 verified, 1 different from their record, 2 not checked.");
  assert.equal(summary({ verdicts: { verified: 1 }, worst: "none" }), "1 entry: 1 verified.");
  assert.equal(summary({ verdicts: {}, worst: "none" }), "The bibliography has no entries.");
});

it("an answer that is no check is known for none", () => {
  assert.ok(isChecked({ done: true, verdicts: {}, worst: "none" }));
  for (const answer of [undefined, null, "no", { done: false, message: "it is not open" }]) {
    assert.ok(!isChecked(answer));
  }
});

it("a stage that an author's text is part of makes no picture in the status bar", () => {
  assert.ok(!show({ kind: "starting" }, { title: "Writing", stage: "$(trash) x" }).text.includes("$(trash)"));
});

it("progress is told by its stage, and by a share where the whole is known", () => {
  const seen = new Lines();
  assert.deepEqual(seen.take('{"stage": "search", "done": 1, "total": 4}\n{"sta'), [{ stage: "search", done: 1, total: 4 }]);
  assert.deepEqual(seen.take('ge": "write", "done": 0, "total": null}\nnote: no word of ours\n'), [
    { stage: "write", done: 0, total: null },
  ]);
  assert.equal(words({ stage: "search", done: 1, total: 4 }), "search 25 %");
  assert.equal(words({ stage: "write", done: 3, total: null }), "write");
  assert.equal(seen.rest, "note: no word of ours\n");
});

it("a program's last words are told, without control characters", () => {
  assert.equal(lastWords("warning: x\nerror: no \u001b[31mpapers\n  hint: take some in\n"), "error: no [31mpapers hint: take some in");
  assert.equal(lastWords(""), "it said nothing");
});

it("an answer is a proposal only if it has what is shown and written", () => {
  const answer = { tex: "/p/related.tex", bib: "/p/related.bib", tex_content: "a", bib_content: "b" };
  assert.ok(readProposal(JSON.stringify(answer)) !== undefined);
  assert.equal(readProposal(JSON.stringify({ ...answer, bib: null })), undefined);
  assert.equal(readProposal("no JSON"), undefined);
});

import assert from "node:assert/strict";
import { it } from "node:test";

import { show } from "../src/state.js";
import { isChecked, summary } from "../src/verdicts.js";

it("a check is told by its verdicts, the good ones first", () => {
  const verdicts = { unchecked: 2, verified: 5, differs: 1 };
  assert.equal(summary({ verdicts, worst: "error" }), "8 entries: 5 verified, 1 different from the record, 2 not checked.");
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

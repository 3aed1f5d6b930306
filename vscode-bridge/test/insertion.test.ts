import assert from "node:assert/strict";
import { it } from "node:test";

import { citing, type Insertion, isPlan, planning, takingBack } from "../src/insertion.js";

const put = (line: string, { start, end, text }: Insertion): string => line.slice(0, start) + text + line.slice(end);

/** A line with `|` where the cursor is. */
function cited(marked: string): string {
  const line = marked.replace("|", "");
  return put(line, citing(line, marked.indexOf("|"), "new"));
}

it("a key joins the citation in which the cursor stands", () => {
  assert.equal(cited("As shown|."), "As shown\\cite{new}.");
  assert.equal(cited("As \\citep{|}."), "As \\citep{new}.");
  assert.equal(cited("As \\citep[see][p. 3]{old|}."), "As \\citep[see][p. 3]{old, new}.");
  assert.equal(cited("As \\cite{|old}."), "As \\cite{new, old}.");
  assert.equal(cited("As \\cite{one,|, two}."), "As \\cite{one,new, two}.");
  assert.equal(cited("As \\cite{old}|."), "As \\cite{old}\\cite{new}.");
});

it("a plan's line names a paper beside the others", () => {
  const line = "% citeplug:1 introduce it";
  assert.equal(put(line, planning(line, "1706.02216")), `${line} [1706.02216]`);
  assert.equal(put("introduce [a]", planning("introduce [a]", "b")), "introduce [a, b]");
  assert.equal(put("introduce [] ", planning("introduce [] ", "b")), "introduce [b] ");
});

it("a plan is told from text, in the section and in the draft", () => {
  assert.ok(isPlan("% citeplug:2 relate to it", ""));
  assert.ok(isPlan("introduce it", "\\begin{citeplugplan}\nheading: Graphs\n"));
  assert.ok(!isPlan("introduce it", "\\begin{citeplugplan}\n\\end{citeplugplan}\n"));
  assert.ok(!isPlan("% citeplug:begin p1", ""));
  assert.ok(!isPlan("Text.", "% citeplug:1 a\n"));
});

it("what an edit put into a draft is taken out again, and what the author wrote since stays", () => {
  const before = "One.\n\n\\section{Method}\nTwo.\n\\bibliography{refs}\n";
  const after = "One.\n\n\\section{Related Work}\n\\input{related}\n\n\\section{Method}\nTwo.\n\\bibliography{refs,related}\n";
  const apply = (now: string): string | undefined =>
    takingBack(before, after, now)?.reduceRight((text, [start, end, instead]) => text.slice(0, start) + instead + text.slice(end), now);
  assert.equal(apply(`% mine\n${after}`), `% mine\n${before}`);
  assert.equal(apply(after.replace("Two.", "Three.")), before.replace("Two.", "Three."));
  // Where its own lines were changed or are there twice, nothing is taken for them.
  assert.equal(apply(after.replace("refs,related", "refs,related,mine")), undefined);
  assert.equal(apply(after + after), undefined);
  assert.equal(takingBack(before, before, before), undefined);
});

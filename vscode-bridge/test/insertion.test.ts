import assert from "node:assert/strict";
import { it } from "node:test";

import { isPlan, planning, takingBack } from "../src/insertion.js";

const put = (line: string, { start, end, text }: ReturnType<typeof planning>): string => line.slice(0, start) + text + line.slice(end);

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

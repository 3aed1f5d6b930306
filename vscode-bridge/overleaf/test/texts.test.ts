import assert from "node:assert/strict";
import { test } from "node:test";

import { changed, edited, hunks, minimalChanges, offsetAt, positionAt, untaken } from "../src/texts.js";

const BEFORE = "one\ntwo\nthree\nfour\n";

/** Random texts of few different lines, the same on each run. */
function* texts(): Generator<string> {
  let seed = 7;
  const next = (most: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % most;
  };
  const lines = ["a", "b", "", "é😀", "😁", "\\cite{x}"];
  for (;;) {
    yield Array.from({ length: next(8) }, () => lines[next(lines.length)]).join("\n") + (next(2) === 0 ? "\n" : "");
  }
}

test("a letter beyond U+FFFF, which Overleaf replaces, is seen only where it is put in", () => {
  assert.equal(untaken(minimalChanges("a 𝒪 b\n", "a 𝒪 b\né ﬁ\n")), undefined);
  assert.equal(untaken(minimalChanges("a\n", "a\nof 𝒪(n)\n")), "𝒪");
});

test("the smallest changes lead from any text to any other, and never split a character", () => {
  const all = texts();
  for (let round = 0; round < 2_000; round += 1) {
    const [before, after] = [all.next().value as string, all.next().value as string];
    const changes = minimalChanges(before, after);
    assert.equal(changed(before, changes), after);
    for (const { from, to, insert } of changes) {
      assert(!/^[\udc00-\udfff]|[\ud800-\udbff]$/.test(insert) && !/^[\udc00-\udfff]|[\ud800-\udbff]$/.test(before.slice(from, to)));
    }
  }
});

test("lines that stay are in no change, so comments on them stay too", () => {
  const changes = minimalChanges(BEFORE, "one\nTWO\nthree\nfour\nfive\n");
  assert.deepEqual(changes, [
    { from: 4, to: 7, insert: "TWO" },
    { from: 19, to: 19, insert: "five\n" },
  ]);
  assert.deepEqual(minimalChanges(BEFORE, BEFORE), []);
});

test("a text of 100,000 lines with two changes far apart is compared at once", () => {
  const lines = Array.from({ length: 100_000 }, (_, number) => `line ${number}`);
  const before = lines.join("\n");
  const after = [...lines.slice(0, 10), "new", ...lines.slice(10, -10), "last"].join("\n");
  assert.equal(changed(before, minimalChanges(before, after)), after);
});

test("parts of a difference are what both have and what each has", () => {
  assert.deepEqual(hunks("a\nb\n", "a\nc\n"), [
    { before: ["a\n"], after: ["a\n"], same: true },
    { before: ["b\n"], after: ["c\n"], same: false },
  ]);
});

test("positions count UTF-16 code units in their line", () => {
  const text = "ab\né😀x\n";
  for (const offset of [0, 2, 3, 4, 6, 7, 8]) {
    assert.equal(offsetAt(text, positionAt(text, offset)), offset);
  }
  assert.deepEqual(positionAt(text, 6), { line: 1, character: 3 });
  assert.equal(offsetAt(text, { line: 0, character: 99 }), 2);
  assert.equal(offsetAt(text, { line: 99, character: 0 }), text.length);
});

test("edits of the protocol are made from the text that they are for", () => {
  const range = (line: number, from: number, to: number) => ({ start: { line, character: from }, end: { line, character: to } });
  const edits = [
    { range: range(2, 0, 5), newText: "3" },
    { range: range(0, 0, 3), newText: "uno" },
  ];
  assert.equal(edited(BEFORE, edits), "uno\ntwo\n3\nfour\n");
});

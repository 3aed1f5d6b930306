import assert from "node:assert/strict";
import { test } from "node:test";

import { rebased, whatIn } from "../src/rebase.js";

const DRAFT = "one\ntwo\nthree\n\\bibliography{own}\n\\end{document}\n";
const PROPOSED = "one\ntwo\nthree\n\\input{related}\n\\bibliography{own,related}\n\\end{document}\n";
const BIB = "@misc{a, year=1}\n\n@misc{b, year=2}\n";
const ENTRY = "@misc{new, year=3}\n";

function section(now: string | null): string | null {
  return rebased({ path: "main.tex", before: DRAFT, after: PROPOSED }, now);
}

function entry(now: string | null): string | null {
  return rebased({ path: "own.bib", before: BIB, after: BIB + ENTRY }, now);
}

test("what a co-author types before and after the place of an edit stays, and the edit is made", () => {
  assert.equal(
    section(DRAFT.replace("one", "one more").replace("two\n", "").replace("\\end", "Bye.\n\\end")),
    "one more\nthree\n\\input{related}\n\\bibliography{own,related}\nBye.\n\\end{document}\n",
  );
  assert.equal(entry(BIB.replace("year=1", "year=2001")), BIB.replace("year=1", "year=2001") + ENTRY);
});

test("words at the end of the line before stay in their line, and new lines at the place stay whole", () => {
  assert.equal(section(DRAFT.replace("three", "three more")), PROPOSED.replace("three", "three more"));
  assert.equal(section(DRAFT.replace("three\n", "three\nfour\n")), PROPOSED.replace("three\n", "three\nfour\n"));
  assert.equal(entry(`${BIB}@misc{half`), `${BIB}${ENTRY}@misc{half`);
  assert.equal(entry(`${BIB}@misc{theirs, year=4}\n`), `${BIB}${ENTRY}@misc{theirs, year=4}\n`);
});

test("an edit is refused where a co-author has changed the very place", () => {
  for (const now of [DRAFT.replace("{own}", "{own,theirs}"), DRAFT.replace("\\bibliography{own}\n", "")]) {
    assert.throws(() => section(now), /main\.tex was changed in the meantime at the very place/);
  }
  assert.throws(() => section(DRAFT.replace("three\n\\bibliography", "\\printbibliography")), /at the very place/);
});

test("an edit is refused where its entry or its line is there already", () => {
  assert.throws(() => entry(`${BIB}@misc{new, year=9}\n`), /has got @misc\{new in the meantime/);
  assert.throws(() => section(DRAFT.replace("one", "\\input{related}\none")), /has got \\input\{related\}/);
});

test("a file that was made or deleted in the meantime is not overwritten", () => {
  assert.throws(() => rebased({ path: "related.tex", before: null, after: "new" }, "theirs"), /was made/);
  assert.throws(() => section(null), /was deleted/);
  assert.throws(() => rebased({ path: "related.tex", before: "ours", after: null }, "theirs"), /was changed/);
  assert.equal(rebased({ path: "related.tex", before: null, after: "new" }, null), "new");
});

test("what was accepted is taken back from a text that has grown since", () => {
  const now = PROPOSED.replace("one", "one more");
  assert.equal(rebased({ path: "main.tex", before: PROPOSED, after: DRAFT }, now), DRAFT.replace("one", "one more"));
});

test("what was written has its name and its line, with the file where it is not the open one", () => {
  const cited = { path: "main.tex", before: DRAFT, after: DRAFT.replace("two", "two~\\cite{new}") };
  const added = { path: "own.bib", before: BIB, after: BIB + ENTRY };
  assert.equal(whatIn([added, cited], "insertCitation", "main.tex"), "\\cite{new} at line 2");
  const atEnd = { path: "main.tex", before: "do \\end{document}", after: "do \\cite{new}\\end{document}" };
  assert.equal(whatIn([atEnd], "insertCitation", "main.tex"), "\\cite{new} at line 1");
  const further = { path: "main.tex", before: "\\cite{a}", after: "\\cite{a, b}" };
  assert.equal(whatIn([further], "insertCitation", "main.tex"), "b at line 1");
  assert.equal(whatIn([added], "addEntry", "main.tex"), "new at own.bib, line 4");
  assert.equal(whatIn([{ ...added, after: BIB.replace("year=2", "year=3") }], "applyFix", "main.tex"), "own.bib, line 3");
  assert.equal(whatIn([{ path: "main.tex", before: DRAFT, after: PROPOSED }], "generate", "main.tex"), "the section at line 4");
});

import assert from "node:assert/strict";
import { it } from "node:test";

import { harmless, inSentences, inWords, isHalfUndone, isRemoved, knows, tooOld, wereEdited } from "../src/saying.js";

it("a server that is too old for a command is told from one that knows it", () => {
  assert.ok(knows(["citeplug.server.generate", "citeplug.server.shortlist"], "citeplug.server.shortlist"));
  assert.ok(!knows(["citeplug.server.generate"], "citeplug.server.shortlist"));
  assert.ok(!knows([], "citeplug.server.shortlist"));
  assert.ok(!knows(undefined, "citeplug.server.shortlist"));
});

it("a server that is too old is named with its version where it has said one, and with a way out", () => {
  assert.match(tooOld("0.1.0"), /^citeplug 0\.1\.0 is too old for this\. Update it \(uv tool upgrade citeplug/);
  assert.match(tooOld(""), /^citeplug is too old for this\./);
  assert.match(tooOld("0.1.0"), /restart the server\.$/);
});

it("what others have written makes no link in a notification", () => {
  const link = /\[[^\]]+\]\((?:https?:\/\/|command:|file:)/;
  for (const text of ["[Mend it](command:workbench.action.quit)", "a [b](https://example.org) c", "[x](file:///etc/passwd)"]) {
    assert.match(text, link);
    assert.doesNotMatch(harmless(text), link);
    assert.doesNotMatch(tooOld(text), link);
  }
});

it("what was edited is named, and what of it is not saved", () => {
  const [one, two, mine] = [
    { name: "related.tex", saved: true },
    { name: "related.bib", saved: true },
    { name: "main.tex", saved: false },
  ];
  assert.equal(wereEdited([one, two]), "citeplug edited and saved related.tex, related.bib.");
  assert.equal(wereEdited([mine]), "citeplug edited main.tex, which is not saved.");
  assert.equal(wereEdited([one, mine]), "citeplug edited and saved related.tex, and edited main.tex, which is not saved.");
  assert.equal(wereEdited([{ name: "[x](command:y)", saved: true }]), "citeplug edited and saved [x]\u2060(command:y).");
});

it("of half an undone edit it is said what stayed, and asked whether it shall go with the files that were made", () => {
  const kept = "Undo kept your text in main.tex, and the lines that citeplug had added there.";
  assert.equal(isHalfUndone("main.tex", "related.tex and related.bib", true), `${kept} Remove these lines, and delete related.tex and related.bib?`);
  assert.equal(isHalfUndone("main.tex", "", true), `${kept} Remove these lines?`);
  assert.equal(isHalfUndone("main.tex", "related.tex", false), kept);
  assert.equal(isRemoved("main.tex", "related.tex"), "Removed from main.tex, not saved yet. Deleted related.tex.");
});

it("a search in arXiv's language is shown by its words", () => {
  assert.equal(inWords('(all:"graph neural" OR all:nodes OR all:"self-loops")'), "graph neural, nodes, self-loops");
  assert.equal(inWords("ti:tea AND abs:oolong"), "tea, oolong");
  assert.equal(inWords("another language"), "");
});

it("a finding is told in sentences, with what to do where something can be done", () => {
  assert.equal(inSentences({ message: "the entry differs", fix: "run 'citeplug fix'" }), "The entry differs. Run 'citeplug fix'.");
  assert.equal(inSentences({ message: "It is there.", fix: "" }), "It is there.");
});

import assert from "node:assert/strict";
import { test } from "node:test";

import { cardParts } from "../src/card.js";

test("a card has its title first, then authors, venue and year in one line, then its verdict as one sentence", () => {
  const markdown = "✗ Differs from the record · checked against arXiv  \nyear: 2018 → 2017\n\n**Graph \\*Attention\\* Networks**\n\nICLR · 2018  \nPetar Veličković, Guillem Cucurull";
  assert.deepEqual(cardParts(markdown), [
    { kind: "title", text: "Graph *Attention* Networks" },
    { kind: "about", text: "Petar Veličković, Guillem Cucurull · ICLR · 2018" },
    { kind: "verdict", text: "✗ Differs from the record · checked against arXiv: year: 2018 → 2017." },
  ]);
});

test("a quotation stands under what it is from, and a link is its words alone", () => {
  const markdown = "**Hamilton 2017 · abstract**\n\n> We \\_sample\\_ \\[neighbors\\].\n\n[arXiv:1706\\.02216](https://arxiv.org/abs/1706.02216)\n\n---\n\nNot on arXiv";
  assert.deepEqual(cardParts(markdown), [
    { kind: "title", text: "Hamilton 2017 · abstract" },
    { kind: "quote", text: "“We _sample_ [neighbors].”" },
    { kind: "about", text: "arXiv:1706.02216" },
    { kind: "rule", text: "" },
    { kind: "verdict", text: "Not on arXiv." },
  ]);
});

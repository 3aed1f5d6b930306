import assert from "node:assert/strict";
import { test } from "node:test";

import { withoutSecond } from "../src/once.js";

const ENTRY = "@misc{rong2019,\n  title = {DropEdge}\n}";

test("of two equal entries the second goes, and one alone or one that differs stays", () => {
  const others = ["@misc{a,\n  title = {A}\n}\n", "\n@misc{b,\n  title = {B}\n}\n"];
  assert.equal(withoutSecond(`${others.join("")}\n${ENTRY}\n\n${ENTRY}\n`, ENTRY), `${others.join("")}\n${ENTRY}\n`);
  assert.equal(withoutSecond(`${ENTRY}\n${ENTRY}\n${others[1]}`, ENTRY), `${ENTRY}\n${others[1]}`);
  for (const text of ["", `${ENTRY}\n`, `${ENTRY}\n\n${ENTRY.replace("DropEdge", "Drop Edge")}\n`]) {
    assert.equal(withoutSecond(text, ENTRY), text);
  }
});

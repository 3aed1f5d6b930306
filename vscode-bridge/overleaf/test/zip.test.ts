import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";

import { textsIn } from "../src/zip.js";

interface Entry {
  readonly name: string;
  readonly data: Buffer;
  readonly method?: number;
  readonly size?: number; // as the zip states it
}

function zip(...entries: Entry[]): ArrayBuffer {
  const [locals, directory]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const { name, data, method = 8, size = data.length } of entries) {
    const packed = method === 8 ? deflateRawSync(data) : data;
    const common = Buffer.alloc(26);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(size, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const end = Buffer.alloc(14);
    end.writeUInt32LE(offset, 10);
    locals.push(Buffer.from("PK\x03\x04"), common, Buffer.from(name), packed);
    directory.push(Buffer.from("PK\x01\x02\0\0"), common, end, Buffer.from(name));
    offset += 30 + Buffer.byteLength(name) + packed.length;
  }
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06");
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(offset, 16);
  const whole = Buffer.concat([...locals, ...directory, end]);
  return whole.buffer.slice(whole.byteOffset, whole.byteOffset + whole.length);
}

test("texts are read, whatever way they are packed, and pictures are not", async () => {
  const archive = zip(
    { name: "main.tex", data: Buffer.from("é\r\nx") },
    { name: "bib/refs.bib", data: Buffer.from("@misc{a}"), method: 0 },
    { name: "figure.png", data: Buffer.from("x") },
  );
  assert.deepEqual([...(await textsIn(archive))], [["main.tex", "é\nx"], ["bib/refs.bib", "@misc{a}"]]);
});

test("names that lead out of the project are left out", async () => {
  const data = Buffer.from("x");
  const archive = zip({ name: "../a.tex", data }, { name: "/b.tex", data }, { name: "a/../../c.tex", data }, { name: "d\\e.tex", data });
  assert.deepEqual([...(await textsIn(archive))], []);
});

test("what unpacks to more than it says, or to too much, is refused", async () => {
  await assert.rejects(textsIn(zip({ name: "main.tex", data: Buffer.alloc(1_000_000), size: 10 })), /damaged/);
  assert.deepEqual([...(await textsIn(zip({ name: "main.tex", data: Buffer.from("x"), size: 50_000_000 })))], []);
});

test("what is no zip is said to be none", async () => {
  await assert.rejects(textsIn(new ArrayBuffer(100)), /could not be downloaded/);
  await assert.rejects(textsIn(new ArrayBuffer(0)), /could not be downloaded/);
});

/** The texts in the zip of a project, as Overleaf's "Download source" gives it. */

import { normalized } from "./texts.js";

const WANTED = /\.(?:tex|ltx|bib|bbl|sty|cls|toml|latexmkrc)$|(?:^|\/)\.?latexmkrc$/i;
const LARGEST = 10_000_000; // bytes of a text
const MOST = 30_000_000; // of all of them
const ENTRIES = 10_000;
const [END, ENTRY] = [0x06054b50, 0x02014b50];
const [STORED, DEFLATED] = [0, 8];

/** The text files by path. Throws an Error for what is no such zip. */
export async function textsIn(archive: ArrayBuffer): Promise<Map<string, string>> {
  const view = new DataView(archive);
  const directory = endOf(view);
  const texts = new Map<string, string>();
  let total = 0;
  let at = directory.offset;
  for (let number = 0; number < directory.entries && number < ENTRIES; number += 1) {
    if (view.getUint32(at, true) !== ENTRY) {
      throw new Error("the zip of the project is damaged");
    }
    const [method, packed, size] = [view.getUint16(at + 10, true), view.getUint32(at + 20, true), view.getUint32(at + 24, true)];
    const [name, extra, comment] = [view.getUint16(at + 28, true), view.getUint16(at + 30, true), view.getUint16(at + 32, true)];
    const path = new TextDecoder().decode(new Uint8Array(archive, at + 46, name));
    if (WANTED.test(path) && size <= LARGEST && total + size <= MOST && isInside(path)) {
      const local = view.getUint32(at + 42, true);
      const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
      texts.set(path, normalized(await unpacked(new Uint8Array(archive, start, packed), method, size)));
      total += size;
    }
    at += 46 + name + extra + comment;
  }
  return texts;
}

function isInside(path: string): boolean {
  return !path.startsWith("/") && !path.includes("\\") && !path.split("/").includes("..");
}

function endOf(view: DataView): { entries: number; offset: number } {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 22 - 0xffff); at -= 1) {
    if (view.getUint32(at, true) === END) {
      return { entries: view.getUint16(at + 10, true), offset: view.getUint32(at + 16, true) };
    }
  }
  throw new Error("the project could not be downloaded as a zip");
}

/** At most `size` bytes, whatever a zip says of itself. */
async function unpacked(data: Uint8Array<ArrayBuffer>, method: number, size: number): Promise<string> {
  if (method === STORED) {
    return new TextDecoder().decode(data);
  }
  if (method !== DEFLATED) {
    throw new Error("the zip of the project is packed in an unknown way");
  }
  const bytes = new Uint8Array(size);
  let length = 0;
  const reader = new Blob([data]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return new TextDecoder().decode(bytes.subarray(0, length));
    }
    if (length + value.length > size) {
      throw new Error("the zip of the project is damaged");
    }
    bytes.set(value, length);
    length += value.length;
  }
}

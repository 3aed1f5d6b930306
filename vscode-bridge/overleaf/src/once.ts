/** Of two authors who add the entry of one paper in the same moment, neither sees the other's: one of both goes again. */

import type { Documents } from "./documents.js";
import type { Planned } from "./rebase.js";

const ARRIVED = 4_000; // ms after which what the other wrote has come

/** Take an entry out that was added here and stands twice now, word for word; one that differs is an author's to decide. */
export async function onceEach(documents: Documents, done: readonly Planned[]): Promise<void> {
  const added = done.map(({ path, before, after }) => ({ path, entries: path.endsWith(".bib") ? entriesNew(before ?? "", after ?? "") : [] })).filter(({ entries }) => entries.length > 0);
  if (added.length === 0) {
    return;
  }
  await new Promise((resolve) => setTimeout(resolve, ARRIVED));
  await documents.refresh(true);
  for (const { path, entries } of added) {
    const text = documents.open?.path === path ? documents.open.text : documents.files.get(path);
    const after = entries.reduce(withoutSecond, text ?? "");
    if (text !== undefined && after !== text) {
      await documents.perform([{ path, before: text, after }]);
    }
  }
}

function entriesNew(before: string, after: string): string[] {
  const old = entriesIn(before);
  return entriesIn(after).filter((entry) => !old.includes(entry));
}

/** Entries as citeplug writes them, which end at a brace of its own line. */
function entriesIn(text: string): string[] {
  return text.match(/^@\w+\{[^\s,]+,\n[^]*?^\}$/gm) ?? [];
}

/** A text without the second of two equal entries, and the empty line above it. */
export function withoutSecond(text: string, entry: string): string {
  const second = text.indexOf(entry, text.indexOf(entry) + entry.length);
  if (!text.includes(entry) || second < 0) {
    return text;
  }
  const start = text.slice(0, second).replace(/\n+$/, "\n").length;
  return text.slice(0, start) + text.slice(second + entry.length).replace(/^\n/, "");
}

/** Texts, the positions of the protocol in them, and the smallest edits that lead from one to another. */

/** A change of a text, by offsets in UTF-16 code units, as CodeMirror has them. */
export interface Change {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

export interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Range {
  readonly start: Position;
  readonly end: Position;
}

export interface TextEdit {
  readonly range: Range;
  readonly newText: string;
}

/** Line ends as CodeMirror has them. */
export function normalized(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n");
}

export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length - 1, character: offset - start };
}

export function offsetAt(text: string, { line, character }: Position): number {
  let start = 0;
  for (let passed = 0; passed < line; passed += 1) {
    const end = text.indexOf("\n", start);
    if (end < 0) {
      return text.length;
    }
    start = end + 1;
  }
  const end = text.indexOf("\n", start);
  return Math.min(start + character, end < 0 ? text.length : end);
}

export function changed(text: string, changes: readonly Change[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { from, to, insert } of [...changes].sort((one, two) => one.from - two.from)) {
    parts.push(text.slice(at, from), insert);
    at = to;
  }
  return parts.join("") + text.slice(at);
}

export function edited(text: string, edits: readonly TextEdit[]): string {
  return changed(
    text,
    edits.map(({ range, newText }) => ({ from: offsetAt(text, range.start), to: offsetAt(text, range.end), insert: newText })),
  );
}

/** A part of two texts: lines that both have, or those of the one in place of those of the other. */
export interface Hunk {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly same: boolean;
}

const LONGEST_TABLE = 4_000_000; // cells; beyond, what stands between the common ends is one change

/** The lines of two texts, in parts. */
export function hunks(before: string, after: string): Hunk[] {
  const [one, two] = [lines(before), lines(after)];
  let start = 0;
  while (start < one.length && start < two.length && one[start] === two[start]) {
    start += 1;
  }
  let end = 0;
  while (end < one.length - start && end < two.length - start && one.at(-1 - end) === two.at(-1 - end)) {
    end += 1;
  }
  const middle = between(one.slice(start, one.length - end), two.slice(start, two.length - end));
  const first = one.slice(0, start);
  const last = end > 0 ? one.slice(-end) : [];
  return [{ before: first, after: first, same: true }, ...middle, { before: last, after: last, same: true }].filter(
    (hunk) => hunk.before.length > 0 || hunk.after.length > 0,
  );
}

/** The smallest changes by lines, each without the signs that its two ends have in common. */
export function minimalChanges(before: string, after: string): Change[] {
  const changes: Change[] = [];
  let at = 0;
  for (const hunk of hunks(before, after)) {
    const [old, next] = [hunk.before.join(""), hunk.after.join("")];
    if (!hunk.same) {
      const start = commonStart(old, next);
      const end = commonEnd(old.slice(start), next.slice(start));
      changes.push({ from: at + start, to: at + old.length - end, insert: next.slice(start, next.length - end) });
    }
    at += old.length;
  }
  return changes;
}

/** The first letter of changes that Overleaf's editor replaces, as it does all beyond U+FFFF; undefined if there is none. */
export function untaken(changes: readonly Change[]): string | undefined {
  return changes.map(({ insert }) => /\0|[\ud800-\udfff]{1,2}/.exec(insert)?.[0]).find((letter) => letter !== undefined);
}

/** The key of the entry that a line, from 1, of a .bib file is in; empty if it is in none. */
export function entryAt(text: string, line: number): string {
  const above = text.split("\n").slice(0, line).join("\n");
  return [...above.matchAll(/^[ \t]*@(?!comment|string|preamble)\w+\s*[{(]\s*([^\s,{}]+)/gim)].at(-1)?.[1] ?? "";
}

/** Lines with their ends. */
function lines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function commonStart(one: string, two: string): number {
  let length = 0;
  while (length < one.length && length < two.length && one[length] === two[length]) {
    length += 1;
  }
  // Not within a surrogate pair.
  return length > 0 && /[\ud800-\udbff]/.test(one[length - 1] ?? "") ? length - 1 : length;
}

function commonEnd(one: string, two: string): number {
  let length = 0;
  while (length < one.length && length < two.length && one.at(-1 - length) === two.at(-1 - length)) {
    length += 1;
  }
  return length > 0 && /[\udc00-\udfff]/.test(one.at(-length) ?? "") ? length - 1 : length;
}

/** The longest common subsequence of lines. */
function between(one: readonly string[], two: readonly string[]): Hunk[] {
  if (one.length * two.length > LONGEST_TABLE || one.length === 0 || two.length === 0) {
    return one.length + two.length > 0 ? [{ before: one, after: two, same: false }] : [];
  }
  const width = two.length + 1;
  const table = new Uint32Array((one.length + 1) * width);
  const cell = (row: number, column: number): number => table[row * width + column] ?? 0;
  for (let row = one.length - 1; row >= 0; row -= 1) {
    for (let column = two.length - 1; column >= 0; column -= 1) {
      table[row * width + column] =
        one[row] === two[column] ? cell(row + 1, column + 1) + 1 : Math.max(cell(row + 1, column), cell(row, column + 1));
    }
  }
  const found: { before: string[]; after: string[]; same: boolean }[] = [];
  const part = (same: boolean): { before: string[]; after: string[] } => {
    const last = found.at(-1);
    if (last?.same === same) {
      return last;
    }
    const next = { before: [], after: [], same };
    found.push(next);
    return next;
  };
  let [row, column] = [0, 0];
  while (row < one.length || column < two.length) {
    const [left, right] = [one[row], two[column]];
    if (left !== undefined && left === right) {
      const same = part(true);
      same.before.push(left);
      same.after.push(left);
      row += 1;
      column += 1;
    } else if (left !== undefined && (right === undefined || cell(row + 1, column) >= cell(row, column + 1))) {
      part(false).before.push(left);
      row += 1;
    } else if (right !== undefined) {
      part(false).after.push(right);
      column += 1;
    }
  }
  return found;
}

export function rangeIn(text: string, from: number, to: number): Range {
  return { start: positionAt(text, from), end: positionAt(text, to) };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

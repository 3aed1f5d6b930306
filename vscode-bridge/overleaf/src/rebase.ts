/** An edit carried over what others have written since it was proposed. */

import { ChangeSet, Text } from "@codemirror/state";

import type { Command } from "./messages.js";
import { type Change, entryAt, minimalChanges, positionAt } from "./texts.js";

// Of such a line there is one: the section is included once, and a key has one entry.
const ONCE = /^\s*(?:@\w+\s*\{[^,\s]+|\\input\b.*)/gm;

/** A file that is to be changed; `before` is null for one that is to be made, `after` for one that is to be deleted. */
export interface Planned {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** What a command has written, and where: in the `open` document, if it is in there, too. */
export function whatIn(planned: readonly Planned[], command: Command, open = ""): string {
  const [first] = [...planned].sort((one, two) => Number(two.path === open) - Number(one.path === open));
  const { path, before, after } = first ?? { path: open, before: "", after: "" };
  const [{ from, insert } = { from: 0, insert: "" }] = minimalChanges(before ?? "", after ?? "");
  const line = positionAt(after ?? "", from + insert.length - insert.trimStart().length).line + 1;
  const named: Partial<Record<Command, string>> = {
    generate: "the section",
    insertAnswer: "the sentence",
    insertCitation: insert.replace(/^(.*)\\$/s, "\\$1").replace(/^[\s~,]+|[\s,]+$/g, ""), // before a command: their backslash is the same
    addEntry: entryAt(after ?? "", line),
  };
  return [named[command] ?? "", path === open ? `line ${line}` : `${path}, line ${line}`].filter(Boolean).join(" at ");
}

/** What a file is to be, where it is `now` other than proposed against. Throws an Error where the two do not go together. */
export function rebased({ path, before, after }: Planned, now: string | null): string | null {
  if (now === before) {
    return after;
  }
  if (before === null || now === null || after === null) {
    const what = before === null ? "made" : now === null ? "deleted" : "changed";
    throw new Error(`${path} was ${what} in the meantime`);
  }
  const [text, length] = [textOf(before), before.length];
  const [own, others] = [minimalChanges(before, after), minimalChanges(before, now)];
  const theirs = ChangeSet.of([...others], length);
  const overlaps = own.some((change) => {
    const touched = theirs.touchesRange(change.from, change.to);
    return addsLines(change, before) ? touched === "cover" : touched !== false;
  });
  if (overlaps) {
    throw new Error(`${path} was changed in the meantime at the very place`);
  }
  const theirLines = newIn(now, before);
  const twice = newIn(after, before).find((line) => theirLines.includes(line));
  if (twice !== undefined) {
    throw new Error(`${path} has got ${twice} in the meantime`);
  }
  // At one place, the lines of the proposal come first: what others type there may be half a line yet.
  const changes = ChangeSet.of([...own], length);
  return theirs.compose(changes.map(theirs, true)).apply(text).toString();
}

function addsLines({ from, to, insert }: Change, text: string): boolean {
  return from === to && (from === 0 || text[from - 1] === "\n") && insert.endsWith("\n");
}

/** The lines that may stand once, and stand in a text but not in the one before. */
function newIn(text: string, before: string): string[] {
  const old = onceIn(before);
  return onceIn(text).filter((line) => !old.includes(line));
}

function onceIn(text: string): string[] {
  return (text.match(ONCE) ?? []).map((line) => line.trim());
}

function textOf(text: string): Text {
  return Text.of(text.split("\n"));
}

/** What is said in the editor's notifications. */

import { capital } from "./letters.js";

/** Text of a server's: the editor makes `[text](command:...)` in a notification a link that runs a command. */
export function harmless(text: string): string {
  return text.replaceAll("](", "]\u2060(");
}

/** A finding as sentences: what it is, and what to do. */
export function inSentences({ message, fix }: { message: string; fix: string }): string {
  return [message, fix].filter((part) => part !== "").map((part) => `${capital(part).replace(/[.;]$/, "")}.`).join(" ");
}

/** That a server does not know a command of this extension's, and what to do. */
export function tooOld(version: string): string {
  const name = ["citeplug", harmless(version)].filter((part) => part !== "").join(" ");
  return `${name} is too old for this. Update it (uv tool upgrade citeplug, or pipx upgrade citeplug), and restart the server.`;
}

/** That files were edited, and which of them the disk does not have so yet. */
export function wereEdited(files: readonly { name: string; saved: boolean }[]): string {
  const names = (saved: boolean): string[] => files.filter((each) => each.saved === saved).map((each) => harmless(each.name));
  const [saved, unsaved] = [names(true), names(false)];
  const parts = [
    ...(saved.length > 0 ? [`edited and saved ${saved.join(", ")}`] : []),
    ...(unsaved.length > 0 ? [`edited ${unsaved.join(", ")}, which ${unsaved.length > 1 ? "are" : "is"} not saved`] : []),
  ];
  return `citeplug ${parts.join(", and ")}.`;
}

/** That an edit of files was undone, which the disk does not have yet. */
export const UNDONE = "citeplug's edit was undone, which is not saved yet.";

/** In the status bar: what citeplug had added was taken out of files, which the disk does not have yet, and `made` files are gone. */
export function isRemoved(names: string, made: string): string {
  return `Removed from ${harmless(names)}, not saved yet.${made === "" ? "" : ` Deleted ${harmless(made)}.`}`;
}

/** That an edit was undone, but not in files that were changed since; and whether to take its lines there out, with the files that it made. */
export function isHalfUndone(names: string, made: string, canRemove: boolean): string {
  const more = made === "" ? "" : `, and delete ${harmless(made)}`;
  return `Undo kept your text in ${harmless(names)}, and the lines that citeplug had added there.${canRemove ? ` Remove these lines${more}?` : ""}`;
}

/** Whether a server said in `initialize` that it knows a command. */
export function knows(commands: readonly string[] | undefined, command: string): boolean {
  return commands?.includes(command) === true;
}

/** The words of a search in arXiv's language, as a reader writes them: a line of a dialog is short. */
export function inWords(search: string): string {
  return [...search.matchAll(/\b\w+:("[^"]*"|[^\s()]+)/g)].map(([, words = ""]) => words.replaceAll('"', "")).join(", ");
}

/** What the parts of the extension tell each other. What comes from a page is checked where it arrives. */

import type { CardPart } from "./card.js";
import type { Source } from "./elements.js";
import type { Change, Hunk } from "./texts.js";

/** A completion, as the editor shows it; `from` and `to` are what it replaces. */
export interface Offer {
  readonly label: string;
  readonly detail: string;
  readonly group: string; // where the entry of the key is, or that it gets one
  readonly insert: string;
  readonly from: number;
  readonly to: number;
}

export interface Card {
  readonly parts: readonly CardPart[];
  readonly from: number;
  readonly to: number;
}

export interface Mark {
  readonly from: number;
  readonly to: number;
  readonly severity: "error" | "warning" | "info";
  readonly message: string;
}

/** From the script in the page. `revision` counts the changes of the shown document. */
export type FromPage =
  | { kind: "opened"; id: string; name: string; text: string; revision: number; readOnly: boolean }
  | { kind: "changed"; changes: Change[]; revision: number }
  | { kind: "locked"; readOnly: boolean }
  | { kind: "complete" | "hover"; number: number; at: number; revision: number }
  | { kind: "picked"; number: number; index: number }
  | { kind: "applied"; number: number; problem: string }
  | { kind: "cursor"; number: number; at: number; revision: number }
  | { kind: "closed" };

/** To the script in the page. */
export type ToPage =
  | { kind: "offers"; number: number; offers: Offer[] }
  | { kind: "card"; number: number; card: Card | null }
  | { kind: "marks"; revision: number; marks: Mark[] }
  | { kind: "apply"; number: number; revision: number; changes: Change[] }
  | { kind: "cursor"; number: number }
  | { kind: "reveal"; at: number; revision: number };

/** To and from the content script, beside what it hands on. */
export type ToContent = ToPage | { kind: "read" | "open" | "create" | "remove"; number: number; path: string };
export type FromContent =
  | FromPage
  | { kind: "path"; path: string }
  | { kind: "theme"; dark: boolean }
  | { kind: "did"; number: number; problem: string; files?: [string, string][] };

/** A finding, for the lists of the panel; `entry` is the key that it is on, empty if it is on no one entry. */
export interface Finding {
  readonly code: string;
  readonly path: string; // empty if it is not known
  readonly line: number; // from 1
  readonly severity: string;
  readonly message: string;
  readonly fix?: string;
  readonly entry: string;
  readonly arxiv?: string; // the paper to cite there
  readonly work?: Work & { readonly why: string }; // that paper, where the finding is that it is not cited
}

/** What mends a finding: a command of the server. */
export interface Fix {
  readonly title: string;
  readonly command: Command;
  readonly argument: Record<string, unknown>;
}

/** A file of a proposal, in parts; `after` is its whole text, to be copied. */
export interface ProposedFile {
  readonly path: string;
  readonly isNew: boolean;
  readonly hunks: Hunk[];
  readonly after: string;
}

/** A sentence of a proposed section as it reads in print, and what it rests on; `heading` is that of its paragraph. */
export interface ProposedSentence {
  readonly paragraph: string;
  readonly place: string; // what names it where it is left out
  readonly heading?: string;
  readonly text: string;
  readonly sources: readonly Source[];
}

/** What the author is asked about before it is sent to a model's service; amounts in dollars, `cost` 0 if it is not known. */
export interface Sending {
  readonly place: string;
  readonly model: string;
  readonly what: string;
  readonly priced: boolean;
  readonly cost: number;
  readonly limit: string;
  readonly max_cost: number | null;
}

/** A question to the author, in the view whose run asks: which of the actions, or whether it may be sent. */
export interface Question {
  readonly number: number;
  readonly message: string;
  readonly actions: readonly string[];
  readonly sending: Sending | null;
}

/** `action` is empty where it was declined; `limit` is in dollars. */
export interface Reply {
  readonly action: string;
  readonly limit: number | null;
}

export interface Proposal {
  readonly number: number;
  readonly label: string;
  readonly files: ProposedFile[];
  readonly sentences: readonly ProposedSentence[];
}

export interface Work {
  readonly title: string;
  readonly by: string; // authors and year
}

/** A paper that was cited from the completion and has no entry yet. */
export interface Missing extends Work {
  readonly arxiv: string;
  readonly key: string;
}

/** Of what was typed: `malformed` is no code, `unanswered` got no answer, `refused` was a wrong one; `forgotten` is the pairing. */
export type Link = "unpaired" | "connecting" | "on" | "off" | "refused" | "forgotten" | "malformed" | "unanswered";

/** A command that has written, the view of the panel from which it ran, what it wrote and where, and which edit it was, from 1. */
export interface Done {
  readonly number: number;
  readonly what: string;
  readonly command: Command;
  readonly view: string;
}

export const NEWER = "newer_than_draft"; // the code of what an audit says of all its papers at once
export const UNDONE = "Undone: "; // begins a notice of no problem

/** All that the panel shows. */
export interface State {
  readonly link: Link;
  readonly document: string; // the path of the open document; empty if there is no editor to write in
  readonly writable: boolean;
  readonly busy: string;
  readonly share: number; // of what is being done, in percent; 0 if it is not known
  readonly dark: boolean | null; // the page's theme, if it has told it
  readonly notice: string;
  readonly findings: Finding[];
  readonly proposal: Proposal | null;
  readonly missing: Missing[];
  readonly question: (Question & { view: string }) | null;
  readonly undo: Done | null; // what was written last, if it can be taken back
}

/** Commands of the language server that the panel may run. */
export const COMMANDS = [
  "shortlist",
  "generate",
  "ask",
  "audit",
  "search",
  "bibtex",
  "showProvenance",
  "accept",
  "reject",
  "choices",
  "choose",
  "insertAnswer",
  "addEntry",
  "insertCitation",
  "checkBibliography",
  "applyFix",
  "replaceKey",
] as const;
export type Command = (typeof COMMANDS)[number];

export type FromPanel =
  | { kind: "look"; tab: number }
  | { kind: "pair"; code: string }
  | { kind: "accept" | "revise"; without: readonly string[] } // paragraphs, and places of sentences
  | { kind: "connect" | "discard" | "undo" | "cancel" | "dismiss" }
  | { kind: "run"; number: number; command: Command; argument: Record<string, unknown>; view: string }
  | { kind: "fixes"; number: number; path: string; line: number }
  | { kind: "entry"; arxiv: string; add: boolean }
  | { kind: "reveal"; path: string; line: number } // from 1
  | ({ kind: "reply"; number: number } & Reply);

export type ToPanel =
  | { kind: "state"; state: State | null }
  | { kind: "result"; number: number; result: Record<string, unknown> | null; problem: string };

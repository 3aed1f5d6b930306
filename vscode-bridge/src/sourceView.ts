/** The view beneath the list of papers: what the sentence at the cursor is from, or what a paper that is selected says. */

import * as vscode from "vscode";

import { byline, type Paper, readSourced, type Sentence, type Sourced } from "./answers.js";
import { ask } from "./asking.js";
import { escaped, withMarks } from "./escaping.js";
import { ACCEPT, REJECT } from "./middleware.js";
import type { Server } from "./server.js";
import { ARXIV_ID } from "./identifiers.js";
import { capital } from "./letters.js";
import { about, doubt, why } from "./shortlist.js";

/** Leads to the next sentence to review, to the one before, and into the text of one. */
export const NEXT = "citeplug.nextToReview";
export const PREVIOUS = "citeplug.previousToReview";
export const EDIT = "citeplug.editSentence";
/** Rejects a sentence of a proposal, or takes it in again. */
export const LEAVE_OUT = "citeplug.leaveOut";

export const VIEW = "citeplug.source";
const NOTHING =
  "<p>Put the cursor into a sentence of the related work to see what it is from. Or select a paper above to read its abstract: pin it if the section must cite it, exclude it if it must not.</p>";
const OPEN = "citeplug.openPaper";
const ACTIONS: ReadonlyMap<string, string> = new Map([
  ["Pin", "citeplug.pinPaper"],
  ["Exclude", "citeplug.excludePaper"],
  ["Undo the choice", "citeplug.unchoosePaper"],
  ["Cite at the cursor", "citeplug.citePaper"],
  ["Copy BibTeX", "citeplug.copyBibtex"],
  ["Open on arXiv", OPEN],
]);
const STEPS = `<a href="command:${PREVIOUS}">Previous</a><a href="command:${NEXT}">Next</a>`;
const STYLE =
  "body{padding:0 1em 1em;line-height:1.45}h3{font-size:1em;margin:.6em 0 .2em}p,ul,blockquote{margin:.4em 0}ul{padding-left:1.2em}.about{opacity:.8}summary{cursor:pointer}" +
  "blockquote{border-left:3px solid var(--vscode-textLink-foreground);padding-left:.7em}" +
  "mark{color:inherit;font-weight:600;background:var(--vscode-editor-selectionHighlightBackground)}.doubt{color:var(--vscode-editorWarning-foreground)}" +
  ".do{position:sticky;top:0;margin:0;padding:.4em 0;background:var(--vscode-sideBar-background)}.do a{display:inline-block;margin-right:.25em;padding:.1em .4em;border-radius:2px;" +
  "border:1px solid var(--vscode-button-border,transparent);color:var(--vscode-button-secondaryForeground);background:var(--vscode-button-secondaryBackground);text-decoration:none}" +
  ".do a.first{color:var(--vscode-button-foreground);background:var(--vscode-button-background)}";

export class SourceView implements vscode.Disposable, vscode.WebviewViewProvider {
  private readonly registered = vscode.window.registerWebviewViewProvider(VIEW, this);
  private readonly followed = new vscode.EventEmitter<readonly string[]>();
  /** The papers of a sentence that is shown. */
  readonly onDidFollow = this.followed.event;
  private shown: vscode.WebviewView | undefined;
  private paper: Paper | undefined;
  private body = NOTHING;
  /** The sentence that is shown, as it stood. */
  private sentence = "";

  constructor(private readonly server: Server) {}

  dispose(): void {
    this.registered.dispose();
    this.followed.dispose();
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.shown = view;
    view.webview.options = { enableCommandUris: [...ACTIONS.values(), ACCEPT, REJECT, EDIT, LEAVE_OUT, PREVIOUS, NEXT] };
    view.onDidDispose(() => {
      this.shown = undefined;
    });
    this.draw();
  }

  get showsSentence(): boolean {
    return this.shown?.visible === true && this.sentence !== "";
  }

  get showsPaper(): boolean {
    return this.paper !== undefined;
  }

  /** Show what is known of the same paper now. */
  update(paper: Paper): void {
    if (paper.arxivId === this.paper?.arxivId) {
      this.show(paper);
    }
  }

  show(paper: Paper): void {
    this.paper = paper;
    this.sentence = "";
    this.body = whole(paper);
    this.draw();
  }

  /** Show nothing until another sentence or paper is to be shown. */
  clear(): void {
    this.paper = undefined;
    this.sentence = "";
    this.body = NOTHING;
    this.draw();
  }

  /** Show what a sentence of a section is from; `waiting` sentences are to be reviewed. Of a proposed one that is known. */
  async follow(uri: string, sentence: Sentence, waiting: number, proposed?: Sourced): Promise<void> {
    const { place, line, verdict } = sentence;
    const shown = JSON.stringify([uri, place, verdict, waiting]);
    if (shown === this.sentence) {
      return; // the cursor moves within it
    }
    this.sentence = shown;
    this.paper = undefined;
    const sourced = proposed ?? readSourced(await ask(this.server, "citeplug.server.showProvenance", { uri, line })).find((each) => each.place === place);
    if (sourced !== undefined && this.sentence === shown) {
      const head = proposed === undefined ? decided(uri, sourced, waiting) : undecided(sourced, verdict === "rejected");
      this.body = head + sourced.sources.map(source).join("");
      this.draw();
      this.followed.fire(sourced.sources.map(({ arxivId }) => arxivId));
    }
  }

  private draw(): void {
    if (this.shown !== undefined) {
      this.shown.webview.html = page(this.body);
    }
  }
}

/** No script, and no address but of the actions: what a record says is other people's text. */
function page(body: string): string {
  const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`;
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">${policy}<style>${STYLE}</style></head><body>${body}</body></html>`;
}

/** What can be done about a sentence, and how it stands. */
function decided(uri: string, sourced: Sourced, waiting: number): string {
  const { place, accepted } = sourced;
  const action = (name: string, command: string, more: object = {}): string => `<a href="${link(command, { uri, place, ...more })}">${name}</a>`;
  const decision = accepted ? action("Undo", ACCEPT, { undo: true }) : action("Accept", ACCEPT).replace("<a", '<a class="first"');
  const state = [accepted ? "✓ Accepted" : "", waiting > 0 ? `${String(waiting)} to review` : "all reviewed"];
  return standing(`${decision}${action("Reject", REJECT)}${action("Edit", EDIT)}${waiting > 0 ? STEPS : ""}`, state, sourced);
}

/** What can be done about a sentence of a proposal before that is written. */
function undecided(sourced: Sourced, isOut: boolean): string {
  const action = `<a href="${link(LEAVE_OUT, { place: sourced.place })}">${isOut ? "Undo" : "Reject"}</a>`;
  return standing(action + STEPS, [isOut ? "✗ Rejected: it will not be written" : "Proposed"], sourced);
}

function standing(actions: string, state: readonly string[], { close, doubt }: Sourced): string {
  const doubts = doubt === "" ? "" : `<p class="doubt">${escaped(capital(doubt))}</p>`;
  return `<p class="do">${actions}</p><p class="about">${escaped([...state, close].filter(Boolean).join(" · "))}</p>${doubts}`;
}

/** Who wrote a source, its title, and the passage, the words of the sentence marked. A title alone is no passage. */
function source({ record, name, title, place, parts }: Sourced["sources"][number]): string {
  const isTitle = place === "title" && title !== "";
  const of = escaped([title, isTitle ? "" : place].filter(Boolean).join(" · "));
  const page = ARXIV_ID.test(record) ? ` · <a href="${link(OPEN, { paper: { arxivId: record } })}">arXiv</a>` : "";
  return `<h3>${escaped(name)}</h3><p class="about">${of}${page}</p>${isTitle ? "" : `<blockquote>${withMarks(parts)}</blockquote>`}`;
}

function link(command: string, argument: object): string {
  return `command:${command}?${encodeURIComponent(JSON.stringify([argument]))}`;
}

/** A paper's record; what it brings is marked in its abstract, for by that one decides. */
function whole(paper: Paper): string {
  const { title, abstract, contribution } = paper;
  const by = [byline(paper.authors), about(paper)].filter(Boolean).join(" · ");
  const brings = escaped(abstract).replace(escaped(contribution), (words) => (["", abstract].includes(contribution) ? words : `<mark>${words}</mark>`));
  const warning = doubt(paper);
  const [first = "", ...others] = why(paper).filter((line) => line !== warning).map(escaped);
  const head = `<h3>${escaped(title)}</h3><p class="about" title="${escaped(paper.authors.join(", "))}">${escaped(by)}</p>`;
  const more = `<details class="about"><summary>More about this paper</summary><ul>${others.map((line) => `<li>${line}</li>`).join("")}</ul></details>`;
  const doubts = warning === "" ? "" : `<p class="doubt">${escaped(warning)}</p>`;
  return `<p class="do">${actions(paper)}</p>${head}<p class="about">${first}</p>${doubts}<p>${brings || "No abstract here."}</p>${more}`;
}

/** What can be done with the paper, as links. */
function actions(paper: Paper): string {
  const unfit = paper.choice === undefined ? ["Undo the choice"] : ["Pin", "Exclude"];
  const shown = [...ACTIONS].filter(([name, command]) => !unfit.includes(name) && (command !== OPEN || ARXIV_ID.test(paper.arxivId)));
  return shown.map(([name, command]) => `<a href="${link(command, { paper })}">${name}</a>`).join("");
}

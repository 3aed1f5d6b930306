/** The sentences of the section that wait for the author: a mark beside each, their number in the status bar, and the way to the next. */

import * as vscode from "vscode";

import { isOurs } from "./documents.js";
import { WRITTEN } from "./commands.js";
import { type Change, type Preview, readSentences, type Section, type Sentence, type Sourced, type Verdict } from "./answers.js";
import type { Server } from "./server.js";
import { EDIT, LEAVE_OUT, NEXT, PREVIOUS, VIEW as SOURCE, type SourceView } from "./sourceView.js";

const SENTENCES = "citeplug/sentences";
const HAS_SECTION = "citeplug.hasSection"; // for the view of the sources
const START = new vscode.Position(0, 0);
const DELAY = 150; // ms: the editor asks for what is above several documents at once

const SIGNS: Readonly<Record<Verdict, string>> = {
  review: '<circle cx="8" cy="8" r="4.2" fill="none" stroke="#2f81d6" stroke-width="1.6"/>',
  doubtful: '<path d="M8 2.6 14.2 13.4H1.8Z" fill="none" stroke="#c08a00" stroke-width="1.5" stroke-linejoin="round"/><path d="M8 6.4v3.4M8 11v1.1" stroke="#c08a00" stroke-width="1.5"/>',
  rejected: '<path d="M4 4l8 8M12 4l-8 8" fill="none" stroke="#c0392b" stroke-width="1.6"/>',
  accepted: '<path d="M3.4 8.4 6.6 11.6 12.8 4.8" fill="none" stroke="#3f9c46" stroke-width="1.8"/>',
};

export class Sentences implements vscode.Disposable {
  private readonly marks = new Map(Object.entries(SIGNS).map(([verdict, sign]) => [verdict, mark(sign)]));
  private readonly here = vscode.window.createTextEditorDecorationType({ backgroundColor: new vscode.ThemeColor("editor.selectionHighlightBackground") });
  private readonly struck = vscode.window.createTextEditorDecorationType({ textDecoration: "line-through", opacity: "0.6" });
  private readonly item = vscode.window.createStatusBarItem("citeplug.review", vscode.StatusBarAlignment.Right, 89);
  private section: Section | undefined;
  /** What the sentences of a proposal are from; while there is one, `section` is the proposed one. */
  private proposed: readonly Sourced[] | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly parts: vscode.Disposable[];

  constructor(
    private readonly server: Server,
    private readonly source: SourceView,
  ) {
    this.item.name = "citeplug: sentences to review";
    this.item.command = NEXT;
    this.parts = [
      vscode.window.onDidChangeActiveTextEditor(() => {
        this.lookAgain();
      }),
      vscode.window.onDidChangeVisibleTextEditors(() => {
        this.draw();
      }),
      vscode.window.onDidChangeTextEditorSelection(() => {
        this.follow();
      }),
      vscode.commands.registerCommand(NEXT, (clicked?: { place?: unknown }) => this.next(clicked?.place)),
      vscode.commands.registerCommand(PREVIOUS, () => this.next(undefined, previous)),
      vscode.commands.registerCommand(LEAVE_OUT, ({ place }: { place: unknown }) => {
        this.leaveOut(place);
      }),
      vscode.commands.registerCommand(EDIT, ({ place }: { place: unknown }) => this.edit(place)),
    ];
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.item.dispose();
    vscode.Disposable.from(...this.parts, ...this.marks.values(), this.here, this.struck).dispose();
  }

  /** How many sentences wait for the author. */
  get waiting(): number {
    return toReview(this.section).length;
  }

  private isProposal(): boolean {
    return this.proposed !== undefined;
  }

  /** Whether a place is in the sentence whose source is in view. */
  isRead({ uri }: vscode.TextDocument, position: vscode.Position): boolean {
    const read = this.source.showsSentence && this.section?.uri === uri.toString() ? this.atCursor() : undefined;
    return read !== undefined && whole(read).contains(position);
  }

  /** Lead on from a sentence that the author has decided about, as one reads. Of a whole paragraph nothing was read. */
  async decided(place: unknown): Promise<void> {
    const before = this.section?.sentences.find((each) => each.place === place);
    await this.look();
    if (before !== undefined && this.section !== undefined) {
      await this.show(this.section, after(toReview(this.section), at(before)));
    }
  }

  /** Have a proposed section read in place of the one that is written, from its first new sentence on. */
  async propose(uri: vscode.Uri, { sentences, sourced }: Preview, { before, after: text }: Change): Promise<void> {
    this.proposed = sourced;
    this.section = { uri: uri.toString(), sentences };
    this.draw();
    const lines = text.split("\n");
    const first = sentences.find(({ line, character }) => !before.includes(lines[line]?.slice(character).trim() ?? "")) ?? sentences[0];
    await this.show(this.section, first);
  }

  /** The proposal was decided on: the places of the sentences that the author rejected before. */
  decide(): string[] {
    const rejected = this.section?.sentences.filter(({ verdict }) => verdict === "rejected").map(({ place }) => place) ?? [];
    this.proposed = undefined;
    this.section = undefined;
    this.source.clear();
    this.lookAgain();
    return rejected;
  }

  /** Reject a sentence of a proposal, or take it in again. */
  private leaveOut(place: unknown): void {
    const { section } = this;
    if (this.isProposal() && section !== undefined) {
      const turned = (each: Sentence): Sentence => ({ ...each, verdict: each.verdict === "rejected" ? "review" : "rejected" });
      this.section = { ...section, sentences: section.sentences.map((each) => (each.place === place ? turned(each) : each)) };
      this.draw();
      this.read(this.section.sentences.find((each) => each.place === place));
    }
  }

  /** The section, or what the author thinks of it, may have changed. */
  lookAgain(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.look(), DELAY);
  }

  private async look(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    if (document !== undefined && isOurs(document) && !this.isProposal()) {
      const asked = { uri: document.uri.toString() };
      // A server that does not know it marks nothing; what else is wrong the server says itself.
      const answer = await this.server.client?.sendRequest(SENTENCES, asked).catch(() => undefined);
      if (this.isProposal()) {
        return; // it was made meanwhile
      }
      this.section = readSentences(answer);
      void vscode.commands.executeCommand("setContext", HAS_SECTION, this.section !== undefined);
      if (this.section !== undefined) {
        void vscode.commands.executeCommand(WRITTEN, document.uri);
      }
    }
    this.draw();
    if (!this.source.showsPaper) {
      this.follow();
    }
  }

  /** Mark the sentence at the cursor, and show what it is from. */
  private follow(): void {
    const { section } = this;
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.uri.toString() !== section?.uri || section === undefined) {
      return;
    }
    const sentence = this.atCursor();
    editor?.setDecorations(this.here, sentence === undefined ? [] : [whole(sentence)]);
    this.read(sentence);
  }

  private read(sentence: Sentence | undefined): void {
    if (this.section !== undefined && sentence !== undefined) {
      void this.source.follow(this.section.uri, sentence, this.waiting, this.proposed?.find(({ place }) => place === sentence.place));
    }
  }

  private atCursor(): Sentence | undefined {
    const cursor = vscode.window.activeTextEditor?.selection.active ?? START;
    return this.section?.sentences.find((each) => whole(each).contains(cursor));
  }

  /** Select a sentence, for the author to write. */
  private async edit(place: unknown): Promise<void> {
    const sentence = this.section?.sentences.find((each) => each.place === place);
    if (this.section !== undefined && sentence !== undefined) {
      await vscode.window.showTextDocument(vscode.Uri.parse(this.section.uri), { preview: false, selection: whole(sentence) });
    }
  }

  private draw(): void {
    const { section } = this;
    for (const editor of vscode.window.visibleTextEditors) {
      const here = section?.uri === editor.document.uri.toString() ? section.sentences : [];
      for (const [verdict, type] of this.marks) {
        // Beside its first line, however the line is wrapped.
        editor.setDecorations(type, here.filter((each) => each.verdict === verdict).map(({ line, character }) => new vscode.Range(line, character, line, character)));
      }
      editor.setDecorations(this.struck, here.filter(({ verdict }) => verdict === "rejected").map(whole));
    }
    const open = toReview(section);
    const doubtful = open.filter(({ verdict }) => verdict === "doubtful").length;
    this.item.text = `$(checklist) ${open.length} to review`;
    this.item.tooltip = [`${open.length === 1 ? "One sentence of the related work waits" : `${open.length} sentences of the related work wait`} for your review`, ...(doubtful > 0 ? [`${doubtful} doubtful`] : [])].join(", ");
    if (open.length > 0 && vscode.window.activeTextEditor !== undefined && isOurs(vscode.window.activeTextEditor.document)) {
      this.item.show();
    } else {
      this.item.hide();
    }
  }

  /** Go to the first sentence to review of a paragraph, or to one beside the cursor, the next. */
  private async next(paragraph: unknown, beside = after): Promise<void> {
    const { section } = this;
    const open = toReview(section);
    if (section === undefined || open.length === 0) {
      await vscode.window.showInformationMessage("No sentence of the related work waits for your review.");
      return;
    }
    const front = vscode.window.activeTextEditor;
    const from = front?.document.uri.toString() === section.uri ? front.selection.active : START;
    await this.show(section, open.find(({ place }) => place.split(":")[0] === paragraph) ?? beside(open, from));
  }

  /** Go to a sentence, and show what it is from beside the text. */
  private async show(section: Section, sentence: Sentence | undefined): Promise<void> {
    if (sentence === undefined) {
      return;
    }
    // A proposed one may be compared with what is there: it is not to be opened a second time, by itself.
    const seen = this.isProposal() ? vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === section.uri) : undefined;
    const editor = seen ?? (await vscode.window.showTextDocument(vscode.Uri.parse(section.uri), { preview: false }));
    const start = at(sentence);
    editor.selection = new vscode.Selection(start, start);
    editor.revealRange(whole(sentence), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    await vscode.commands.executeCommand(`${SOURCE}.focus`, { preserveFocus: true });
  }
}

/** The first sentence after a place; the first of all where there is none. */
function after(sentences: readonly Sentence[], from: vscode.Position): Sentence | undefined {
  return sentences.find((each) => at(each).isAfter(from)) ?? sentences[0];
}

/** The last sentence that ends before a place; the last of all where there is none. */
function previous(sentences: readonly Sentence[], from: vscode.Position): Sentence | undefined {
  return sentences.findLast((each) => whole(each).end.isBefore(from)) ?? sentences.at(-1);
}

function at({ line, character }: Sentence): vscode.Position {
  return new vscode.Position(line, character);
}

function whole(sentence: Sentence): vscode.Range {
  return new vscode.Range(at(sentence), new vscode.Position(sentence.endLine, sentence.endCharacter));
}

function toReview(section: Section | undefined): Sentence[] {
  return (section?.sentences ?? []).filter(({ verdict }) => verdict === "review" || verdict === "doubtful");
}

function mark(sign: string): vscode.TextEditorDecorationType {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16">${sign}</svg>`;
  return vscode.window.createTextEditorDecorationType({
    gutterIconPath: vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`),
    gutterIconSize: "contain",
  });
}

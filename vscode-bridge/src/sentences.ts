/** The sentences of the section that wait for the author: a mark beside each, their number in the status bar, and the way to the next. */

import * as vscode from "vscode";

import { isOurs } from "./documents.js";
import { readSentences, type Section, type Sentence, type Verdict } from "./answers.js";
import type { Server } from "./server.js";

const SENTENCES = "citeplug/sentences";
const NEXT = "citeplug.nextToReview";
const START = new vscode.Position(0, 0);
const BEFORE = 4; // lines above the first one of a section that are no lines of the file
const CITED = /\\[A-Za-z]*cite[A-Za-z]*\*?(?:\[[^\]]*\])*\{([^}]*)\}/g;
const DELAY = 150; // ms: the editor asks for what is above several documents at once

const SIGNS: Readonly<Record<Verdict, string>> = {
  review: '<circle cx="8" cy="8" r="4.2" fill="none" stroke="#2f81d6" stroke-width="1.6"/>',
  doubtful: '<path d="M8 2.6 14.2 13.4H1.8Z" fill="none" stroke="#c08a00" stroke-width="1.5" stroke-linejoin="round"/><path d="M8 6.4v3.4M8 11v1.1" stroke="#c08a00" stroke-width="1.5"/>',
  accepted: '<path d="M3.4 8.4 6.6 11.6 12.8 4.8" fill="none" stroke="#3f9c46" stroke-width="1.8"/>',
};

export class Sentences implements vscode.Disposable {
  private readonly marks = new Map(Object.entries(SIGNS).map(([verdict, sign]) => [verdict, mark(sign)]));
  private readonly item = vscode.window.createStatusBarItem("citeplug.review", vscode.StatusBarAlignment.Right, 89);
  private section: Section | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly parts: vscode.Disposable[];

  constructor(private readonly server: Server) {
    this.item.name = "citeplug: sentences to review";
    this.item.command = NEXT;
    this.parts = [
      vscode.window.onDidChangeActiveTextEditor(() => {
        this.lookAgain();
      }),
      vscode.window.onDidChangeVisibleTextEditors(() => {
        this.draw();
      }),
      vscode.commands.registerCommand(NEXT, (clicked?: { place?: unknown }) => this.next(clicked?.place)),
    ];
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.item.dispose();
    vscode.Disposable.from(...this.parts, ...this.marks.values()).dispose();
  }

  /** How many sentences wait for the author. */
  get waiting(): number {
    return toReview(this.section).length;
  }

  /** Lead on from a sentence that the author has decided about, as one reads. Of a whole paragraph nothing was read. */
  async decided(place: unknown): Promise<void> {
    const before = this.section?.sentences.find((each) => each.place === place);
    await this.look();
    if (before !== undefined && this.section !== undefined) {
      await this.show(this.section, after(toReview(this.section), at(before)));
    }
  }

  /** The section, or what the author thinks of it, may have changed. */
  lookAgain(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.look(), DELAY);
  }

  private async look(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    if (document !== undefined && isOurs(document)) {
      const asked = { uri: document.uri.toString() };
      // A server that does not know it marks nothing; what else is wrong the server says itself.
      const answer = await this.server.client?.sendRequest(SENTENCES, asked).catch(() => undefined);
      this.section = readSentences(answer);
    }
    this.draw();
  }

  private draw(): void {
    const { section } = this;
    for (const editor of vscode.window.visibleTextEditors) {
      const here = section?.uri === editor.document.uri.toString() ? section.sentences : [];
      for (const [verdict, type] of this.marks) {
        // Beside its first line, however the line is wrapped.
        editor.setDecorations(type, here.filter((each) => each.verdict === verdict).map(({ line, character }) => new vscode.Range(line, character, line, character)));
      }
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

  /** Go to the first sentence to review of a paragraph, or to the next after the cursor. */
  private async next(paragraph: unknown): Promise<void> {
    const { section } = this;
    const open = toReview(section);
    if (section === undefined || open.length === 0) {
      await vscode.window.showInformationMessage("No sentence of the related work waits for your review.");
      return;
    }
    const front = vscode.window.activeTextEditor;
    const from = front?.document.uri.toString() === section.uri ? front.selection.active : START;
    await this.show(section, open.find(({ place }) => place.split(":")[0] === paragraph) ?? after(open, from));
  }

  /** Go to a sentence, and show what it is from beside it. */
  private async show(section: Section, sentence: Sentence | undefined): Promise<void> {
    if (sentence === undefined) {
      return;
    }
    const editor = await vscode.window.showTextDocument(vscode.Uri.parse(section.uri), { preview: false });
    const start = at(sentence);
    editor.selection = new vscode.Selection(start, start);
    if (!editor.visibleRanges.some((range) => range.contains(start))) {
      editor.revealRange(new vscode.Range(start, start), vscode.TextEditorRevealType.InCenter);
      await new Promise((resolve) => setTimeout(resolve, DELAY));
    }
    const end = endOf(editor.document, section, sentence);
    // A hover lies above the cursor where there is room, else beneath: in either case beside the sentence.
    if (linesAbove(editor, start.line) + BEFORE < linesOfHover(editor.document.getText(new vscode.Range(start, end)))) {
      editor.selection = new vscode.Selection(end, end);
    }
    await vscode.commands.executeCommand("editor.action.hideHover").then(undefined, () => undefined); // that of the last sentence
    await vscode.commands.executeCommand("editor.action.showHover");
  }
}

/** The first sentence after a place; the first of all where there is none. */
function after(sentences: readonly Sentence[], from: vscode.Position): Sentence | undefined {
  return sentences.find((each) => at(each).isAfter(from)) ?? sentences[0];
}

function at({ line, character }: Sentence): vscode.Position {
  return new vscode.Position(line, character);
}

/** How high the hover of a sentence is, with a name and a passage for each source. */
function linesOfHover(sentence: string): number {
  return [...sentence.matchAll(CITED)].reduce((sum, [, keys = ""]) => sum + 2 * keys.split(",").length, 1);
}

/** Lines that are seen above one. */
function linesAbove(editor: vscode.TextEditor, line: number): number {
  return editor.visibleRanges.reduce((sum, { start, end }) => sum + Math.max(0, Math.min(end.line + 1, line) - start.line), 0);
}

/** The last character of a sentence: of its line, or before the next one in it. */
function endOf(document: vscode.TextDocument, { sentences }: Section, { line, character }: Sentence): vscode.Position {
  const next = sentences.find((each) => each.line === line && each.character > character)?.character;
  const text = document.lineAt(line).text.slice(character, next).trimEnd();
  return new vscode.Position(line, character + Math.max(0, text.length - 1));
}

function toReview(section: Section | undefined): Sentence[] {
  return (section?.sentences ?? []).filter(({ verdict }) => verdict !== "accepted");
}

function mark(sign: string): vscode.TextEditorDecorationType {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16">${sign}</svg>`;
  return vscode.window.createTextEditorDecorationType({
    gutterIconPath: vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`),
    gutterIconSize: "contain",
  });
}

/** The lines of a section that are for citeplug: dimmed, hidden but for the one at the cursor, and folded once, so that its prose reads. */

import * as vscode from "vscode";

import { isOurs, LANGUAGES } from "./documents.js";
import { type Hidden, hiddenParts, type Plan, planFolds, planLines, SECTION_HEADER } from "./section.js";

const DELAY = 150; // ms after which lines that are typed are dimmed, and a fold is seen
const LONGEST = 2000; // ms between two tries to fold
const TRIES = 40;
const HEADER_SAYS = "citeplug wrote this section: its plans are folded above the paragraphs. The number is that of the file's format.";

export class Plans implements vscode.Disposable, vscode.FoldingRangeProvider {
  private readonly dimmed = vscode.window.createTextEditorDecorationType({ color: new vscode.ThemeColor("editorCodeLens.foreground") });
  // The editor has no other way to hide a part of a line; above one that is not displayed it would show no lens.
  private readonly hidden = vscode.window.createTextEditorDecorationType({ textDecoration: "none; font-size: 0;" });
  /** The plans that were folded once, by document: what the author unfolds stays so. */
  private readonly folded = new Map<string, Set<string>>();
  private readonly folding = new Set<string>();
  /** Ids of papers that have their name beside them in plans. */
  private readonly ids = new Set<string>();
  private waiting: NodeJS.Timeout | undefined;
  private readonly parts: vscode.Disposable[];

  constructor() {
    this.parts = [
      // The server tells the folds of files; a proposal is none, and a file is to be folded before the server has started.
      vscode.languages.registerFoldingRangeProvider(LANGUAGES.map((language) => ({ language })), this),
      vscode.window.onDidChangeVisibleTextEditors((editors) => {
        editors.forEach((editor) => {
          this.dim(editor);
        });
      }),
      vscode.window.onDidChangeActiveTextEditor((editor) => void this.fold(editor)),
      // An editor that was just opened, or is covered by another one, cannot be folded yet; this tells when it can.
      vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => {
        this.hide(textEditor);
        void this.fold(textEditor);
      }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
        this.hide(textEditor);
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.folded.delete(uri.toString())),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        clearTimeout(this.waiting);
        this.waiting = setTimeout(() => {
          vscode.window.visibleTextEditors.filter((editor) => editor.document === document).forEach((editor) => {
            this.dim(editor);
            void this.fold(editor); // it may have been empty when it was opened
          });
        }, DELAY);
      }),
    ];
    vscode.window.visibleTextEditors.forEach((editor) => {
      this.dim(editor);
    });
    void this.fold(vscode.window.activeTextEditor);
  }

  provideFoldingRanges(document: vscode.TextDocument): vscode.FoldingRange[] {
    return isWanted() ? planFolds(document.getText()).map(({ start, end }) => new vscode.FoldingRange(start, end, vscode.FoldingRangeKind.Comment)) : [];
  }

  dispose(): void {
    clearTimeout(this.waiting);
    this.dimmed.dispose();
    this.hidden.dispose();
    vscode.Disposable.from(...this.parts).dispose();
  }

  /** Hide ids that the editor has a name for: where they end. */
  named(document: vscode.TextDocument, ends: readonly vscode.Position[]): void {
    const before = this.ids.size;
    for (const { line, character } of ends) {
      this.ids.add(/[^\s,;[\]{}]*$/.exec(document.lineAt(line).text.slice(0, character))?.[0] ?? "");
    }
    if (this.ids.size > before) {
      vscode.window.visibleTextEditors.forEach((editor) => {
        this.hide(editor);
      });
    }
  }

  private dim(editor: vscode.TextEditor): void {
    if (LANGUAGES.includes(editor.document.languageId)) {
      const lines = planLines(editor.document.getText()).map((line) => editor.document.lineAt(line));
      editor.setDecorations(this.dimmed, lines.map(({ range, text }) => ({ range, ...(SECTION_HEADER.test(text) ? { hoverMessage: HEADER_SAYS } : {}) })));
      this.hide(editor);
    }
  }

  /** What is hidden stays so, unless a cursor is between its characters. */
  private hide(editor: vscode.TextEditor): void {
    if (!LANGUAGES.includes(editor.document.languageId)) {
      return;
    }
    const isIn = ({ line, start, end }: Hidden): boolean =>
      editor.selections.some(({ active }) => active.line === line && start < active.character && active.character < end);
    // Names stand in files alone: a proposal keeps its ids.
    const ids = isOurs(editor.document) ? this.ids : new Set<string>();
    const parts = isWanted() ? hiddenParts(editor.document.getText(), ids).filter((part) => !isIn(part)) : [];
    const label = (contentText: string): vscode.ThemableDecorationAttachmentRenderOptions => ({ contentText, color: new vscode.ThemeColor("editorCodeLens.foreground") });
    editor.setDecorations(
      this.hidden,
      parts.map((part) => ({
        range: new vscode.Range(part.line, part.start, part.line, part.end),
        ...(part.label === "" || isFolded(editor, part.line) ? {} : { renderOptions: { after: label(part.label) } }),
      })),
    );
  }

  /** Fold the plans of a section once after it is opened, but for the one that the author was led to. */
  private async fold(editor: vscode.TextEditor | undefined): Promise<void> {
    const address = editor?.document.uri.toString() ?? "";
    if (editor === undefined || !LANGUAGES.includes(editor.document.languageId) || this.folding.has(address) || !isWanted()) {
      return;
    }
    this.folding.add(address);
    try {
      // An editor that is being opened may lose the command, or what it did.
      for (let tries = 0; tries < TRIES && vscode.window.activeTextEditor === editor && this.open(editor).length > 0; tries += 1) {
        const selectionLines = this.open(editor).map(({ start }) => start);
        await vscode.commands.executeCommand("editor.fold", { selectionLines, levels: 1, direction: "down" });
        await new Promise((resolve) => setTimeout(resolve, Math.min(DELAY * (1 + tries), LONGEST)));
      }
    } finally {
      this.folding.delete(address);
    }
  }

  /** The plans still to be folded: none once one of them is seen folded, for they are folded together. */
  private open(editor: vscode.TextEditor): Plan[] {
    const address = editor.document.uri.toString();
    const before = this.folded.get(address) ?? new Set();
    const { line } = editor.selection.active;
    const open = planFolds(editor.document.getText()).filter(({ name, start, end }) => !before.has(name) && !(start < line && line <= end));
    if (editor.visibleRanges.length === 0) {
      return open; // it is not drawn yet
    }
    const sees = (at: number): boolean => editor.visibleRanges.some(({ start, end }) => start.line <= at && at <= end.line);
    const seen = open.filter(({ start }) => sees(start));
    if (seen.length > 0 && seen.every(({ start }) => !sees(start + 1))) {
      this.folded.set(address, new Set([...before, ...open.map(({ name }) => name)]));
      return [];
    }
    return seen;
  }
}

/** Whether a line lies between those that are seen: a label of it would stand in the line that is seen of its fold. */
function isFolded({ visibleRanges }: vscode.TextEditor, line: number): boolean {
  const after = visibleRanges.find(({ end }) => line <= end.line);
  return after !== undefined && after !== visibleRanges[0] && line < after.start.line;
}

function isWanted(): boolean {
  return vscode.workspace.getConfiguration("citeplug").get<boolean>("folding.enabled") !== false;
}

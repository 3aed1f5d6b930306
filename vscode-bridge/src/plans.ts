/** The lines of a section that are for citeplug: dimmed, and folded when the section is opened, so that its prose reads. */

import * as vscode from "vscode";

import { LANGUAGES } from "./documents.js";
import { planFolds, planLines } from "./section.js";

const DELAY = 150; // ms after which lines that are typed are dimmed, and a fold is seen
const TRIES = 40; // a busy machine draws an editor late

export class Plans implements vscode.Disposable, vscode.FoldingRangeProvider {
  private readonly dimmed = vscode.window.createTextEditorDecorationType({ opacity: "0.7" });
  private readonly folded = new Set<string>();
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
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.folded.delete(uri.toString())),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        clearTimeout(this.waiting);
        this.waiting = setTimeout(() => {
          vscode.window.visibleTextEditors.filter((editor) => editor.document === document).forEach((editor) => {
            this.dim(editor);
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
    return isWanted() ? planFolds(document.getText()).map(([start, end]) => new vscode.FoldingRange(start, end, vscode.FoldingRangeKind.Comment)) : [];
  }

  dispose(): void {
    clearTimeout(this.waiting);
    this.dimmed.dispose();
    vscode.Disposable.from(...this.parts).dispose();
  }

  private dim(editor: vscode.TextEditor): void {
    if (LANGUAGES.includes(editor.document.languageId)) {
      const lines = planLines(editor.document.getText());
      editor.setDecorations(this.dimmed, lines.map((line) => editor.document.lineAt(line).range));
    }
  }

  /** Fold the plans of a section once after it is opened, but for the one that the author was led to. */
  private async fold(editor: vscode.TextEditor | undefined): Promise<void> {
    const address = editor?.document.uri.toString() ?? "";
    if (editor === undefined || !LANGUAGES.includes(editor.document.languageId) || this.folded.has(address) || !isWanted()) {
      return;
    }
    const { line } = editor.selection.active;
    const starts = planFolds(editor.document.getText()).flatMap(([start, end]) => (start < line && line <= end ? [] : [start]));
    const [first] = starts;
    if (first === undefined) {
      return;
    }
    this.folded.add(address);
    // An editor that is being opened may lose the command, or what it did: then the first plan is still in view.
    for (let tries = 0; tries < TRIES && vscode.window.activeTextEditor === editor; tries += 1) {
      await vscode.commands.executeCommand("editor.fold", { selectionLines: starts, levels: 1, direction: "down" });
      await new Promise((resolve) => setTimeout(resolve, DELAY));
      const seen = editor.visibleRanges; // none before it is drawn
      if (seen.length > 0 && !seen.some(({ start, end }) => start.line <= first + 1 && first < end.line)) {
        return;
      }
    }
  }
}

function isWanted(): boolean {
  return vscode.workspace.getConfiguration("citeplug").get<boolean>("folding.enabled") !== false;
}

/** The item in the status bar, beside LaTeX and BibTeX documents. */

import * as vscode from "vscode";

import { LANGUAGES } from "./documents.js";
import { show, type State } from "./state.js";

export class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("citeplug.status", vscode.StatusBarAlignment.Right, 90);
  private readonly listener = vscode.window.onDidChangeActiveTextEditor(() => {
    this.appear();
  });

  constructor() {
    this.item.name = "citeplug";
    this.item.command = "citeplug.showMenu";
    this.set({ kind: "looking" });
  }

  set(state: State): void {
    const shown = show(state);
    this.item.text = shown.text;
    this.item.tooltip = shown.tooltip;
    this.item.accessibilityInformation = { label: `citeplug: ${shown.tooltip}` };
    this.item.backgroundColor = shown.warning ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
    this.appear();
  }

  dispose(): void {
    this.listener.dispose();
    this.item.dispose();
  }

  private appear(): void {
    const language = vscode.window.activeTextEditor?.document.languageId;
    if (language !== undefined && LANGUAGES.includes(language)) {
      this.item.show();
    } else {
      this.item.hide();
    }
  }
}

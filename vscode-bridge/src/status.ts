/** The item in the status bar, beside LaTeX and BibTeX documents. */

import * as vscode from "vscode";

import { LANGUAGES } from "./documents.js";
import { show, type State, type Work } from "./state.js";

export class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("citeplug.status", vscode.StatusBarAlignment.Right, 90);
  private readonly listener = vscode.window.onDidChangeActiveTextEditor(() => {
    this.appear();
  });

  private state: State = { kind: "looking" };
  private work: Work | undefined;

  constructor() {
    this.item.name = "citeplug";
    this.item.command = "citeplug.showMenu";
    this.refresh();
  }

  set(state: State): void {
    this.state = state;
    this.refresh();
  }

  /** What is under way; undefined when it has ended. */
  busy(work: Work | undefined): void {
    this.work = work;
    this.refresh();
  }

  dispose(): void {
    this.listener.dispose();
    this.item.dispose();
  }

  private refresh(): void {
    const shown = show(this.state, this.work);
    this.item.text = shown.text;
    this.item.tooltip = shown.tooltip;
    this.item.accessibilityInformation = { label: `citeplug: ${shown.tooltip}` };
    this.item.backgroundColor = shown.warning ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
    this.appear();
  }

  private appear(): void {
    const language = vscode.window.activeTextEditor?.document.languageId;
    if (this.work !== undefined || (language !== undefined && LANGUAGES.includes(language))) {
      this.item.show();
    } else {
      this.item.hide();
    }
  }
}

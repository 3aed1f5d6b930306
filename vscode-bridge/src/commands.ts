/** The palette's commands that the server answers. */

import * as vscode from "vscode";

import { ask } from "./asking.js";
import { inFront } from "./documents.js";
import type { Server } from "./server.js";
import { type Checked, auditSummary, isAudit, isChecked, summary } from "./verdicts.js";

/** Check the bibliography of a document's project, or of the one in front, and say what came out. */
export async function checkBibliography(server: Server, of?: vscode.Uri): Promise<void> {
  const uri = of ?? inFront()?.document.uri;
  if (uri === undefined) {
    await vscode.window.showInformationMessage("Open a LaTeX or BibTeX file of your project first.");
    return;
  }
  const checked = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: "citeplug: checking the bibliography" },
    () => ask(server, "citeplug.server.checkBibliography", { uri: uri.toString() }),
  );
  if (!isChecked(checked)) {
    return; // the server has said why
  }
  const problems = "Show Problems";
  if ((await tell(checked, problems)) === problems) {
    await vscode.commands.executeCommand("workbench.actions.view.problems");
  }
}

/** Audit the draft of a document's project, or of the one in front: its findings are among the problems then. */
export async function auditDraft(server: Server, of?: vscode.Uri): Promise<void> {
  const uri = of ?? inFront()?.document.uri;
  if (uri === undefined) {
    await vscode.window.showInformationMessage("Open a LaTeX file of your project first.");
    return;
  }
  const found = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: "citeplug: auditing the draft", cancellable: true },
    (progress, cancellation) =>
      ask(server, "citeplug.server.audit", { uri: uri.toString() }, {
        report: (message) => {
          progress.report({ message });
        },
        cancellation,
      }),
  );
  if (!isAudit(found)) {
    return; // the server has said why, or the author cancelled
  }
  const problems = "Show Problems";
  if ((await vscode.window.showInformationMessage(auditSummary(found), problems)) === problems) {
    await vscode.commands.executeCommand("workbench.actions.view.problems");
  }
}

/** Begin a citation at the cursor, and offer papers for it. */
export async function insertCitation(): Promise<void> {
  const editor = inFront();
  if (editor === undefined || editor.document.languageId === "bibtex") {
    await vscode.window.showInformationMessage("Open a LaTeX file, and put the cursor where the citation belongs.");
    return;
  }
  await editor.insertSnippet(new vscode.SnippetString("\\cite{$1}$0"));
  await vscode.commands.executeCommand("editor.action.triggerSuggest");
}

function tell(checked: Checked, button: string): Thenable<string | undefined> {
  const message = summary(checked);
  return checked.worst === "error" || checked.worst === "warning"
    ? vscode.window.showWarningMessage(message, button)
    : vscode.window.showInformationMessage(message);
}

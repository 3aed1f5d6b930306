/** The palette's commands that the server answers. */

import * as vscode from "vscode";

import { isDone, isMissing, isUnchanged, readEntry } from "./answers.js";
import { ask } from "./asking.js";
import { citingEditor, documentOf } from "./documents.js";
import { ACCEPT, REJECT } from "./middleware.js";
import type { Server } from "./server.js";
import { auditSummary, isAudit, isChecked, summary } from "./verdicts.js";

/** Lists the papers that the draft does not cite. */
export const MISSING = "citeplug.listMissing";
/** Lists the papers that the section cites, in the view of the papers. */
export const WRITTEN = "citeplug.listWritten";
const SHOWN = 10_000; // ms that the status bar says what was done

/** Check the bibliography of a document's project, or of the one in front, and say what came out. */
export async function checkBibliography(server: Server, of?: vscode.Uri, given: object = {}): Promise<void> {
  const uri = documentOf(of);
  if (uri === undefined) {
    return;
  }
  const checked = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: "citeplug: checking the bibliography" },
    () => ask(server, "citeplug.server.checkBibliography", { uri: uri.toString(), ...given }),
  );
  if (!isChecked(checked)) {
    return; // the server has said why
  }
  await showProblems(summary(checked), checked.worst === "error" || checked.worst === "warning");
}

/** Mark a generated sentence, or a paragraph's, as accepted; whether that was done. */
export async function acceptSentence(server: Server, uri: vscode.Uri | undefined, given: object): Promise<boolean> {
  return isDone(await ask(server, ACCEPT, { uri: uri?.toString(), ...given }));
}

/** Take a generated sentence out of the section, and offer to put it back. `then` runs as soon as it is out. */
export async function rejectSentence(server: Server, uri: vscode.Uri | undefined, given: object, then: () => void): Promise<void> {
  const argument = { uri: uri?.toString(), ...given };
  if (isDone(await ask(server, REJECT, argument))) {
    then();
    const undo = "Undo";
    const chosen = await vscode.window.showInformationMessage("The sentence was rejected. It will not be suggested again.", undo);
    if (chosen === undo) {
      await ask(server, REJECT, { ...argument, undo: true });
    }
  }
}

/** Audit the draft of a document's project, or of the one in front; its findings appear among the problems. */
export async function auditDraft(server: Server, of?: vscode.Uri): Promise<void> {
  const uri = documentOf(of);
  if (uri === undefined) {
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
  await vscode.commands.executeCommand("notifications.hideToasts"); // the editor shows a progress for a while after its end
  await showProblems(auditSummary(found), found.findings.length > 0);
}

/** Have the draft read its section, in the project of a document or of the one in front. */
export async function insertSection(server: Server, of?: vscode.Uri): Promise<void> {
  const uri = documentOf(of);
  if (uri === undefined) {
    return;
  }
  const answer = await ask(server, "citeplug.server.insertSection", { uri: uri.toString() });
  if (isMissing(answer)) {
    await vscode.commands.executeCommand(MISSING, uri);
  } else if (isUnchanged(answer)) {
    void vscode.window.showInformationMessage("The draft already reads its section.");
  }
}

/** Put the entry of a paper, or its key, into the clipboard. */
export async function copy(server: Server, what: "key" | "bibtex", uri: vscode.Uri, of: object): Promise<void> {
  const entry = readEntry(await ask(server, "citeplug.server.bibtex", { uri: uri.toString(), ...of }));
  if (entry !== undefined) {
    await vscode.env.clipboard.writeText(entry[what]);
    vscode.window.setStatusBarMessage(what === "key" ? `Copied ${entry.key}` : `Copied the BibTeX entry of ${entry.key}`, SHOWN);
  }
}

/** Begin a citation at the cursor, and offer papers for it. */
export async function insertCitation(): Promise<void> {
  const editor = citingEditor();
  if (editor === undefined) {
    return;
  }
  await editor.insertSnippet(new vscode.SnippetString("\\cite{$1}$0"));
  await vscode.commands.executeCommand("editor.action.triggerSuggest");
}

/** What came out: with the list of problems where there are any. A message would lie on that list. */
async function showProblems(message: string, any: boolean): Promise<void> {
  if (any) {
    vscode.window.setStatusBarMessage(message, SHOWN);
    await vscode.commands.executeCommand("workbench.panel.markers.view.focus");
  } else {
    void vscode.window.showInformationMessage(message);
  }
}

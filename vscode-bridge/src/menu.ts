/** What the status bar item leads to. */

import * as vscode from "vscode";

import { show, type State } from "./state.js";

interface Action extends vscode.QuickPickItem {
  command: string;
}

export async function showMenu(state: State): Promise<void> {
  const picked = await vscode.window.showQuickPick(actions(state), { title: state.kind === "idle" ? `citeplug ${state.version}` : show(state).tooltip });
  if (picked !== undefined) {
    await vscode.commands.executeCommand(picked.command);
  }
}

function actions(state: State): Action[] {
  const found: Action[] = [];
  if (state.kind === "idle") {
    found.push(
      { label: "$(edit) Write the Related Work", command: "citeplug.generateRelatedWork" },
      { label: "$(library) Find Papers for the Draft", command: "citeplug.findPapers" },
      { label: "$(insert) Insert the Section into the Draft", command: "citeplug.insertSection" },
      { label: "$(checklist) Go to the Next Sentence to Review", command: "citeplug.nextToReview" },
      { label: "$(check) Check the Bibliography", command: "citeplug.checkBibliography" },
      { label: "$(eye) Audit the Draft", command: "citeplug.audit" },
      { label: "$(cloud-download) Get Papers", command: "citeplug.getPapers" },
      { label: "$(search) Search Papers", command: "citeplug.searchPapers" },
      { label: "$(comment-discussion) Ask the Papers", command: "citeplug.askPapers" },
      { label: "$(quote) Insert a Citation", command: "citeplug.insertCitation" },
    );
  }
  if (state.kind === "untrusted") {
    found.push({ label: "$(shield) Manage Workspace Trust", command: "workbench.trust.manage" });
  }
  if (state.kind === "missing" || state.kind === "problem") {
    found.push({ label: "$(desktop-download) Install or Find the Program", command: "citeplug.install" });
  }
  if (state.kind !== "untrusted") {
    found.push({ label: "$(refresh) Restart the Server", command: "citeplug.restart" });
  }
  found.push({ label: "$(output) Show the Log", command: "citeplug.showLogs" });
  return found;
}

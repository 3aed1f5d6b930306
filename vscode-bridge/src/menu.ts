/** What the status bar item leads to. */

import * as vscode from "vscode";

import { show, type State } from "./state.js";

interface Action extends vscode.QuickPickItem {
  command: string;
}

export async function showMenu(state: State): Promise<void> {
  const picked = await vscode.window.showQuickPick(actions(state), { title: "citeplug", placeHolder: show(state).tooltip });
  if (picked !== undefined) {
    await vscode.commands.executeCommand(picked.command);
  }
}

function actions(state: State): Action[] {
  const found: Action[] = [];
  if (state.kind === "idle") {
    found.push(
      { label: "$(edit) Write the related work", command: "citeplug.generateRelatedWork" },
      { label: "$(library) Find papers for the draft", command: "citeplug.findPapers" },
      { label: "$(insert) Insert the section into the draft", command: "citeplug.insertSection" },
      { label: "$(check) Check the bibliography", command: "citeplug.checkBibliography" },
      { label: "$(eye) Audit the draft", command: "citeplug.audit" },
      { label: "$(cloud-download) Get papers", command: "citeplug.getPapers" },
      { label: "$(search) Search papers", command: "citeplug.searchPapers" },
      { label: "$(comment-discussion) Ask the papers", command: "citeplug.askPapers" },
      { label: "$(quote) Insert a citation", command: "citeplug.insertCitation" },
    );
  }
  if (state.kind === "untrusted") {
    found.push({ label: "$(shield) Manage workspace trust", command: "workbench.trust.manage" });
  }
  if (state.kind === "missing" || state.kind === "problem") {
    found.push({ label: "$(desktop-download) Install or find the program", command: "citeplug.install" });
  }
  if (state.kind !== "untrusted") {
    found.push({ label: "$(refresh) Restart the server", command: "citeplug.restart" });
  }
  found.push({ label: "$(output) Show the log", command: "citeplug.showLogs" });
  return found;
}

/** What the status bar item leads to. */

import * as vscode from "vscode";

import { show, type State } from "./state.js";

const WALKTHROUGH = "citeplug.citeplug#start";

interface Action extends vscode.QuickPickItem {
  command?: string;
  argument?: string;
}

/** `waiting` sentences of the section are to be read. */
export async function showMenu(state: State, waiting: number): Promise<void> {
  const title = state.kind === "idle" ? `citeplug ${state.version}` : show(state).tooltip;
  const picked = await vscode.window.showQuickPick(actions(state, waiting), { title, matchOnDescription: true });
  if (picked?.command !== undefined) {
    await vscode.commands.executeCommand(picked.command, ...(picked.argument === undefined ? [] : [picked.argument]));
  }
}

function actions(state: State, waiting: number): Action[] {
  const help = [
    ...(state.kind === "untrusted" ? [action("shield", "Manage Workspace Trust", "", "workbench.trust.manage")] : []),
    ...(state.kind === "missing" || state.kind === "problem"
      ? [action("desktop-download", "Install or Find the Program", "what citeplug runs on this machine", "citeplug.install")]
      : []),
    { ...action("info", "Open the Walkthrough", "first steps", "workbench.action.openWalkthrough"), argument: WALKTHROUGH },
    ...(state.kind === "untrusted" ? [] : [action("refresh", "Restart the Server", "after an update", "citeplug.restart")]),
    action("output", "Show the Log", "what the server did", "citeplug.showLogs"),
  ];
  return state.kind === "idle" ? [...work(waiting), group("Help"), ...help] : help;
}

/** What is due comes first. */
function work(waiting: number): Action[] {
  const read = action("checklist", "Go to the Next Sentence to Review", waiting > 0 ? `${String(waiting)} to review` : "none waits", "citeplug.nextToReview");
  return [
    ...(waiting > 0 ? [group("Due"), read] : []),
    group("Write"),
    action("edit", "Write the Related Work", "propose the section, or refresh it", "citeplug.generateRelatedWork"),
    ...(waiting > 0 ? [] : [read]),
    action("insert", "Insert the Section into the Draft", "the line by which the draft reads it", "citeplug.insertSection"),
    group("Papers"),
    action("library", "Find Papers for the Draft", "those that its related work could cite", "citeplug.findPapers"),
    action("search", "Search Papers", "by author, title or words, on this machine", "citeplug.searchPapers"),
    action("comment-discussion", "Ask the Papers", "a question, answered with quotations", "citeplug.askPapers"),
    action("cloud-download", "Get Papers", "add more to this machine, from arXiv or files", "citeplug.getPapers"),
    group("Bibliography"),
    action("quote", "Insert a Citation", "of what fits the sentence at the cursor", "citeplug.insertCitation"),
    action("check", "Check the Bibliography", "every entry beside its record", "citeplug.checkBibliography"),
    action("eye", "Audit the Draft", "missing works, misquoted ones, names without a citation", "citeplug.audit"),
  ];
}

function group(label: string): Action {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function action(icon: string, label: string, description: string, command: string): Action {
  return { label: `$(${icon}) ${label}`, description, command };
}

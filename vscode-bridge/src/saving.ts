/** Edits of the server's that the author asked for, on the disk too. */

import * as vscode from "vscode";

/** Do something that lets the server edit files, and save those of them in which nothing else waited to be saved. */
export async function saving<Result>(work: () => Promise<Result>): Promise<Result> {
  const waiting = new Set(dirty().map((each) => each.uri.toString()));
  const result = await work();
  const edited = dirty().filter((each) => !waiting.has(each.uri.toString()));
  await Promise.all(edited.map((each) => each.save()));
  return result;
}

function dirty(): vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter((each) => each.isDirty && !each.isUntitled);
}

/** Edits of the server's that the author asked for, on the disk too. */

import * as vscode from "vscode";

/** Do something that lets the server edit files, and save those of them in which nothing else waited to be saved. */
export async function saving<Result>(work: () => Promise<Result>): Promise<Result> {
  const waiting = new Set(dirty().map((each) => each.uri.toString()));
  const edited = new Set<vscode.TextDocument>();
  const listener = vscode.workspace.onDidChangeTextDocument(({ document }) => {
    if (!waiting.has(document.uri.toString())) {
      edited.add(document);
    }
  });
  try {
    const result = await work();
    await Promise.all([...edited].filter((each) => each.isDirty && !each.isUntitled).map((each) => each.save()));
    return result;
  } finally {
    listener.dispose();
  }
}

function dirty(): vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter((each) => each.isDirty);
}

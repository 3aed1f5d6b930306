/** The settings as the server gets them. */

import * as path from "node:path";
import * as vscode from "vscode";

/**
 * All of them; the main file with its whole path, which the server cannot work out. The network is the user's own to
 * allow: what the folder's settings say of it does not count.
 */
export function configured(): Record<string, unknown> {
  const settings: unknown = vscode.workspace.getConfiguration().get("citeplug");
  const network = vscode.workspace.getConfiguration("citeplug").inspect<unknown>("diagnostics.network")?.globalValue;
  return {
    ...(typeof settings === "object" ? settings : {}),
    rootFile: rootFile(),
    "diagnostics.network": network === true,
  };
}

function rootFile(): string {
  const given = vscode.workspace.getConfiguration("citeplug").get<unknown>("rootFile");
  if (typeof given !== "string" || given.trim() === "") {
    return "";
  }
  const folder = vscode.workspace.workspaceFolders?.find((each) => each.uri.scheme === "file");
  return folder === undefined ? given.trim() : path.resolve(folder.uri.fsPath, given.trim());
}

/** The settings as the server is told them. */

import * as path from "node:path";
import * as vscode from "vscode";

/** All of them; the main file with its whole path, which the server cannot work out. */
export function configured(): Record<string, unknown> {
  const settings: unknown = vscode.workspace.getConfiguration().get("citeplug");
  return { ...(typeof settings === "object" ? settings : {}), rootFile: rootFile() };
}

function rootFile(): string {
  const given = vscode.workspace.getConfiguration("citeplug").get<unknown>("rootFile");
  if (typeof given !== "string" || given.trim() === "") {
    return "";
  }
  const folder = vscode.workspace.workspaceFolders?.find((each) => each.uri.scheme === "file");
  return folder === undefined ? given.trim() : path.resolve(folder.uri.fsPath, given.trim());
}

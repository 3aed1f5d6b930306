/** What the user chose, read from the settings and from the Python extension. */

import * as path from "node:path";
import * as vscode from "vscode";

import type { Choice } from "./choice.js";

interface PythonApi {
  environments?: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
    resolveEnvironment(
      environment: { path: string } | string,
    ): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
    onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

export function text(name: string): string {
  const value = vscode.workspace.getConfiguration("citeplug").get<unknown>(name);
  return typeof value === "string" ? value.trim() : "";
}

export async function chosen(): Promise<Choice> {
  return {
    path: text("path"),
    interpreter: text("interpreter"),
    importStrategy: text("importStrategy") === "fromPath" ? "fromPath" : "fromEnvironment",
    pythonExtension: await activePython(),
    folder: vscode.workspace.workspaceFolders?.find((folder) => folder.uri.scheme === "file")?.uri.fsPath,
  };
}

/** Calls back when another Python is chosen; nothing where there is no Python extension that runs. */
export function onOtherPython(listener: () => void): vscode.Disposable | undefined {
  return runningPython()?.environments?.onDidChangeActiveEnvironmentPath(listener);
}

async function activePython(): Promise<string | undefined> {
  const environments = runningPython()?.environments;
  try {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const found = await environments?.resolveEnvironment(environments.getActiveEnvironmentPath(folder));
    const file = found?.executable.uri?.fsPath;
    return file !== undefined && path.isAbsolute(file) ? file : undefined;
  } catch {
    return undefined; // that extension's trouble; PATH is looked at next
  }
}

function runningPython(): PythonApi | undefined {
  const extension = vscode.extensions.getExtension<PythonApi>("ms-python.python");
  // It takes seconds to start where nobody opened a Python file; then it has no say.
  return extension?.isActive === true ? extension.exports : undefined;
}

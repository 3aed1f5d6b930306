/** Files that only the editor can read, for the server: Overleaf Workshop's lie on no disk. */

import * as vscode from "vscode";
import type { ClientCapabilities, FeatureState, LanguageClient, StaticFeature } from "vscode-languageclient/node";

import { VIRTUAL } from "./documents.js";

const LARGEST = 50 * 1024 * 1024; // bytes; no file of an Overleaf project is larger

/** Says in `initialize` that this client reads files, names what was edited, lists missing papers, copies entries, runs commands of hovers, and leads from sentence to sentence. */
export const abilities: StaticFeature = {
  fillClientCapabilities(capabilities: ClientCapabilities): void {
    const experimental: unknown = capabilities.experimental;
    const others = typeof experimental === "object" && experimental !== null ? experimental : {};
    capabilities.experimental = { ...others, citeplug: { readFile: true, namesEdits: true, listsMissing: true, copies: true, hoverCommands: true, reads: true } };
  },
  preInitialize(capabilities): void {
    // This client folds by itself: the editor, which waits for all that fold, would wait for a server that is still starting.
    delete capabilities.foldingRangeProvider;
  },
  initialize(): void {
    // nothing is registered
  },
  getState: (): FeatureState => ({ kind: "static" }),
  clear(): void {
    // nothing is kept
  },
};

export function answerFiles(client: LanguageClient): vscode.Disposable {
  return client.onRequest("citeplug/readFile", async (asked: { uri?: unknown }) => {
    const text = typeof asked.uri === "string" ? await textOf(vscode.Uri.parse(asked.uri)) : undefined;
    return text === undefined ? null : { text };
  });
}

/** What is open counts before what is saved. Files of the disk the server reads itself. */
async function textOf(uri: vscode.Uri): Promise<string | undefined> {
  if (!VIRTUAL.includes(uri.scheme)) {
    return undefined;
  }
  const open = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
  if (open !== undefined) {
    return open.getText();
  }
  try {
    const { type, size } = await vscode.workspace.fs.stat(uri);
    if ((type & vscode.FileType.File) === 0 || size > LARGEST) {
      return undefined;
    }
    return new TextDecoder("utf-8").decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    return undefined; // there is none
  }
}

/** Edits that the server asks for: what happens to the files afterwards is the author's to say, and they are named. */

import * as vscode from "vscode";
import type { ApplyWorkspaceEditParams, ApplyWorkspaceEditRequest, ApplyWorkspaceEditResult } from "vscode-languageclient/node";

import { text as setting } from "./chosen.js";
import { takingBack } from "./insertion.js";
import { isHalfUndone, isRemoved, UNDONE, wereEdited } from "./saying.js";

const SHOW = "Show";
const REMOVE = "Remove";
const LONGEST = 10_000; // ms that a file takes to be saved; the server's next edit waits for that
const TOGETHER = 300; // ms in which the editor undoes the parts of one edit
const SHOWN = 20_000; // ms that the status bar names what was saved

/** Make an edit. Files without unsaved changes of the author's are then saved, or shown, or left; whichever, they are named. */
export async function applying(
  params: ApplyWorkspaceEditParams,
  next: ApplyWorkspaceEditRequest.HandlerSignature,
): Promise<ApplyWorkspaceEditResult> {
  const files = filesOf(params);
  const waiting = new Set(vscode.workspace.textDocuments.filter((each) => each.isDirty).map((each) => each.uri.toString()));
  const created: vscode.Uri[] = [];
  const before = await textsOf(files);
  const result = await create(params, created).then(
    () => next(params, new vscode.CancellationTokenSource().token),
    (error: unknown): ApplyWorkspaceEditResult => ({ applied: false, failureReason: String(error) }),
  );
  if (result instanceof Error || !result.applied) {
    await Promise.allSettled(created.map((uri) => vscode.workspace.fs.delete(uri)));
    return result as ApplyWorkspaceEditResult;
  }
  const documents = (await Promise.all(files.map(opened))).filter((each) => each !== undefined);
  const how = setting("edits.afterwards");
  if (how === "save") {
    await save(documents.filter((each) => !waiting.has(each.uri.toString())));
  } else if (how === "show") {
    await show(documents);
  }
  tell(documents);
  watch(before, new Map(documents.map((each) => [address(each), each.getText()])), new Set(created.map(String)));
  return result;
}

let watched: vscode.Disposable | undefined;

/**
 * Say that the last edit was undone in some of its files only. The editor undoes it together, unless the author has changed one of
 * them since; then that one keeps its part, and may read a section that is gone.
 */
function watch(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>, created: ReadonlySet<string>): void {
  watched?.dispose();
  const undone = new Set<string>(); // by address: a document that is opened again is another object
  let timer: NodeJS.Timeout | undefined;
  watched = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges, reason }) => {
    if (contentChanges.length === 0 || reason !== vscode.TextDocumentChangeReason.Undo || !before.has(address(document))) {
      return;
    }
    undone.add(address(document));
    clearTimeout(timer);
    timer = setTimeout(() => {
      void tellHalfUndone(new Set(undone), before, after, created);
      undone.clear();
    }, TOGETHER);
  });
}

/** Offer to take what the edit added out of the files that kept it, in one edit. The editor's own message says less: it is not to lie beneath. */
async function tellHalfUndone(
  undone: ReadonlySet<string>,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  created: ReadonlySet<string>,
): Promise<void> {
  const made = await untouched(created, after);
  const isAsBefore = (each: vscode.TextDocument): boolean => each.getText() === before.get(address(each));
  const ours = vscode.workspace.textDocuments.filter((each) => before.has(address(each)));
  const left = ours.filter((each) => !undone.has(address(each)) && !isAsBefore(each) && !made.some((uri) => uri.toString() === address(each)));
  if (left.length === 0 || !ours.some((each) => undone.has(address(each)) && isAsBefore(each))) {
    return;
  }
  const edit = new vscode.WorkspaceEdit();
  const whole = left.every((each) => {
    const parts = takingBack(before.get(address(each)) ?? "", after.get(address(each)) ?? "", each.getText());
    parts?.forEach(([start, end, text]) => {
      edit.replace(each.uri, new vscode.Range(each.positionAt(start), each.positionAt(end)), text);
    });
    return parts !== undefined;
  });
  const [names, versions] = [namesOf(left.map(({ uri }) => uri)), left.map((each) => each.version)];
  await vscode.commands.executeCommand("notifications.hideToasts");
  const answer = await vscode.window.showWarningMessage(isHalfUndone(names, namesOf(made), whole), ...(whole ? [REMOVE] : []), SHOW);
  if (answer === REMOVE && left.every((each, number) => each.version === versions[number])) {
    const gone = await untouched(created, after);
    gone.forEach((uri) => {
      edit.deleteFile(uri, { ignoreIfNotExists: true });
    });
    if (await vscode.workspace.applyEdit(edit)) {
      sayBelow(isRemoved(names, namesOf(gone)), left);
    }
  }
  if (answer !== undefined) {
    await showAll(left);
  }
}

/** Files that hold nothing but what an edit wrote, or nothing. */
async function untouched(created: ReadonlySet<string>, after: ReadonlyMap<string, string>): Promise<vscode.Uri[]> {
  const texts = await textsOf([...created].map((each) => vscode.Uri.parse(each)));
  return [...texts].filter(([name, text]) => ["", after.get(name)].includes(text)).map(([name]) => vscode.Uri.parse(name));
}

function address({ uri }: vscode.TextDocument): string {
  return uri.toString();
}

function namesOf(files: readonly vscode.Uri[]): string {
  return files.map((uri) => vscode.workspace.asRelativePath(uri)).join(" and ");
}

async function showAll(documents: readonly vscode.TextDocument[], preserveFocus = false): Promise<void> {
  for (const document of documents) {
    await vscode.window.showTextDocument(document, { preserveFocus, preview: false });
  }
}

/** What files hold, as the editor or else the disk has them. */
async function textsOf(files: readonly vscode.Uri[]): Promise<Map<string, string>> {
  const open = new Map(vscode.workspace.textDocuments.map((each) => [each.uri.toString(), each.getText()]));
  const saved = async (uri: vscode.Uri): Promise<string> => new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  const texts = files.map(async (uri): Promise<[string, string]> => {
    const name = uri.toString();
    return [name, open.get(name) ?? (await saved(uri).catch(() => ""))];
  });
  return new Map(await Promise.all(texts));
}

/**
 * Create the files that the edit would create. As a part of the edit their creation would be undone by itself: that deletes
 * the file from the disk, while the draft still reads it. Text edits of several files are undone together.
 */
async function create({ edit }: ApplyWorkspaceEditParams, created: vscode.Uri[]): Promise<void> {
  for (const change of edit.documentChanges ?? []) {
    if ("kind" in change && change.kind === "create") {
      const uri = vscode.Uri.parse(change.uri);
      const exists = await vscode.workspace.fs.stat(uri).then(() => true, () => false);
      if (!exists) {
        await vscode.workspace.fs.writeFile(uri, new Uint8Array());
        created.push(uri);
      }
    }
  }
  if (edit.documentChanges !== undefined) {
    edit.documentChanges = edit.documentChanges.filter((change) => "textDocument" in change);
  }
}

function filesOf({ edit }: ApplyWorkspaceEditParams): vscode.Uri[] {
  const changed = (edit.documentChanges ?? []).flatMap((each) => ("textDocument" in each ? [each.textDocument.uri] : []));
  return [...new Set([...changed, ...Object.keys(edit.changes ?? {})])].map((each) => vscode.Uri.parse(each));
}

async function opened(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    return undefined; // it was taken away in just this moment
  }
}

/** A file that changes on the disk meanwhile, or whose author is asked something, stays as it is. */
async function save(documents: readonly vscode.TextDocument[]): Promise<void> {
  const saved = Promise.allSettled(documents.filter((each) => each.isDirty && !each.isUntitled).map((each) => each.save()));
  await Promise.race([saved, new Promise((resolve) => setTimeout(resolve, LONGEST))]);
}

/** Each in a tab, behind the one that the author looks at. */
async function show(documents: readonly vscode.TextDocument[]): Promise<void> {
  const front = vscode.window.activeTextEditor;
  await showAll(documents, true);
  if (front !== undefined) {
    await vscode.window.showTextDocument(front.document, { preserveFocus: true, preview: false, viewColumn: front.viewColumn ?? vscode.ViewColumn.Active });
  }
}

/** Name what was edited, unless it is only the file that the author is looking at. Only unsaved files need attention. */
function tell(documents: readonly vscode.TextDocument[]): void {
  const front = vscode.window.activeTextEditor?.document.uri.toString();
  if (documents.every((each) => each.uri.toString() === front)) {
    return;
  }
  const files = documents.map((each) => ({ name: vscode.workspace.asRelativePath(each.uri), saved: !each.isDirty }));
  if (files.every(({ saved }) => saved)) {
    sayBelow(wereEdited(files), documents);
    return;
  }
  void vscode.window.showInformationMessage(wereEdited(files), SHOW).then(async (answer) => {
    if (answer === SHOW) {
      await showAll(documents);
    }
  });
}

/** In the status bar, until one of the documents is changed again; where that undoes the edit, this is said instead. */
function sayBelow(message: string, documents: readonly vscode.TextDocument[]): void {
  const parts: vscode.Disposable[] = [vscode.window.setStatusBarMessage(message, SHOWN)];
  const end = (): void => {
    clearTimeout(timer);
    vscode.Disposable.from(...parts).dispose();
  };
  const timer = setTimeout(end, SHOWN);
  parts.push(
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges, reason }) => {
      if (contentChanges.length > 0 && documents.includes(document)) {
        end();
        if (reason === vscode.TextDocumentChangeReason.Undo) {
          sayBelow(UNDONE, documents);
        }
      }
    }),
  );
}

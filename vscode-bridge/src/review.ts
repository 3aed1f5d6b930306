/** A proposal, for the author to accept or to discard: new files as files, changed ones beside what is there. */

import * as vscode from "vscode";

import type { Change } from "./answers.js";

const SCHEME = "citeplug-proposal";
const TITLE = "citeplug: proposed changes";
const QUESTION = "citeplug proposes this. Nothing is written yet: accept or discard it at the top of the editor.";
const REVIEWING = "citeplug.reviewing";
const NOTES = vscode.Uri.from({ scheme: SCHEME, path: "/Notes.txt" });

export class Review implements vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly parts: vscode.Disposable[];
  private decide: ((accepted: boolean) => void) | undefined;
  private number = 0;

  constructor() {
    this.parts = [
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
        provideTextDocumentContent: (uri) => this.texts.get(uri.toString()) ?? "",
      }),
      vscode.languages.registerCodeLensProvider({ scheme: SCHEME }, { provideCodeLenses: lenses }),
      vscode.commands.registerCommand("citeplug.acceptProposal", () => this.decide?.(true)),
      vscode.commands.registerCommand("citeplug.discardProposal", () => this.decide?.(false)),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        if (closed.some(isOurs) && ours().length === 0) {
          this.decide?.(false);
        }
      }),
    ];
  }

  /** Show what would change, with notes on it, and wait for the author; false too if all of it is closed. */
  async ask(changes: readonly Change[], notes: readonly string[]): Promise<boolean> {
    this.number += 1;
    const decided = new Promise<boolean>((resolve) => {
      this.decide = resolve;
    });
    await vscode.commands.executeCommand("setContext", REVIEWING, true);
    const added = changes.filter(({ before }) => before === "").map(({ uri, after }) => this.keep(vscode.Uri.parse(uri), "after", after));
    if (notes.length > 0) {
      added.push(this.keep(NOTES, "after", `${notes.join("\n\n")}\n`));
    }
    for (const uri of added) {
      await vscode.window.showTextDocument(uri, { preview: false });
    }
    const changed = changes.filter(({ before }) => before !== "");
    if (changed.length > 0) {
      await vscode.commands.executeCommand("vscode.changes", TITLE, changed.map((change) => this.triple(change)));
      await vscode.commands.executeCommand("workbench.action.keepEditor"); // the next file that is opened would take its tab
    }
    const [first] = changes;
    if (first?.before === "" && added[0] !== undefined) {
      await vscode.window.showTextDocument(added[0], { preview: false });
    }
    // A message with buttons could not be taken back: it would offer them after the decision, too.
    const options = { location: vscode.ProgressLocation.Notification, title: QUESTION, cancellable: true };
    const accepted = await vscode.window.withProgress(options, (progress, cancellation) => {
      progress.report({ increment: 100 });
      cancellation.onCancellationRequested(() => this.decide?.(false));
      return decided;
    });
    this.decide = undefined;
    this.texts.clear();
    await vscode.commands.executeCommand("setContext", REVIEWING, false);
    await vscode.window.tabGroups.close(ours());
    return accepted;
  }

  dispose(): void {
    this.decide?.(false);
    vscode.Disposable.from(...this.parts).dispose();
  }

  /** What the multi-file diff takes: the file, what is there, what is proposed. */
  private triple({ uri, before, after }: Change): [vscode.Uri, vscode.Uri, vscode.Uri] {
    const file = vscode.Uri.parse(uri);
    return [file, this.keep(file, "before", before), this.keep(file, "after", after)];
  }

  private keep(file: vscode.Uri, side: string, text: string): vscode.Uri {
    // An address of another kind keeps its file's name and path, by which the editor knows the language.
    const uri = file.with({ scheme: SCHEME, query: `${side}${this.number}` });
    this.texts.set(uri.toString(), text);
    return uri;
  }
}

function lenses(): vscode.CodeLens[] {
  const top = new vscode.Range(0, 0, 0, 0);
  return [
    { title: "$(check) Accept", command: "citeplug.acceptProposal" },
    { title: "$(discard) Discard", command: "citeplug.discardProposal" },
    { title: "proposed, not written yet", command: "" },
  ].map((command) => new vscode.CodeLens(top, command));
}

function ours(): vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs.filter(isOurs));
}

// The editor says how many files there are behind the title of the multi-file diff.
function isOurs(tab: vscode.Tab): boolean {
  return tab.label.startsWith(TITLE) || (tab.input instanceof vscode.TabInputText && tab.input.uri.scheme === SCHEME);
}

/** A proposal beside what is there, for the author to accept or to discard. */

import * as vscode from "vscode";

import type { Change } from "./answers.js";

const SCHEME = "citeplug-proposal";
const TITLE = "citeplug: proposed section";
const REVIEWING = "citeplug.reviewing";
const ACCEPT = "Accept";
const DISCARD = "Discard";

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
      vscode.commands.registerCommand("citeplug.acceptProposal", () => this.decide?.(true)),
      vscode.commands.registerCommand("citeplug.discardProposal", () => this.decide?.(false)),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        if (closed.some(isOurs)) {
          this.decide?.(false);
        }
      }),
    ];
  }

  /** Show what would change, with notes on it, and wait for the author; false too if it is closed. */
  async ask(changes: readonly Change[], question: string, notes: readonly string[]): Promise<boolean> {
    this.number += 1;
    let answered = false as boolean;
    const decided = new Promise<boolean>((resolve) => {
      this.decide = resolve;
    });
    await vscode.commands.executeCommand("setContext", REVIEWING, true);
    const files = changes.map((change) => this.triple(change));
    if (notes.length > 0) {
      const file = vscode.Uri.from({ scheme: SCHEME, path: "/Notes.txt" });
      files.push([file, undefined, this.keep(file, "after", `${notes.join("\n\n")}\n`)]);
    }
    await vscode.commands.executeCommand("vscode.changes", TITLE, files);
    const { number } = this;
    void vscode.window.showInformationMessage(question, ACCEPT, DISCARD).then((answer) => {
      answered = true;
      // It may be the answer to an earlier question.
      if (answer !== undefined && number === this.number) {
        this.decide?.(answer === ACCEPT);
      }
    });
    const accepted = await decided;
    this.decide = undefined;
    this.texts.clear();
    if (!answered) {
      // The question cannot be taken back; it moves to the other notifications, where its buttons do nothing any more.
      await vscode.commands.executeCommand("notifications.hideToasts");
    }
    await vscode.commands.executeCommand("setContext", REVIEWING, false);
    await vscode.window.tabGroups.close(vscode.window.tabGroups.all.flatMap((group) => group.tabs.filter(isOurs)));
    return accepted;
  }

  dispose(): void {
    this.decide?.(false);
    vscode.Disposable.from(...this.parts).dispose();
  }

  /** What the multi-file diff takes: the file, what stands there, what is proposed. */
  private triple({ uri, before, after }: Change): [vscode.Uri, vscode.Uri | undefined, vscode.Uri] {
    const file = vscode.Uri.parse(uri);
    return [file, before === "" ? undefined : this.keep(file, "before", before), this.keep(file, "after", after)];
  }

  private keep(file: vscode.Uri, side: string, text: string): vscode.Uri {
    // An address of another kind keeps its file's name and path, by which the editor knows the language.
    const uri = file.with({ scheme: SCHEME, query: `${side}${this.number}` });
    this.texts.set(uri.toString(), text);
    return uri;
  }
}

// The editor says how many files there are behind the title.
function isOurs(tab: vscode.Tab): boolean {
  return tab.label.startsWith(TITLE);
}

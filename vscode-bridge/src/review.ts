/** A proposal beside what is there, for the author to accept or to discard. */

import { readFile } from "node:fs/promises";
import * as vscode from "vscode";

import type { Proposal } from "./proposal.js";

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

  /** Show a proposal, and wait for the author; false too if it is closed. */
  async ask(proposal: Proposal): Promise<boolean> {
    this.number += 1;
    const files = await Promise.all([
      this.pair(proposal.tex, proposal.texContent),
      this.pair(proposal.bib, proposal.bibContent),
    ]);
    const decided = new Promise<boolean>((resolve) => {
      this.decide = resolve;
    });
    await vscode.commands.executeCommand("setContext", REVIEWING, true);
    await vscode.commands.executeCommand("vscode.changes", TITLE, files);
    void vscode.window
      .showInformationMessage("citeplug proposes a related-work section. Nothing is written yet.", ACCEPT, DISCARD)
      .then((answer) => {
        if (answer !== undefined) {
          this.decide?.(answer === ACCEPT);
        }
      });
    const accepted = await decided;
    this.decide = undefined;
    this.texts.clear();
    await vscode.commands.executeCommand("setContext", REVIEWING, false);
    await vscode.window.tabGroups.close(
      vscode.window.tabGroups.all.flatMap((group) => group.tabs.filter(isOurs)),
    );
    return accepted;
  }

  dispose(): void {
    this.decide?.(false);
    vscode.Disposable.from(...this.parts).dispose();
  }

  /** What the multi-file diff takes: the file, what stands there, what is proposed. */
  private async pair(path: string, proposed: string): Promise<[vscode.Uri, vscode.Uri, vscode.Uri]> {
    const file = vscode.Uri.file(path);
    const before = this.keep(file, "before", (await contents(path)) ?? "");
    return [file, before, this.keep(file, "after", proposed)];
  }

  private keep(file: vscode.Uri, side: string, text: string): vscode.Uri {
    const uri = file.with({ scheme: SCHEME, query: `${side}${this.number}` });
    this.texts.set(uri.toString(), text);
    return uri;
  }
}

// The editor says how many files there are behind the title.
function isOurs(tab: vscode.Tab): boolean {
  return tab.label.startsWith(TITLE);
}

/** The text of a file; undefined if there is none. */
export async function contents(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch {
    return undefined;
  }
}

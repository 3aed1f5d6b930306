/** A proposal, for the author to have written or to discard: a new section as a file, all else beside what is there. */

import * as vscode from "vscode";

import type { Change, Preview } from "./answers.js";
import type { Sentences } from "./sentences.js";
import type { Status } from "./status.js";

const SCHEME = "citeplug-proposal";
const TITLE = "citeplug: proposed changes";
const NOT_YET = "Proposed, not written yet";
const REVIEWING = "citeplug.reviewing";
const ACCEPT = "citeplug.acceptProposal";
const DISCARD = "citeplug.discardProposal";
const SHOW_NOTES = "citeplug.showNotes";
const SHOW_OTHERS = "citeplug.showOtherChanges";
const HAS_NOTES = "citeplug.hasNotes"; // a comparison has no lens: its title leads to them, and to other changes
const HAS_OTHERS = "citeplug.hasOtherChanges";
const NOTES = vscode.Uri.from({ scheme: SCHEME, path: "/Notes.txt" });

export class Review implements vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly parts: vscode.Disposable[];
  private decide: ((accepted: boolean) => void) | undefined;
  private number = 0;
  private notes = 0;
  /** Changes beside the section: those of the draft and its bibliography. */
  private others: readonly Change[] = [];

  constructor(
    private readonly status: Status,
    private readonly sentences: Sentences,
  ) {
    this.parts = [
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
        provideTextDocumentContent: (uri) => this.texts.get(uri.toString()) ?? "",
      }),
      vscode.languages.registerCodeLensProvider({ scheme: SCHEME }, { provideCodeLenses: ({ uri }) => this.lenses(uri) }),
      vscode.window.registerFileDecorationProvider({ provideFileDecoration: decoration }),
      vscode.commands.registerCommand(SHOW_NOTES, () => vscode.window.showTextDocument(this.keptNotes(), { preview: false })),
      vscode.commands.registerCommand(SHOW_OTHERS, () => this.compare(this.others)),
      vscode.commands.registerCommand(ACCEPT, () => this.decide?.(true)),
      vscode.commands.registerCommand(DISCARD, () => this.decide?.(false)),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        if (closed.some(isOurs) && ours().length === 0) {
          this.decide?.(false);
        }
      }),
    ];
  }

  /**
   * Show what would change, with notes on it, and wait for the author. What comes back are the places of sentences that are rejected,
   * or undefined if all of it is discarded or closed.
   */
  async ask(changes: readonly Change[], notes: readonly string[], preview: Preview): Promise<readonly string[] | undefined> {
    this.number += 1;
    const decided = new Promise<boolean>((resolve) => {
      this.decide = resolve;
    });
    await vscode.commands.executeCommand("setContext", REVIEWING, true);
    this.notes = notes.length;
    await vscode.commands.executeCommand("setContext", HAS_NOTES, notes.length > 0);
    this.texts.set(this.keptNotes().toString(), `${notes.join("\n\n")}\n`);
    const [first, ...others] = changes;
    this.others = others;
    await vscode.commands.executeCommand("setContext", HAS_OTHERS, others.length > 0);
    if (first !== undefined) {
      const [, was, proposed] = this.triple(first);
      if (was === undefined) {
        await vscode.window.showTextDocument(proposed, { preview: false });
      } else {
        await vscode.commands.executeCommand("vscode.diff", was, proposed, TITLE, { preview: false });
      }
      await this.sentences.propose(proposed, preview, first);
    }
    // The buttons are in the title of each of these editors; a message would lie on the text.
    this.status.busy({ title: `${NOT_YET}. Write or discard it at the top right of the editor.`, stage: NOT_YET.toLowerCase(), waits: true });
    const accepted = await decided;
    this.decide = undefined;
    this.texts.clear();
    await vscode.commands.executeCommand("setContext", REVIEWING, false);
    await vscode.window.tabGroups.close(ours());
    this.status.busy(undefined);
    const rejected = this.sentences.decide();
    return accepted ? rejected : undefined;
  }

  dispose(): void {
    this.decide?.(false);
    vscode.Disposable.from(...this.parts).dispose();
  }

  /** Show changes of several files beside what is there, in one editor. */
  private async compare(changes: readonly Change[]): Promise<void> {
    await vscode.commands.executeCommand("vscode.changes", TITLE, changes.map((change) => this.triple(change)));
    await vscode.commands.executeCommand("workbench.action.keepEditor"); // the next file that is opened would take its tab
  }

  /** What the multi-file diff takes: the file, what is there, what is proposed. */
  private triple({ uri, before, after }: Change): [vscode.Uri, vscode.Uri | undefined, vscode.Uri] {
    const file = vscode.Uri.parse(uri);
    return [file, before === "" ? undefined : this.keep(file, "before", before), this.keep(file, "after", after)];
  }

  private keptNotes(): vscode.Uri {
    return NOTES.with({ query: String(this.number) });
  }

  /** What is above a proposed file: what decides about it, and the ways to what else would change and to the notes. */
  private lenses(uri: vscode.Uri): vscode.CodeLens[] {
    const top = new vscode.Range(0, 0, 0, 0);
    const isSection = uri.path !== NOTES.path;
    const names = this.others.map(({ uri: other }) => other.slice(other.lastIndexOf("/") + 1)).join(" and ");
    return [
      { title: "Write the Proposal", command: ACCEPT },
      { title: "Discard the Proposal", command: DISCARD },
      ...(isSection && names !== "" ? [{ title: `Show what changes in ${names}`, command: SHOW_OTHERS }] : []),
      ...(isSection && this.notes > 0 ? [{ title: this.notes === 1 ? "Read the note" : `Read the ${this.notes} notes`, command: SHOW_NOTES }] : []),
    ].map((command) => new vscode.CodeLens(top, command));
  }

  private keep(file: vscode.Uri, side: string, text: string): vscode.Uri {
    // An address of another kind keeps its file's name and path, by which the editor knows the language.
    const uri = file.with({ scheme: SCHEME, query: `${side}${this.number}` });
    this.texts.set(uri.toString(), text);
    return uri;
  }
}

function decoration({ scheme }: vscode.Uri): vscode.FileDecoration | undefined {
  return scheme === SCHEME ? new vscode.FileDecoration("P", NOT_YET, new vscode.ThemeColor("gitDecoration.addedResourceForeground")) : undefined;
}

function ours(): vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs.filter(isOurs));
}

// The editor says how many files there are behind the title of the multi-file diff.
function isOurs(tab: vscode.Tab): boolean {
  return tab.label.startsWith(TITLE) || (tab.input instanceof vscode.TabInputText && tab.input.uri.scheme === SCHEME);
}

/** What a language model writes, while it writes: a text beside the draft that is no file. */

import * as vscode from "vscode";

const SCHEME = "citeplug-writing";
const PLACE = vscode.Uri.from({ scheme: SCHEME, path: "/Related work, being written" });

export class Writing implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly provider = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    onDidChange: this.changed.event,
    provideTextDocumentContent: () => this.text,
  });
  private text = "";
  private opened: Promise<void> | undefined;

  /** One more line; the first one opens the text. */
  add(line: string): void {
    this.text += `${line}\n`;
    this.changed.fire(PLACE);
    this.opened ??= this.open();
  }

  /** The text is whole, or nobody waits for it any more. */
  async end(): Promise<void> {
    await this.opened;
    this.opened = undefined;
    this.text = "";
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    await vscode.window.tabGroups.close(
      tabs.filter(({ input }) => input instanceof vscode.TabInputText && input.uri.scheme === SCHEME),
    );
  }

  dispose(): void {
    this.provider.dispose();
    this.changed.dispose();
  }

  private async open(): Promise<void> {
    const how = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true };
    try {
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(PLACE), how);
    } catch {
      // It is shown for reading along; the section does not need it.
    }
  }
}

/** What ticks the steps of the walkthrough: contexts that become true while it is open. One that is true before, the editor passes over. */

import * as vscode from "vscode";

const DONE = "citeplug.done"; // in the extension's memory, and the contexts' first part
const OPEN = "citeplug.walkthroughIsOpen";
const DELAY = 1500; // ms in which the editor registers the steps of a walkthrough that it opens

export type Step = "cite" | "check" | "section";

export class Walkthrough implements vscode.Disposable {
  private readonly listener = vscode.window.tabGroups.onDidChangeTabs(() => {
    this.look();
  });
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly memory: vscode.Memento) {
    for (const step of this.steps) {
      void vscode.commands.executeCommand("setContext", `${DONE}.${step}`, true);
    }
    this.look();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.listener.dispose();
  }

  /** The author has done this, now or in another window. */
  did(step: Step): void {
    if (!this.steps.includes(step)) {
      void this.memory.update(DONE, [...this.steps, step]);
      void vscode.commands.executeCommand("setContext", `${DONE}.${step}`, true);
    }
  }

  private get steps(): readonly string[] {
    return this.memory.get<string[]>(DONE, []);
  }

  private look(): void {
    clearTimeout(this.timer);
    const set = (isOpen: boolean): void => void vscode.commands.executeCommand("setContext", OPEN, isOpen);
    set(false);
    // It has no kind that an extension may know, and whose it is the editor does not tell when that changes.
    if (vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ input }) => input === undefined))) {
      this.timer = setTimeout(set, DELAY, true);
    }
  }
}

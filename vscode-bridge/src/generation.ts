/** The section, a paragraph of it or its plan, written again: proposed, shown, written when it is accepted. */

import * as vscode from "vscode";

import { type Change, type Finding, isDone, isMissing, type Preview, readPreview } from "./answers.js";
import { ask } from "./asking.js";
import { text as setting } from "./chosen.js";
import { MISSING } from "./commands.js";
import { documentOf, inFront } from "./documents.js";
import type { Review } from "./review.js";
import { harmless, inSentences } from "./saying.js";
import { SECTION_HEADER } from "./section.js";
import type { Server } from "./server.js";
import type { Status } from "./status.js";
import { Writing } from "./writing.js";

/** What is to be made: a command of the server's, and its argument. */
export interface Wish {
  command: string;
  title: string;
  uri?: vscode.Uri | undefined;
  given?: Readonly<Record<string, unknown>>;
}

/** With the line by which the draft reads it: all of that is one edit, undone as one. */
export const SECTION: Wish = { command: "citeplug.server.generate", title: "Writing the related work", given: { insert: true } };
export const PARAGRAPH: Wish = { command: "citeplug.server.refreshParagraph", title: "Rewriting the paragraph" };
export const PLAN: Wish = { command: "citeplug.server.replan", title: "Making a new plan" };

const NAME_A_MODEL = "Choose a Language Model";
const NOTHING_ELSE = "nothing_else_to_write";
const SHOW_LOG = "Show the Log";

export class Generation implements vscode.Disposable {
  private readonly writing = new Writing();
  private running = false;

  constructor(
    private readonly server: Server,
    private readonly status: Status,
    private readonly review: Review,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  dispose(): void {
    this.writing.dispose();
  }

  /** For the wish's document, or else the one in front. One at a time: a second call says why it does nothing. */
  async make(wish: Wish): Promise<void> {
    const uri = documentOf(wish.uri);
    if (uri === undefined) {
      return;
    }
    if (this.running) {
      await vscode.window.showInformationMessage("citeplug is still writing, or waiting for you to write or discard its proposal.");
      return;
    }
    this.running = true;
    try {
      await this.propose(wish, uri.toString());
    } finally {
      this.running = false;
    }
  }

  /** The paragraph at the cursor. */
  async refreshParagraph(): Promise<void> {
    const editor = inFront();
    const given = editor === undefined ? {} : { line: editor.selection.active.line };
    await this.make({ ...PARAGRAPH, uri: editor?.document.uri, given });
  }

  private async propose(wish: Wish, uri: string): Promise<void> {
    const answer = await this.run(wish, uri);
    if (isMissing(answer)) {
      await vscode.commands.executeCommand(MISSING, vscode.Uri.parse(uri));
      return;
    }
    const preview = readPreview(answer);
    if (preview === undefined) {
      return; // what went wrong has been said, or it was cancelled
    }
    this.note(preview.findings);
    if (preview.changes.length === 0) {
      // A message without a button shows one line only.
      const buttons = preview.findings.some(({ code }) => code === NOTHING_ELSE) ? [NAME_A_MODEL] : [];
      void vscode.window.showInformationMessage(nothing(preview), ...buttons).then((answer) => {
        if (answer === NAME_A_MODEL) {
          void vscode.commands.executeCommand("workbench.action.openSettings", "citeplug.generate.languageModel");
        }
      });
      return;
    }
    const changes = [...preview.changes].sort((one, other) => rank(one) - rank(other));
    const confirm = vscode.workspace.getConfiguration("citeplug").get<boolean>("generate.confirm") !== false;
    const rejected = confirm ? await this.review.ask(changes, preview.findings.map(inSentences), preview) : [];
    if (rejected === undefined) {
      await ask(this.server, "citeplug.server.discardPreview", { uri, preview: preview.id });
      return;
    }
    const apply = { uri, preview: preview.id, ...(rejected.length > 0 ? { without: rejected } : {}) };
    if (isDone(await ask(this.server, "citeplug.server.applyPreview", apply))) {
      await this.show(preview, confirm);
    }
  }

  /** What would change, with progress shown and a way out. */
  private async run({ command, title, given }: Wish, uri: string): Promise<unknown> {
    this.status.busy({ title, stage: "" });
    const options = { location: vscode.ProgressLocation.Notification, title: `citeplug: ${title}`, cancellable: true };
    try {
      return await vscode.window.withProgress(options, (progress, cancellation) => {
        let reached = 0;
        const report = (message: string, percentage = 0): void => {
          progress.report({ message, increment: Math.max(percentage - reached, 0) });
          reached = Math.max(percentage, reached);
          this.status.busy({ title, stage: message });
        };
        const text = (line: string): void => {
          this.writing.add(line);
        };
        const asked = { ...given, ...model(), uri, preview: true };
        return ask(this.server, command, asked, { report, text, cancellation });
      });
    } finally {
      await this.writing.end();
      this.status.busy(undefined);
    }
  }

  private note(findings: readonly Finding[]): void {
    for (const { code, message } of findings) {
      this.log.info(`${code}: ${message}`);
    }
  }

  private async show({ changes, findings }: Preview, confirmed: boolean): Promise<void> {
    const section = changes.find(({ after }) => SECTION_HEADER.test(after));
    if (section !== undefined) {
      await vscode.window.showTextDocument(vscode.Uri.parse(section.uri), { preview: false });
    }
    // Whoever accepted it has seen the notes.
    if (findings.length > 0 && !confirmed) {
      const notes = findings.length === 1 ? "a note" : `${findings.length} notes`;
      void vscode.window.showInformationMessage(`The section is written, with ${notes} in the log.`, SHOW_LOG).then((answer) => {
        if (answer === SHOW_LOG) {
          this.log.show();
        }
      });
    }
  }
}

/** The language model that the author chose, and that its words are to be shown while it writes. */
function model(): object {
  const llm = setting("generate.languageModel");
  return llm === "" ? {} : { llm, stream: true };
}

/** The text comes first, then the draft that reads it, then the entries. */
function rank({ uri, after }: Change): number {
  return SECTION_HEADER.test(after) ? 0 : /\.bib$/i.test(vscode.Uri.parse(uri).path) ? 2 : 1;
}

/** Why nothing would change. */
function nothing({ findings }: Preview): string {
  const why = findings.find(({ code }) => code === NOTHING_ELSE);
  return why === undefined ? "The section is up to date: nothing would change." : harmless(inSentences(why));
}

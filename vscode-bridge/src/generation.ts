/** A related-work section made for the draft in front: proposed, shown as a diff, written when it is accepted. */

import * as vscode from "vscode";
import { ExecuteCommandRequest } from "vscode-languageclient/node";

import { LANGUAGES } from "./documents.js";
import type { Launch } from "./finding.js";
import { type Ended, runProgram } from "./program.js";
import { lastWords, type Step, words } from "./progress.js";
import { type Proposal, readProposal } from "./proposal.js";
import { contents, type Review } from "./review.js";
import type { Server } from "./server.js";
import type { Status } from "./status.js";

// Nothing is asked of the network or of a language model: what is sent where is a matter of the command line.
const ON_THIS_MACHINE = ["--offline", "--llm", "none", "--json"];
const READ_IT = "Make the Draft Read It";

export class Generation {
  private running = false;

  constructor(
    private readonly server: Server,
    private readonly status: Status,
    private readonly review: Review,
    private readonly log: vscode.LogOutputChannel,
    private readonly home: string,
  ) {}

  /** For a document, or else the one in front. One at a time: a second call does nothing. */
  async generate(uri?: vscode.Uri): Promise<void> {
    const launch = this.server.launch;
    if (launch === undefined) {
      await vscode.commands.executeCommand("citeplug.showMenu");
      return;
    }
    const document = await draft(uri);
    if (document === undefined || this.running) {
      return;
    }
    this.running = true;
    try {
      await this.propose(launch, document);
    } finally {
      this.running = false;
    }
  }

  private async propose(launch: Launch, document: vscode.TextDocument): Promise<void> {
    const file = document.uri.fsPath;
    const made = await this.run("Writing the related-work section", launch, ["related", file, "--diff"], true);
    const proposal = this.take(made);
    if (proposal === undefined) {
      return;
    }
    const isNew = (await contents(proposal.tex)) === undefined;
    if (await isThere(proposal)) {
      void vscode.window.showInformationMessage("The section is current: nothing would change.");
      return;
    }
    if (vscode.workspace.getConfiguration("citeplug").get<boolean>("generate.confirm") !== false) {
      if (!(await this.review.ask(proposal))) {
        return;
      }
    }
    const written = this.take(await this.run("Writing the files", launch, ["related", file], false));
    if (written === undefined) {
      return;
    }
    if (written.texContent !== proposal.texContent || written.bibContent !== proposal.bibContent) {
      void vscode.window.showWarningMessage("The project was changed meanwhile: what was written is not what was shown.");
    }
    await this.show(written, document, isNew);
  }

  /** Run the program with progress, and with a way out where `cancellable`; undefined if that was taken. */
  private async run(
    title: string,
    launch: Launch,
    words_: readonly string[],
    cancellable: boolean,
  ): Promise<Ended | undefined> {
    this.status.busy({ title, stage: "" });
    try {
      return await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Notification, title: `citeplug: ${title}`, cancellable },
        async (progress, token) => {
          const report = (step: Step): void => {
            progress.report({ message: words(step) });
            this.status.busy({ title, stage: words(step) });
          };
          const ended = await runProgram(launch, [...words_, ...ON_THIS_MACHINE], this.home, report, token);
          return token.isCancellationRequested ? undefined : ended;
        },
      );
    } finally {
      this.status.busy(undefined);
    }
  }

  private take(ended: Ended | undefined): Proposal | undefined {
    if (ended === undefined) {
      return undefined;
    }
    if (ended.stderr !== "") {
      this.log.info(ended.stderr.trimEnd());
    }
    const proposal = readProposal(ended.stdout);
    if (proposal === undefined) {
      void vscode.window.showErrorMessage(`citeplug: ${lastWords(ended.stderr)}`);
    }
    return proposal;
  }

  private async show(written: Proposal, document: vscode.TextDocument, isNew: boolean): Promise<void> {
    await vscode.window.showTextDocument(vscode.Uri.file(written.tex), { preview: false });
    const uri = document.uri.toString();
    const buttons = isNew ? [READ_IT] : [];
    const answer = await vscode.window.showInformationMessage("The section is written.", ...buttons);
    if (answer === READ_IT) {
      const argument = { command: "citeplug.server.insertSection", arguments: [{ uri }] };
      await this.server.client?.sendRequest(ExecuteCommandRequest.type, argument);
    }
  }
}

/** The draft, all of its files saved; undefined if there is none, or the author does not save. */
async function draft(uri: vscode.Uri | undefined): Promise<vscode.TextDocument | undefined> {
  const document =
    uri === undefined ? vscode.window.activeTextEditor?.document : await vscode.workspace.openTextDocument(uri);
  if (document === undefined || document.languageId === "bibtex" || !LANGUAGES.includes(document.languageId)) {
    await vscode.window.showInformationMessage("Open a LaTeX file of your draft first.");
    return undefined;
  }
  if (document.uri.scheme !== "file") {
    await vscode.window.showInformationMessage("A section can be written for a draft that lies on the disk.");
    return undefined;
  }
  const unsaved = vscode.workspace.textDocuments.filter(
    (each) => each.isDirty && each.uri.scheme === "file" && LANGUAGES.includes(each.languageId),
  );
  if (unsaved.length > 0) {
    const detail = "The section is made from your files as they are on the disk.";
    const answer = await vscode.window.showInformationMessage("Save your files first?", { modal: true, detail }, "Save");
    if (answer !== "Save") {
      return undefined;
    }
    await Promise.all(unsaved.map((each) => each.save()));
  }
  return document;
}

async function isThere(proposal: Proposal): Promise<boolean> {
  return (
    (await contents(proposal.tex)) === proposal.texContent && (await contents(proposal.bib)) === proposal.bibContent
  );
}

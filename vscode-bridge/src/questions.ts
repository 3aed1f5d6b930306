/** Questions to the draft's papers, answered in a panel beside it; a sentence of an answer can be put at the cursor. */

import * as vscode from "vscode";

import { AnswerPanel, type Act } from "./answerPanel.js";
import { type Answered, isDone, readAnswered, readPassage, readTurns } from "./answers.js";
import { ask } from "./asking.js";
import { text as setting } from "./chosen.js";
import { conversation, passage } from "./conversation.js";
import { inFront, isOurs } from "./documents.js";
import type { Server } from "./server.js";

export class Questions implements vscode.Disposable {
  private readonly panel: AnswerPanel;
  private readonly following: vscode.Disposable;
  /** The document whose project is asked, and into which sentences are inserted where its cursor stood last. */
  private draft: vscode.TextEditor | undefined;
  private turns: readonly Answered[] = [];
  private question = "";
  private running: vscode.CancellationTokenSource | undefined;

  constructor(
    private readonly server: Server,
    extension: vscode.Uri,
  ) {
    this.panel = new AnswerPanel(vscode.Uri.joinPath(extension, "media"), (act) => void this.do(act));
    this.following = vscode.window.onDidChangeActiveTextEditor((editor) => {
      if (this.draft !== undefined && editor !== undefined && isAsked(editor)) {
        this.draft = editor;
      }
    });
  }

  dispose(): void {
    this.running?.cancel();
    this.following.dispose();
    this.panel.dispose();
  }

  /** Open the panel on the draft in front, with what is selected there as the question. */
  async open(): Promise<void> {
    const editor = inFront();
    if (editor === undefined || !isAsked(editor)) {
      await vscode.window.showInformationMessage("Open a LaTeX file of your draft first.");
      return;
    }
    this.draft = editor;
    this.question = editor.document.getText(editor.selection).replaceAll(/\s+/g, " ").trim();
    this.panel.open("Ask the Papers");
  }

  private async do({ act, data }: Act): Promise<void> {
    const given = { answer: data["answer"], number: Number(data["number"]), citation: Number(data["citation"]) };
    if (act === "ready") {
      this.panel.show(this.question === "" ? { focus: true } : { focus: true, question: this.question });
      await this.load({});
    } else if (act === "new") {
      await this.load({ new: true });
    } else if (act === "ask") {
      await this.ask(data["question"] ?? "");
    } else if (act === "cancel") {
      this.running?.cancel();
    } else if (act === "insert") {
      await this.insert(given);
    } else if (act === "passage") {
      const found = readPassage(await this.send("passage", given));
      this.panel.show({ at: data["at"] ?? "", html: found === undefined ? "" : passage(found) });
    }
  }

  /** Show what was asked before, or start a new conversation. */
  private async load(given: object): Promise<void> {
    this.turns = readTurns(await this.send("conversation", given));
    this.panel.show({ at: "conversation", html: conversation(this.turns) });
  }

  private async ask(question: string): Promise<void> {
    if (this.running !== undefined) {
      return; // one at a time
    }
    this.running = new vscode.CancellationTokenSource();
    this.panel.show({ busy: true, status: "Searching the papers …" });
    const report = (status: string): void => {
      this.panel.show({ status });
    };
    try {
      const told = { report, text: report, cancellation: this.running.token };
      const answer = readAnswered(await this.send("ask", { question, ...model() }, told));
      if (answer === undefined) {
        this.panel.show({ status: this.running.token.isCancellationRequested ? "Cancelled." : "No answer." });
        return;
      }
      this.turns = [...this.turns, answer];
      this.panel.show({ at: "conversation", html: conversation(this.turns), status: "", question: "" });
    } finally {
      this.running.dispose();
      this.running = undefined;
      this.panel.show({ busy: false });
    }
  }

  /** Put a sentence at the cursor, with its citation; the entries come in the same edit. */
  private async insert(given: object): Promise<void> {
    const { draft } = this;
    if (draft === undefined) {
      return;
    }
    const { document, selection } = vscode.window.visibleTextEditors.find((editor) => editor.document === draft.document) ?? draft;
    const { line, character } = selection.active;
    if (isDone(await this.send("insertAnswer", { ...given, line, character }))) {
      await vscode.window.showTextDocument(document, { viewColumn: draft.viewColumn ?? vscode.ViewColumn.One, preserveFocus: true });
      this.panel.show({ status: "The sentence is in the draft, with its citation. Undo takes it out." });
    }
  }

  private async send(command: string, given: object, told?: Parameters<typeof ask>[3]): Promise<unknown> {
    const uri = this.draft?.document.uri.toString();
    return await ask(this.server, `citeplug.server.${command}`, { uri, ...given }, told);
  }
}

function isAsked({ document }: vscode.TextEditor): boolean {
  return isOurs(document) && document.languageId !== "bibtex";
}

/** The language model that the author named; without one the papers' own words answer. */
function model(): object {
  const llm = setting("generate.languageModel");
  return llm === "" ? {} : { llm };
}

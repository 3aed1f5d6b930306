/** Questions to the draft's papers; the answer opens beside the draft, and a sentence of it can be put at the cursor. */

import * as vscode from "vscode";

import { type Answered, readAnswered } from "./answers.js";
import { ask } from "./asking.js";
import { text as setting } from "./chosen.js";
import { inFront } from "./documents.js";
import type { Server } from "./server.js";

const INSERT = "Insert a Sentence";

interface Item extends vscode.QuickPickItem {
  number: number;
}

export async function askPapers(server: Server): Promise<void> {
  const editor = inFront();
  if (editor === undefined || editor.document.languageId === "bibtex") {
    await vscode.window.showInformationMessage("Open a LaTeX file of the draft whose papers you want to ask.");
    return;
  }
  const { document, selection } = editor;
  const question = await vscode.window.showInputBox({
    title: "Ask the Papers",
    prompt: "Answered from the papers that your draft cites or should discuss; each sentence has its source.",
    value: document.getText(selection).replaceAll(/\s+/g, " ").trim(),
    ignoreFocusOut: true, // the draft may be looked at before the question is written to its end
  });
  if (question === undefined || question.trim() === "") {
    return;
  }
  const uri = document.uri.toString();
  const options = { location: vscode.ProgressLocation.Notification, title: "Asking the papers", cancellable: true };
  const answer = readAnswered(
    await vscode.window.withProgress(options, (progress, cancellation) => {
      const report = (message: string): void => {
        progress.report({ message });
      };
      return ask(server, "citeplug.server.ask", { uri, question, ...model() }, { report, text: report, cancellation });
    }),
  );
  if (answer === undefined) {
    return;
  }
  const shown = await vscode.workspace.openTextDocument({ language: "markdown", content: answer.markdown });
  await vscode.window.showTextDocument(shown, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true });
  if (answer.sentences.length > 0 && (await vscode.window.showInformationMessage("The answer is open.", INSERT)) === INSERT) {
    await insert(server, editor, answer);
  }
}

async function insert(server: Server, editor: vscode.TextEditor, answer: Answered): Promise<void> {
  const picked = await vscode.window.showQuickPick<Item>(
    answer.sentences.map(({ text, doubt }, index) => ({ label: text, detail: doubt, number: index + 1 })),
    { title: "Insert a sentence at the cursor, with its citation", ignoreFocusOut: true },
  );
  if (picked !== undefined) {
    const { line, character } = editor.selection.active;
    const uri = editor.document.uri.toString();
    await ask(server, "citeplug.server.insertAnswer", { uri, answer: answer.id, number: picked.number, line, character });
  }
}

/** The language model that the author named; without one the papers' own words answer. */
function model(): object {
  const llm = setting("generate.languageModel");
  return llm === "" ? {} : { llm };
}

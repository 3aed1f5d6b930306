/** The first papers: the four ways of `citeplug start`. Those near the draft come at once, the others in a terminal. */

import * as vscode from "vscode";

import { readAdded, readSearches } from "./answers.js";
import { ask } from "./asking.js";
import { inFront } from "./documents.js";
import { inWords } from "./saying.js";
import type { Server } from "./server.js";

export const HAS_PAPERS = "citeplug.hasPapers"; // ticks the walkthrough's step

interface Way extends vscode.QuickPickItem {
  args?: () => Promise<readonly string[] | undefined>;
}

const NEAR = "citeplug.server.nearPapers";
const SEND = "Send";
const FIND = "Find Papers for the Draft";
const WRITE = "Write the Related Work";

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const FIELD = /^[a-z-]+(?:\.[A-Za-z-]+)?$/;

export async function getPapers(server: Server): Promise<void> {
  const launch = server.launch;
  const draft = inFront()?.document;
  if (launch === undefined) {
    await vscode.commands.executeCommand("citeplug.showMenu");
    return;
  }
  const withDraft = draft !== undefined && draft.languageId !== "bibtex";
  const file = withDraft && draft.uri.scheme === "file" ? [draft.uri.fsPath] : [];
  const picked = await vscode.window.showQuickPick(ways(withDraft), { title: "Get Papers: They Are Stored on This Machine" });
  if (picked !== undefined && picked.args === undefined && draft !== undefined) {
    await nearPapers(server, draft.uri);
    return;
  }
  const given = await picked?.args?.();
  if (given === undefined) {
    return;
  }
  const args = [...launch.args, "start", ...file, ...given];
  const scope = vscode.workspace.workspaceFolders?.[0] ?? vscode.TaskScope.Global;
  const cwd = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const execution = new vscode.ProcessExecution(launch.command, args, cwd === undefined ? {} : { cwd });
  const task = new vscode.Task({ type: "citeplug" }, scope, "Get Papers", "citeplug", execution);
  task.presentationOptions = { focus: true, clear: true };
  const running = await vscode.tasks.executeTask(task);
  const listener = vscode.tasks.onDidEndTaskProcess(({ execution: ended, exitCode }) => {
    if (ended === running) {
      listener.dispose();
      if (exitCode === 0) {
        void vscode.commands.executeCommand("setContext", HAS_PAPERS, true);
      }
    }
  });
}

/** Papers close to a draft, once the author has seen what is sent for them, and agreed. */
async function nearPapers(server: Server, uri: vscode.Uri): Promise<void> {
  const searches = readSearches(await ask(server, NEAR, { uri: uri.toString() }));
  if (searches === undefined) {
    return; // the server has said why
  }
  const lines = searches.map((search, number) => `${number + 1}. ${inWords(search) || search}`);
  const detail = `arXiv is searched for these words from your draft:\n\n${lines.join("\n")}\n\nThe papers that the draft cites are looked up by their arXiv ids. Nothing else is sent.`;
  if ((await vscode.window.showInformationMessage(`Send ${searches.length === 1 ? "this search" : `these ${searches.length} searches`} to arXiv?`, { modal: true, detail }, SEND)) !== SEND) {
    return;
  }
  const options = { location: vscode.ProgressLocation.Notification, title: "citeplug: getting papers", cancellable: true };
  const got = await vscode.window.withProgress(options, async (progress, cancellation) =>
    readAdded(await ask(server, NEAR, { uri: uri.toString(), online: true }, {
      report: (message) => {
        progress.report({ message });
      },
      cancellation,
    })),
  );
  if (got === undefined) {
    return; // cancelled, or the server has said why
  }
  void vscode.commands.executeCommand("setContext", HAS_PAPERS, got.records > 0);
  const said = `${got.added} papers added; the catalogue on this machine has ${got.records}.`;
  const answer = await vscode.window.showInformationMessage(said, FIND, WRITE);
  if (answer !== undefined) {
    await vscode.commands.executeCommand(answer === FIND ? "citeplug.findPapers" : "citeplug.generateRelatedWork");
  }
}

function ways(withDraft: boolean): Way[] {
  const near: Way = {
    label: "$(search) Papers close to this draft",
    detail: "Uses arXiv's search. You see what would be sent and are asked first. Takes a minute or two.",
  };
  return [
    ...(withDraft ? [near] : []),
    {
      label: "$(library) My own .bib files and PDFs",
      detail: "Nothing is sent.",
      args: async () => {
        const files = await vscode.window.showOpenDialog({ canSelectMany: true, canSelectFiles: true, title: "Bibliographies and PDFs" });
        return files?.flatMap(({ fsPath }) => ["--own", fsPath]);
      },
    },
    {
      label: "$(symbol-class) A field of arXiv",
      detail: "Such as cs.LG, downloaded from arXiv. You see how large it is and how long it takes first.",
      args: async () => {
        const field = await vscode.window.showInputBox({
          title: "A field of arXiv",
          placeHolder: "cs.LG",
          validateInput: (text) => (FIELD.test(text.trim()) ? undefined : "Enter an arXiv category, such as cs.LG or hep-th"),
        });
        const since = field === undefined ? undefined : await vscode.window.showInputBox({
          title: "Added or changed since",
          value: `${new Date().getFullYear() - 1}-01-01`,
          validateInput: (text) => (DAY.test(text.trim()) ? undefined : "Enter a date, such as 2024-01-31"),
        });
        return field === undefined || since === undefined ? undefined : ["--category", field.trim(), "--since", since.trim()];
      },
    },
    {
      label: "$(database) All of arXiv, or ask me in the terminal",
      detail: "Explains where to get the snapshot and what it takes.",
      args: () => Promise.resolve([]),
    },
  ];
}

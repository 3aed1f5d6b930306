/** Puts the parts together. */

import * as vscode from "vscode";

import { onOtherPython } from "./chosen.js";
import { acceptSentence, auditDraft, checkBibliography, copy, insertCitation, insertSection, rejectSentence } from "./commands.js";
import { Generation, PARAGRAPH, PLAN, SECTION, type Wish } from "./generation.js";
import { getPapers } from "./getting.js";
import { showMenu } from "./menu.js";
import { ACCEPT, type Clicked, middleware, REJECT } from "./middleware.js";
import { offer } from "./offer.js";
import { Plans } from "./plans.js";
import { Review } from "./review.js";
import { Questions } from "./questions.js";
import { searchPapers } from "./searching.js";
import { Sentences } from "./sentences.js";
import { Server } from "./server.js";
import { ShortlistView } from "./shortlistView.js";
import { SourceView } from "./sourceView.js";
import type { State } from "./state.js";
import { Status } from "./status.js";
import { thisSystem } from "./system.js";
import { type Step, Walkthrough } from "./walkthrough.js";

/** Settings by which another program may be started. */
const STARTING = ["citeplug.path", "citeplug.interpreter", "citeplug.importStrategy"];

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel("citeplug", { log: true });
  const system = thisSystem();
  const status = new Status();
  const made =
    (wish: Wish) =>
    ({ uri, given }: Clicked): Promise<void> =>
      generation.make({ ...wish, uri, given });
  const running: Server = new Server(
    system,
    log,
    middleware({
      [SECTION.command]: made(SECTION),
      [PARAGRAPH.command]: made(PARAGRAPH),
      [PLAN.command]: made(PLAN),
      "citeplug.server.checkBibliography": ({ uri, given }) => checkBibliography(running, uri, given),
      [ACCEPT]: async ({ uri, given }) => {
        if ((await acceptSentence(running, uri, given)) && given.undo !== true) {
          await sentences.decided(given.place);
        }
      },
      [REJECT]: ({ uri, given }) => rejectSentence(running, uri, given, () => void sentences.decided(given.place)),
      "citeplug.server.search": ({ given }) => searchPapers(running, typeof given.key === "string" ? given.key : undefined),
      "citeplug.server.audit": ({ uri }) => auditDraft(running, uri),
      "citeplug.server.insertSection": ({ uri }) => insertSection(running, uri),
      "citeplug.server.bibtex": async ({ uri, given }) => {
        if (uri !== undefined) {
          await copy(running, "bibtex", uri, given);
        }
      },
    }, () => {
      sentences.lookAgain();
    }, (document, ends) => {
      plans.named(document, ends);
    }, (document, position) => sentences.isRead(document, position)),
  );
  const plans = new Plans();
  const source = new SourceView(running);
  const sentences = new Sentences(running, source);
  const review = new Review(status, sentences);
  const generation = new Generation(running, status, review, log);
  const walkthrough = new Walkthrough(context.globalState);
  const questions = new Questions(running, context.extensionUri);
  server = running;
  let offered = false;

  const offerOnce = async (state: State): Promise<void> => {
    if (state.kind === "missing" && !offered) {
      offered = true;
      await install();
    }
  };
  const install = async (): Promise<void> => {
    const why = running.state.kind === "missing" ? running.state.why : [];
    if (await offer(why, system, log)) {
      await running.restart();
    }
  };
  const restart = (): void => {
    void running.restart();
  };
  const learnt = (step: Step, work: () => Promise<void>) => (): Promise<void> => {
    walkthrough.did(step);
    return work();
  };

  context.subscriptions.push(
    log,
    status,
    running,
    review,
    generation,
    source,
    questions,
    sentences,
    walkthrough,
    plans,
    new ShortlistView(running, source),
    running.onDidChange((state) => {
      status.set(state);
      void vscode.commands.executeCommand("setContext", "citeplug.state", state.kind);
      void offerOnce(state);
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (STARTING.some((name) => event.affectsConfiguration(name))) {
        restart();
      } else if (event.affectsConfiguration("citeplug")) {
        void running.configure();
      }
    }),
    onOtherPython(restart) ?? new vscode.Disposable(() => undefined),
    vscode.commands.registerCommand("citeplug.restart", () => running.restart()),
    vscode.commands.registerCommand("citeplug.showLogs", () => {
      log.show();
    }),
    vscode.commands.registerCommand("citeplug.generateRelatedWork", learnt("section", () => generation.make(SECTION))),
    vscode.commands.registerCommand("citeplug.refreshParagraph", () => generation.refreshParagraph()),
    vscode.commands.registerCommand("citeplug.replan", () => generation.make(PLAN)),
    vscode.commands.registerCommand("citeplug.insertSection", () => insertSection(running)),
    vscode.commands.registerCommand("citeplug.checkBibliography", learnt("check", () => checkBibliography(running))),
    vscode.commands.registerCommand("citeplug.audit", () => auditDraft(running)),
    vscode.commands.registerCommand("citeplug.insertCitation", learnt("cite", insertCitation)),
    vscode.commands.registerCommand("citeplug.searchPapers", () => searchPapers(running)),
    vscode.commands.registerCommand("citeplug.askPapers", () => questions.open()),
    vscode.commands.registerCommand("citeplug.getPapers", () => getPapers(running)),
    vscode.commands.registerCommand("citeplug.install", whenTrusted(install)),
    vscode.commands.registerCommand("citeplug.showMenu", () => showMenu(running.state, sentences.waiting)),
  );
  await running.restart();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}

/** In a workspace that is not trusted nothing is run; the author is asked whether it is. */
function whenTrusted(work: () => Promise<void>): () => Promise<void> {
  return async () => {
    if (vscode.workspace.isTrusted) {
      await work();
    } else {
      await vscode.commands.executeCommand("workbench.trust.manage");
    }
  };
}

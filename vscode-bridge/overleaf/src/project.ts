/** A project in a tab: what the page, the language server and the panel want of each other. */

import { Companion, type Result } from "./companion.js";
import { Documents } from "./documents.js";
import { Findings } from "./findings.js";
import type { Command, FromContent, LeftOut, Missing, Proposal, ProposedSentence, State, ToContent, Work } from "./messages.js";
import { COMMANDS } from "./messages.js";
import { onceEach } from "./once.js";
import type { Planned } from "./rebase.js";
import { Suggestions } from "./suggestions.js";
import { edited, hunks, messageOf, offsetAt, type TextEdit, without } from "./texts.js";

const TOKEN = "panel"; // of the progress of what the panel began
const NOTHING: LeftOut = { paragraphs: [], sentences: [] };

const LIMITED = /, at most \$\d+\.\d\d$/;

interface Waiting extends Proposal {
  readonly planned: readonly Planned[];
  readonly decide: (accepted: boolean) => void;
}

export class Project {
  readonly companion: Companion;
  private readonly documents: Documents;
  private readonly suggestions: Suggestions;
  readonly findings: Findings;
  private number = 0;
  private missing: Missing[] = [];
  private proposal: Waiting | undefined;
  private question: { number: number; message: string; actions: string[]; answer: (action: string) => void } | undefined;
  private leftOut = NOTHING; // of the proposal that was accepted last
  private isCiting = false; // at the cursor: the author has asked for this very edit
  private dark: boolean | null = null;
  private share = 0;
  private isStopped = false;
  private accepted: readonly Planned[] | undefined; // the author has seen the edits of the command that runs
  private undoable: { label: string; planned: readonly Planned[] } | undefined;
  private about: Work | null = null; // the paper whose entry the command that runs adds
  private busy = "";
  private notice = "";

  /** `address` is that of the tab, `send` goes to its content script, `changed` is called when the panel has to. */
  constructor(
    address: URL,
    private readonly id: string,
    private readonly send: (message: ToContent) => void,
    private readonly update: () => void,
  ) {
    this.companion = new Companion({
      ready: () => {
        this.begin();
      },
      changed: update,
      notified: (method, params) => {
        this.notified(method, params);
      },
      requested: (method, params) => this.requested(method, params),
    });
    this.documents = new Documents(`overleaf://${address.host}/${id}/`, this.companion, send, update);
    this.findings = new Findings(id, this.documents, this.companion);
    this.suggestions = new Suggestions(this.documents, this.companion, send);
  }

  state(): State {
    const { proposal, question, undoable } = this;
    return {
      link: this.companion.link,
      project: this.id,
      document: this.documents.open?.path ?? "",
      writable: this.documents.open !== undefined && !this.documents.open.readOnly,
      busy: this.busy,
      share: this.share,
      dark: this.dark,
      notice: this.notice,
      findings: this.findings.all(),
      proposal: proposal === undefined ? null : { number: proposal.number, label: proposal.label, about: proposal.about, files: proposal.files, sentences: proposal.sentences },
      missing: this.missing,
      question: question === undefined ? null : { number: question.number, message: question.message, actions: question.actions },
      undo: undoable?.label ?? "",
    };
  }

  close(): void {
    this.companion.close();
    this.decide(false);
  }

  // From the page

  hear(message: FromContent): void {
    switch (message.kind) {
      case "theme":
        this.dark = message.dark;
        this.update();
        break;
      case "complete":
        void this.suggestions.complete(message.number, message.at, message.revision);
        break;
      case "hover":
        void this.suggestions.hover(message.number, message.at, message.revision);
        break;
      case "picked":
        this.cite(this.suggestions.picked(message.number, message.index));
        break;
      case "cursor":
        this.suggestions.heardCursor(message.number, message);
        break;
      default:
        this.documents.hear(message);
    }
  }

  private cite(missing: Missing | null): void {
    if (missing !== null && !this.missing.some(({ arxiv }) => arxiv === missing.arxiv)) {
      this.missing = [...this.missing, missing];
      this.update();
    }
  }

  // From the language server

  private begin(): void {
    this.findings.clear();
    this.documents.begin();
  }

  private notified(method: string, params: Record<string, unknown>): void {
    if (method === "textDocument/publishDiagnostics") {
      const path = this.documents.pathOf(String(params["uri"]));
      if (path !== undefined) {
        this.findings.publish(path, params["diagnostics"] as Parameters<Findings["publish"]>[1]);
        this.mark(path, Number(params["version"] ?? this.documents.open?.version));
        this.update();
      }
    } else if (method === "window/showMessage") {
      this.notice = String(params["message"]);
      this.update();
    } else if (method === "$/progress" && params["token"] === TOKEN) {
      const { kind, message, percentage } = params["value"] as { kind: string; message?: string; percentage?: number };
      if (this.isStopped && kind !== "end") {
        this.companion.notify("window/workDoneProgress/cancel", { token: TOKEN });
        return;
      }
      this.busy = kind === "end" ? "" : (message ?? "Working…");
      this.share = percentage ?? 0;
      this.update();
    }
  }

  private mark(path: string, version: number): void {
    const { open } = this.documents;
    if (open?.path !== path || open.version !== version) {
      return;
    }
    this.send({ kind: "marks", revision: open.revision, marks: this.findings.marks(path, open.text) });
  }

  private async requested(method: string, params: Record<string, unknown>): Promise<unknown> {
    switch (method) {
      case "citeplug/readFile":
        return this.documents.read(String(params["uri"]));
      case "workspace/applyEdit":
        return this.applyEdit(params);
      case "window/showMessageRequest":
        return this.choose(params);
      case "window/workDoneProgress/create":
        return null;
      default:
        throw new Error(`this extension does not answer ${method}`);
    }
  }

  private choose(params: Record<string, unknown>): Promise<{ title: string } | null> {
    const actions = ((params["actions"] ?? []) as { title: string }[]).map(({ title }) => title);
    this.number += 1;
    const number = this.number;
    return new Promise((resolve) => {
      const answer = (action: string): void => {
        this.question = undefined;
        this.update();
        resolve(actions.includes(action.replace(LIMITED, "")) ? { title: action } : null);
      };
      this.question = { number, message: String(params["message"]), actions, answer };
      this.update();
    });
  }

  private async applyEdit(params: Record<string, unknown>): Promise<{ applied: boolean; failureReason?: string }> {
    const label = typeof params["label"] === "string" ? params["label"] : "Edit";
    try {
      const planned = this.plan(params["edit"] as { documentChanges?: Record<string, unknown>[] });
      const isAsked = this.isCiting && planned.every(({ path }) => path === this.documents.open?.path);
      if (this.accepted === undefined && !isAsked && !(await this.propose(label, planned))) {
        return { applied: false, failureReason: "it was not accepted" };
      }
      this.undoable = { label, planned: await this.documents.perform(planned) };
      onceEach(this.documents, this.undoable.planned).catch(() => undefined); // both stay, and the check says so
      this.update();
      return { applied: true };
    } catch (error) {
      return { applied: false, failureReason: messageOf(error) };
    }
  }

  /** The files of an edit, from the texts that the server has. */
  private plan(edit: { documentChanges?: Record<string, unknown>[] }): Planned[] {
    const planned: Planned[] = [];
    for (const change of edit.documentChanges ?? []) {
      const document = change["textDocument"] as { uri: string; version?: number | null } | undefined;
      if (document === undefined) {
        continue; // a file that is made: the edit that follows says of what
      }
      const path = this.documents.pathOf(document.uri);
      if (path === undefined) {
        throw new Error("a file outside the project would be edited");
      }
      const seen = this.accepted?.find((file) => file.path === path);
      const before = seen === undefined ? this.documents.textFor(path, document.version ?? undefined) : seen.before;
      const after = edited(before ?? "", change["edits"] as TextEdit[]);
      planned.push({ path, before, after: this.accepted === undefined ? after : without(before ?? "", after, this.leftOut.paragraphs) });
    }
    return planned;
  }

  private propose(label: string, planned: readonly Planned[], sentences: readonly ProposedSentence[] = []): Promise<boolean> {
    this.decide(false);
    this.busy = "";
    this.number += 1;
    const number = this.number;
    return new Promise((resolve) => {
      const files = planned.map(({ path, before, after }) => ({ path, isNew: before === null, hunks: hunks(before ?? "", after ?? ""), after: after ?? "" }));
      this.proposal = { number, label, about: this.about, files, sentences, planned, decide: resolve };
      this.update();
    });
  }

  // From the panel

  /** Accept a proposal, without some of it, or discard it. */
  decide(accepted: boolean, leftOut = NOTHING): void {
    const { proposal } = this;
    this.leftOut = leftOut;
    this.proposal = undefined;
    proposal?.decide(accepted);
    this.update();
  }

  reply(number: number, action: string): void {
    if (this.question?.number === number) {
      this.question.answer(action);
    }
  }

  /** Have the page show a line of a file. */
  async reveal(path: string, line: number): Promise<void> {
    try {
      await this.documents.show(path);
      const { open } = this.documents;
      if (open?.path === path) {
        this.send({ kind: "reveal", at: offsetAt(open.text, { line: line - 1, character: 0 }), revision: open.revision });
      }
    } catch (error) {
      this.notice = messageOf(error);
      this.update();
    }
  }

  dismiss(): void {
    this.notice = "";
    this.update();
  }

  /** Stop what runs; what has not begun at the server yet is stopped once it has. */
  cancel(): void {
    this.isStopped = true;
    this.busy = "Stopping…";
    this.update();
    this.companion.notify("window/workDoneProgress/cancel", { token: TOKEN });
  }

  /** Take back what was accepted last, if nobody has written there since. */
  async undo(): Promise<void> {
    const { undoable } = this;
    this.undoable = undefined;
    if (undoable === undefined) {
      return;
    }
    const planned = undoable.planned.map(({ path, before, after }) => ({ path, before: after, after: before }));
    await this.documents.perform(planned).then(
      () => {
        this.notice = `Taken back: ${undoable.label}`;
      },
      (error: unknown) => {
        this.notice = messageOf(error);
      },
    );
    this.update();
  }

  /** Run a command of the server on the open document; where no editor is, on the main file of the download. */
  async run(command: Command, argument: Record<string, unknown>, about: Work | null = null): Promise<Result> {
    if (!COMMANDS.includes(command)) {
      throw new Error("the panel has no such command");
    }
    this.isStopped = false;
    await this.documents.refresh().catch((error: unknown) => {
      this.notice = messageOf(error);
    });
    const path = this.documents.open?.path ?? this.documents.standing();
    if (path === undefined) {
      throw new Error("the project has no main file that could be read");
    }
    if (command === "checkBibliography") {
      return this.execute(command, { ...argument, uri: this.documents.uri(path) }); // it takes no time that is worth a word
    }
    const isWriting = command === "generate";
    const place = command === "insertCitation" ? await this.suggestions.cursor() : {};
    const options = { ...argument, ...place, uri: this.documents.uri(path), token: TOKEN, ...(isWriting ? { preview: true } : {}) };
    this.busy = "Working…";
    this.isCiting = command === "insertCitation";
    this.about = about;
    this.update();
    try {
      const result = await this.execute(command, options).catch((error: unknown) => {
        throw this.isStopped ? new Error("Stopped. Nothing was written.") : error;
      });
      return isWriting ? await this.preview(result, path) : command === "audit" ? this.findings.audited(result) : result;
    } finally {
      this.busy = "";
      this.isCiting = false;
      this.about = null;
      this.update();
    }
  }

  /** Show what a run wrote, and write it once it is accepted. */
  private async preview(result: Result, path: string): Promise<Result> {
    const { preview, changes, sentences } = (result ?? {}) as {
      preview?: string;
      changes?: { uri: string; before: string; after: string }[];
      sentences?: ProposedSentence[];
    };
    if (preview === undefined || changes === undefined || changes.length === 0) {
      return result;
    }
    const planned = changes.flatMap(({ uri, before, after }) => {
      const file = this.documents.pathOf(uri);
      return file === undefined ? [] : [{ path: file, before: before === "" && !this.documents.files.has(file) ? null : before, after }];
    });
    const accepted = await this.propose("Related work", planned, sentences);
    if (!accepted) {
      await this.execute("discardPreview", { uri: this.documents.uri(path), preview });
      return { ...result, accepted };
    }
    this.accepted = planned;
    try {
      const argument = { uri: this.documents.uri(path), preview, without: this.leftOut.sentences };
      return { ...(await this.execute("applyPreview", argument)), accepted };
    } finally {
      this.accepted = undefined;
      this.leftOut = NOTHING;
    }
  }

  /** Add the entry of a paper that was cited, or forget that it has none. */
  async entry(arxiv: string, add: boolean): Promise<void> {
    const missing = this.missing.find((each) => each.arxiv === arxiv);
    if (missing === undefined) {
      return;
    }
    if (add) {
      await this.run("addEntry", { arxiv_id: arxiv, key: missing.key }, missing).then(
        () => {
          this.missing = this.missing.filter((each) => each !== missing);
        },
        (error: unknown) => {
          this.notice = messageOf(error);
        },
      );
    } else {
      this.missing = this.missing.filter((each) => each !== missing);
    }
    this.update();
  }

  private async execute(command: string, argument: Record<string, unknown>): Promise<Result> {
    const asked = { command: `citeplug.server.${command}`, arguments: [argument] };
    const result = (await this.companion.request("workspace/executeCommand", asked)) as Result;
    if (result?.["done"] === false && typeof result["message"] === "string") {
      if (this.notice.endsWith(result["message"])) {
        this.notice = ""; // it is shown where it was asked for
      }
      throw new Error(result["message"]);
    }
    return result;
  }

}

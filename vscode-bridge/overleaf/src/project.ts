/** A project in a tab: what the page, the language server and the panel want of each other. */

import { Companion, type Result } from "./companion.js";
import { Documents } from "./documents.js";
import { Findings } from "./findings.js";
import type { Command, Done, FromContent, Missing, Proposal, ProposedFile, ProposedSentence, Sending, State, ToContent } from "./messages.js";
import { COMMANDS, UNDONE } from "./messages.js";
import { onceEach } from "./once.js";
import { Questions } from "./questions.js";
import { type Planned, whatIn } from "./rebase.js";
import { Suggestions } from "./suggestions.js";
import { edited, hunks, messageOf, offsetAt, type TextEdit } from "./texts.js";

const TOKEN = "panel"; // of the progress of what the panel began
// They take no time that is worth a word.
const QUICK: readonly Command[] = ["checkBibliography", "choices", "showProvenance", "accept"];
// What is taken back by a button beside it.
const OWN_UNDO: readonly Command[] = ["accept", "reject", "choose"];
// What they add is what their button says: no proposal of it is shown.
const DIRECT: readonly Command[] = [...OWN_UNDO, "addEntry", "insertCitation", "insertAnswer"];
const AT_CURSOR: readonly Command[] = ["insertCitation", "insertAnswer"];

interface Waiting extends Proposal {
  readonly decide: (accepted: boolean) => void;
  readonly revise?: (without: readonly string[]) => Promise<readonly Planned[]>;
}

export class Project {
  readonly companion: Companion;
  private readonly documents: Documents;
  private readonly suggestions: Suggestions;
  readonly findings: Findings;
  private number = 0;
  private missing: Missing[] = [];
  private proposal: Waiting | undefined;
  readonly questions: Questions;
  private leftOut: readonly string[] = []; // of the proposal that was accepted last
  private running: Pick<Done, "command" | "view"> | undefined; // the command that runs, of those that tell of their work
  private dark: boolean | null = null;
  private share = 0;
  private isStopped = false;
  private accepted: readonly Planned[] | undefined; // the author has seen the edits of the command that runs
  private edits = 0;
  private undoable: { done: Done; planned: readonly Planned[] } | undefined;
  private busy = "";
  private notice = "";
  /** What the server says by itself; the answer to a command may say the same. */
  private said = "";

  /** `address` is that of the tab, `send` goes to its content script, `changed` is called when the panel has to. */
  constructor(
    address: URL,
    id: string,
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
    this.questions = new Questions(update);
    this.documents = new Documents(`overleaf://${address.host}/${id}/`, this.companion, send, update);
    this.findings = new Findings(id, this.documents, this.companion, update);
    this.suggestions = new Suggestions(this.documents, this.companion, send);
  }

  state(): State {
    const { proposal, questions, undoable } = this;
    return {
      link: this.companion.link,
      document: this.documents.open?.path ?? "",
      writable: this.documents.open !== undefined && !this.documents.open.readOnly,
      busy: this.busy,
      share: this.share,
      dark: this.dark,
      notice: [this.notice, this.said].filter(Boolean).join(" "),
      findings: this.findings.all(),
      proposal: proposal === undefined ? null : { number: proposal.number, label: proposal.label, files: proposal.files, sentences: proposal.sentences },
      missing: this.missing,
      question: questions.shown === null ? null : { ...questions.shown, view: this.running?.view ?? "" },
      undo: undoable?.done ?? null,
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
      this.said = String(params["message"]);
      this.update();
    } else if (method === "$/progress" && params["token"] === TOKEN) {
      const { kind, message, percentage } = params["value"] as { kind: string; message?: string; percentage?: number };
      if (this.isStopped && kind !== "end") {
        this.companion.notify("window/workDoneProgress/cancel", { token: TOKEN });
        return;
      }
      this.busy = kind === "end" ? "" : (message ?? this.busy);
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
        return this.questions.choose(params);
      case "citeplug/maySend":
        return this.questions.maySend(params as unknown as Sending);
      case "window/workDoneProgress/create":
        return null;
      default:
        throw new Error(`this extension does not answer ${method}`);
    }
  }

  private async applyEdit(params: Record<string, unknown>): Promise<{ applied: boolean; failureReason?: string }> {
    const label = typeof params["label"] === "string" ? params["label"] : "Edit";
    try {
      const planned = this.plan(params["edit"] as { documentChanges?: Record<string, unknown>[] });
      const done = this.running ?? { command: "applyFix", view: "" };
      if (this.accepted === undefined && !DIRECT.includes(done.command) && !(await this.propose(label, planned))) {
        return { applied: false, failureReason: "it was not accepted" };
      }
      const performed = await this.findings.during(() => this.documents.perform(planned));
      this.edits += 1;
      this.undoable = OWN_UNDO.includes(done.command) ? undefined : { done: { ...done, number: this.edits, what: whatIn(performed, done.command, this.documents.open?.path) }, planned: performed };
      onceEach(this.documents, performed).catch(() => undefined); // both stay, and the check says so
      this.update();
      return { applied: true };
    } catch (error) {
      if (this.accepted === undefined && !DIRECT.includes(this.running?.command ?? "applyFix")) {
        this.notice = messageOf(error); // the card of the finding may be another one by now
      }
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
      planned.push({ path, before, after: edited(before ?? "", change["edits"] as TextEdit[]) });
    }
    return planned;
  }

  private propose(label: string, planned: readonly Planned[], sentences: readonly ProposedSentence[] = [], revise?: Waiting["revise"]): Promise<boolean> {
    this.decide(false);
    this.busy = "";
    this.number += 1;
    const number = this.number;
    return new Promise((resolve) => {
      this.proposal = { number, label, files: planned.map(shown), sentences, decide: resolve, ...(revise === undefined ? {} : { revise }) };
      this.update();
    });
  }

  // From the panel

  /** Show the files as they are to be without some paragraphs and sentences of the proposal. */
  async revise(without: readonly string[]): Promise<void> {
    const { proposal } = this;
    this.leftOut = without;
    const planned = await proposal?.revise?.(without).catch(() => undefined);
    if (planned !== undefined && this.leftOut === without && this.proposal?.number === proposal?.number) {
      this.proposal = { ...this.proposal, files: planned.map(shown) } as Waiting;
      this.update();
    }
  }

  /** Accept a proposal, without some of it, or discard it. */
  decide(accepted: boolean, leftOut: readonly string[] = []): void {
    const { proposal } = this;
    this.leftOut = leftOut;
    this.proposal = undefined;
    proposal?.decide(accepted);
    this.update();
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
    this.notice = this.said = "";
    this.update();
  }

  /** Stop what runs; what has not begun at the server yet is stopped once it has. */
  cancel(): void {
    this.isStopped = true;
    this.busy = "Stopping…";
    this.update();
    this.companion.notify("window/workDoneProgress/cancel", { token: TOKEN });
  }

  /** Undo what was accepted last, if nobody has written there since. */
  async undo(): Promise<void> {
    const { undoable } = this;
    this.undoable = undefined;
    if (undoable === undefined) {
      return;
    }
    const planned = undoable.planned.map(({ path, before, after }) => ({ path, before: after, after: before }));
    this.notice = await this.findings.during(() => this.documents.perform(planned)).then(() => `${UNDONE}${undoable.done.what}.`, messageOf);
    this.update();
  }

  /** Run a command of the server on the open document; where no editor is, on the main file of the download. */
  async run(command: Command, argument: Record<string, unknown>, view: string): Promise<Result> {
    if (!COMMANDS.includes(command)) {
      throw new Error("the panel has no such command");
    }
    this.isStopped = false;
    if (!QUICK.includes(command)) {
      this.notice = this.said = "";
    }
    await this.documents.refresh().catch((error: unknown) => {
      this.notice = messageOf(error);
    });
    const path = this.documents.open?.path ?? this.documents.standing();
    if (path === undefined) {
      throw new Error("the project has no main file that could be read");
    }
    if (QUICK.includes(command)) {
      return this.execute(command, { ...argument, uri: this.documents.uri(path) });
    }
    const isWriting = command === "generate";
    const hasPlace = "line" in argument; // as what mends a finding has, in a document of its own
    const place = AT_CURSOR.includes(command) && !hasPlace ? await this.suggestions.cursor() : {};
    const at = hasPlace ? (this.documents.pathOf(String(argument["uri"])) ?? path) : path;
    const options = { ...argument, ...place, token: TOKEN, ...(isWriting ? { preview: true } : {}) };
    this.busy = command === "search" ? "Searching…" : DIRECT.includes(command) ? "Writing…" : "Reading the draft…"; // until the server says more
    this.running = { command, view };
    this.update();
    try {
      const result = await this.documents.during(at, (uri) => this.execute(command, { ...options, uri })).catch((error: unknown) => {
        throw this.isStopped ? new Error("Stopped. Nothing was written.") : error;
      });
      return isWriting ? await this.preview(result, path) : command === "audit" ? this.findings.audited(result) : result;
    } finally {
      this.busy = "";
      this.running = undefined;
      this.update();
    }
  }

  /** Show what a run wrote, and write it once it is accepted. */
  private async preview(result: Result, path: string): Promise<Result> {
    type Files = { uri: string; before: string; after: string }[];
    const { preview, changes, sentences } = (result ?? {}) as { preview?: string; changes?: Files; sentences?: ProposedSentence[] };
    if (preview === undefined || changes === undefined || changes.length === 0) {
      return result;
    }
    const plannedOf = (files: Files): Planned[] =>
      files.flatMap(({ uri, before, after }) => {
        const file = this.documents.pathOf(uri);
        return file === undefined ? [] : [{ path: file, before: before === "" && !this.documents.files.has(file) ? null : before, after }];
      });
    const planned = plannedOf(changes);
    const accepted = await this.propose("Related work", planned, sentences, async (without) => {
      const left = await this.execute("applyPreview", { uri: this.documents.uri(path), preview, without, dry_run: true });
      return plannedOf((left?.["changes"] ?? []) as Files);
    });
    if (!accepted) {
      await this.execute("discardPreview", { uri: this.documents.uri(path), preview });
      return { ...result, accepted };
    }
    this.accepted = planned;
    try {
      const argument = { uri: this.documents.uri(path), preview, without: this.leftOut };
      return { ...(await this.execute("applyPreview", argument)), accepted };
    } finally {
      this.accepted = undefined;
      this.leftOut = [];
    }
  }

  /** Add the entry of a paper that was cited, or forget that it has none. */
  async entry(arxiv: string, add: boolean): Promise<void> {
    const missing = this.missing.find((each) => each.arxiv === arxiv);
    if (missing === undefined) {
      return;
    }
    const problem = add ? await this.run("addEntry", { arxiv_id: arxiv, key: missing.key }, "Papers").then(() => "", messageOf) : "";
    this.notice = problem || this.notice;
    this.missing = this.missing.filter((other) => problem !== "" || other !== missing);
    this.update();
  }

  private async execute(command: string, argument: Record<string, unknown>): Promise<Result> {
    const asked = { command: `citeplug.server.${command}`, arguments: [argument] };
    const result = (await this.companion.request("workspace/executeCommand", asked)) as Result;
    if (result?.["done"] === false && typeof result["message"] === "string") {
      if (this.said.endsWith(result["message"])) {
        this.said = ""; // it is shown where it was asked for
        this.update();
      }
      throw new Error(result["message"]);
    }
    return result;
  }
}

function shown({ path, before, after }: Planned): ProposedFile {
  return { path, isNew: before === null, hunks: hunks(before ?? "", after ?? ""), after: after ?? "" };
}

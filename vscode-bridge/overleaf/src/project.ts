/** A project in a tab: its documents, as the page shows them and as the language server knows them. */

import { Companion, type Result } from "./companion.js";
import type { Card, Command, FromContent, Mark, Missing, Offer, Proposal, ProposedSentence, State, ToContent } from "./messages.js";
import { COMMANDS } from "./messages.js";
import { type Planned, rebased } from "./rebase.js";
import {
  type Change,
  changed,
  edited,
  hunks,
  minimalChanges,
  normalized,
  offsetAt,
  positionAt,
  type Range,
  type TextEdit,
  untaken,
  without,
} from "./texts.js";

const APPEARING = 15_000; // ms until another file is in the editor
const FRESH = 10_000; // ms; Overleaf allows ten downloads a minute
const PAUSES = [0, 150, 450, 1_200]; // ms before each time that papers are asked for
const MOST_OFFERS = 40;
const LARGEST = 10_000_000; // characters of a document
const PATH = /^[^\0-\x1f\\]{1,1000}$/;
const TOKEN = "panel"; // of the progress of what the panel began
const RECENT = 8; // versions of the open document that an edit of the server may still be for
const ATTEMPTS = 20; // to edit a document in which others type without a pause

interface Open {
  readonly path: string;
  readOnly: boolean;
  text: string;
  revision: number; // of the page
  version: number; // of the server
  readonly recent: Map<number, string>; // the text of the last versions
}

interface Waiting extends Proposal {
  readonly planned: readonly Planned[];
  readonly decide: (accepted: boolean) => void;
}

interface Completion {
  textEdit?: { range: Range; newText: string };
  label: string;
  labelDetails?: { detail?: string; description?: string };
  detail?: string;
  command?: { arguments?: { arxiv_id?: unknown; key?: unknown }[] };
}

interface Diagnostic {
  range: Range;
  severity?: number;
  message: string;
}

export class Project {
  readonly companion: Companion;
  private readonly home: string; // with which the addresses of its documents begin
  private files = new Map<string, string>();
  private readonly told = new Map<string, string>(); // what the server was answered of files that are not open
  private readonly diagnostics = new Map<string, Diagnostic[]>();
  private open: Open | undefined;
  private stand: string | undefined; // a document of the download, open at the server where no editor is
  private path = ""; // of the document that the page is about to tell of
  private followed = Promise.resolve(); // what the page told of its editor, in its order
  private downloaded: Promise<void> | undefined;
  private downloadedAt = 0;
  private number = 0;
  private readonly asked = new Map<number, (message: FromContent & { kind: "did" }) => void>();
  private readonly applying = new Map<number, (problem: string) => void>();
  private readonly offered = new Map<number, (Missing | null)[]>();
  private shownHook: (() => void)[] = [];
  private missing: Missing[] = [];
  private proposal: Waiting | undefined;
  private question: { number: number; message: string; actions: string[]; answer: (action: string) => void } | undefined;
  private leftOut: readonly string[] = []; // paragraphs of the proposal that was accepted last
  private dark: boolean | null = null;
  private share = 0;
  private isStopped = false;
  private accepted: readonly Planned[] | undefined; // the author has seen the edits of the command that runs
  private undoable: { label: string; planned: readonly Planned[] } | undefined;
  private busy = "";
  private notice = "";

  /** `address` is that of the tab, `send` goes to its content script, `changed` is called when the panel has to. */
  constructor(
    address: URL,
    private readonly id: string,
    private readonly send: (message: ToContent) => void,
    private readonly update: () => void,
  ) {
    this.home = `overleaf://${address.host}/${id}/`;
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
  }

  state(): State {
    const { proposal, question, undoable } = this;
    return {
      link: this.companion.link,
      project: this.id,
      document: this.open?.path ?? "",
      writable: this.open !== undefined && !this.open.readOnly,
      busy: this.busy,
      share: this.share,
      dark: this.dark,
      notice: this.notice,
      findings: [...this.diagnostics].flatMap(([path, found]) =>
        found.map(({ range, severity, message }) => ({ path, line: range.start.line + 1, severity: severityOf(severity), message })),
      ),
      proposal: proposal === undefined ? null : { number: proposal.number, label: proposal.label, files: proposal.files, sentences: proposal.sentences },
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
      case "path":
        this.path = PATH.test(message.path) ? message.path : "";
        break;
      case "theme":
        this.dark = message.dark;
        this.update();
        break;
      case "opened":
        if (typeof message.text === "string" && message.text.length <= LARGEST) {
          const { path } = this;
          this.follow(() => this.opened(message, path));
        }
        break;
      case "changed":
        this.follow(() => {
          this.edited(message.changes, message.revision);
        });
        break;
      case "locked":
        this.follow(() => {
          this.lock(message.readOnly);
        });
        break;
      case "complete":
        void this.complete(message.number, message.at, message.revision);
        break;
      case "hover":
        void this.hover(message.number, message.at, message.revision);
        break;
      case "picked":
        this.picked(message.number, message.index);
        break;
      case "applied":
        this.applying.get(message.number)?.(message.problem);
        break;
      case "closed":
        this.follow(() => {
          this.shut();
          this.update();
        });
        break;
      case "did":
        this.asked.get(message.number)?.(message);
        this.asked.delete(message.number);
        break;
    }
  }

  /** The path of an opened document may have to be looked for: what is typed meanwhile waits. */
  private follow(step: () => void | Promise<void>): void {
    this.followed = this.followed.then(step, step);
  }

  private lock(readOnly: boolean): void {
    if (this.open !== undefined) {
      this.open.readOnly = readOnly;
      this.update();
    }
  }

  private async opened({ name, text, revision, readOnly }: FromContent & { kind: "opened" }, known: string): Promise<void> {
    const path = known || (await this.pathNamed(name, text));
    this.shut();
    this.open = { path, text, revision, version: 1, readOnly, recent: new Map([[1, text]]) };
    this.files.set(path, text);
    this.tellOpen();
    for (const resume of this.shownHook.splice(0)) {
      resume();
    }
    void this.companion.connect();
    this.update();
  }

  /** The path of a document that the file tree does not show: the file of that name, or of that text among several. */
  private async pathNamed(name: string, text: string): Promise<string> {
    await this.refresh().catch(() => undefined);
    const paths = [...this.files.keys()].filter((path) => path === name || path.endsWith(`/${name}`));
    return paths.find((path) => this.files.get(path) === text) ?? paths[0] ?? name;
  }

  private tellOpen(): void {
    if (this.open !== undefined && this.companion.link === "on") {
      this.shutStand();
      this.didOpen(this.open.path, this.open.text, this.open.version);
    }
  }

  private didOpen(path: string, text: string, version: number): void {
    const languageId = path.endsWith(".bib") ? "bibtex" : "latex";
    this.companion.notify("textDocument/didOpen", { textDocument: { uri: this.uri(path), languageId, version, text } });
  }

  private shut(): void {
    if (this.open !== undefined) {
      this.files.set(this.open.path, this.open.text);
      this.companion.notify("textDocument/didClose", { textDocument: { uri: this.uri(this.open.path) } });
      this.open = undefined;
    }
  }

  private shutStand(): void {
    if (this.stand !== undefined) {
      this.companion.notify("textDocument/didClose", { textDocument: { uri: this.uri(this.stand) } });
      this.stand = undefined;
    }
  }

  private edited(changes: readonly Change[], revision: number): void {
    if (this.open === undefined || revision !== this.open.revision + 1) {
      return;
    }
    const before = this.open.text;
    // From the end, so that each position is that of the text before.
    const contentChanges = [...changes]
      .sort((one, two) => two.from - one.from)
      .map(({ from, to, insert }) => ({ range: rangeIn(before, from, to), text: insert }));
    this.open.text = changed(before, changes);
    this.open.revision = revision;
    this.open.version += 1;
    this.open.recent.set(this.open.version, this.open.text).delete(this.open.version - RECENT);
    const textDocument = { uri: this.uri(this.open.path), version: this.open.version };
    this.companion.notify("textDocument/didChange", { textDocument, contentChanges });
  }

  private async complete(number: number, at: number, revision: number): Promise<void> {
    const { open } = this;
    let offers: Offer[] = [];
    if (open !== undefined && open.revision === revision) {
      const { text } = open;
      const found = await this.completions(open, at, revision);
      const items = found.filter(({ textEdit }) => textEdit !== undefined).slice(0, MOST_OFFERS);
      const typed = (edit: { range: Range }): string =>
        text.slice(offsetAt(text, edit.range.start), offsetAt(text, edit.range.end)).toLowerCase();
      // The editor itself offers the keys that have what was typed.
      const others = items.filter(({ textEdit, command }) => textEdit !== undefined && (command !== undefined || !textEdit.newText.toLowerCase().includes(typed(textEdit))));
      offers = others.map(({ textEdit, label, labelDetails, detail }) => ({
        label,
        detail: labelDetails?.description ?? labelDetails?.detail?.trim() ?? "",
        about: detail ?? "",
        insert: textEdit?.newText ?? "",
        from: offsetAt(text, textEdit?.range.start ?? { line: 0, character: 0 }),
        to: offsetAt(text, textEdit?.range.end ?? { line: 0, character: 0 }),
      }));
      this.offered.clear();
      this.offered.set(number, others.map(({ command, label }) => missingOf(command?.arguments?.[0], label)));
    }
    this.send({ kind: "offers", number, offers });
  }

  /**
   * The server answers with what it has at once. The page's editor asks again only when more is typed, so this asks again
   * where papers have not come yet.
   */
  private async completions(open: Open, at: number, revision: number): Promise<Completion[]> {
    let items: Completion[] = [];
    for (const pause of PAUSES) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      if (this.open !== open || open.revision !== revision) {
        break;
      }
      const found = (await this.ask("textDocument/completion", open, at)) as { items?: Completion[] } | null | undefined;
      items = found?.items ?? [];
      if (items.length === 0 || items.some(({ command }) => command !== undefined)) {
        break; // it is no citation, or papers are among them
      }
    }
    return items;
  }

  private picked(number: number, index: number): void {
    const missing = this.offered.get(number)?.[index];
    if (missing !== undefined && missing !== null && !this.missing.some(({ arxiv }) => arxiv === missing.arxiv)) {
      this.missing = [...this.missing, missing];
      this.update();
    }
  }

  private async hover(number: number, at: number, revision: number): Promise<void> {
    const { open } = this;
    let card: Card | null = null;
    if (open !== undefined && open.revision === revision) {
      const { text } = open;
      const found = (await this.ask("textDocument/hover", open, at)) as { contents?: { value?: string }; range?: Range } | null | undefined;
      if (typeof found?.contents?.value === "string") {
        const { range } = found;
        const [from, to] = range === undefined ? [at, at] : [offsetAt(text, range.start), offsetAt(text, range.end)];
        card = { text: found.contents.value, from, to };
      }
    }
    this.send({ kind: "card", number, card });
  }

  private async ask(method: string, open: Open, at: number): Promise<unknown> {
    const params = { textDocument: { uri: this.uri(open.path) }, position: positionAt(open.text, at) };
    return this.companion.request(method, params).catch(() => undefined);
  }

  // From the language server

  private begin(): void {
    this.told.clear();
    this.diagnostics.clear();
    this.stand = undefined;
    this.tellOpen();
  }

  private notified(method: string, params: Record<string, unknown>): void {
    if (method === "textDocument/publishDiagnostics") {
      const path = this.pathOf(String(params["uri"]));
      if (path !== undefined) {
        this.diagnostics.set(path, params["diagnostics"] as Diagnostic[]);
        this.mark(path, Number(params["version"] ?? this.open?.version));
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
    const { open } = this;
    if (open?.path !== path || open.version !== version) {
      return;
    }
    const marks: Mark[] = (this.diagnostics.get(path) ?? []).map(({ range, severity, message }) => ({
      from: offsetAt(open.text, range.start),
      to: offsetAt(open.text, range.end),
      severity: severityOf(severity),
      message,
    }));
    this.send({ kind: "marks", revision: open.revision, marks });
  }

  private async requested(method: string, params: Record<string, unknown>): Promise<unknown> {
    switch (method) {
      case "citeplug/readFile":
        return this.read(String(params["uri"]));
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

  private async read(uri: string): Promise<{ text: string } | null> {
    const path = this.pathOf(uri);
    if (path === undefined) {
      return null;
    }
    if (this.open?.path === path) {
      return { text: this.open.text };
    }
    await (this.downloaded ?? this.refresh());
    const text = this.files.get(path);
    if (text === undefined) {
      this.told.delete(path);
      return null;
    }
    this.told.set(path, text);
    return { text };
  }

  private choose(params: Record<string, unknown>): Promise<{ title: string } | null> {
    const actions = ((params["actions"] ?? []) as { title: string }[]).map(({ title }) => title);
    this.number += 1;
    const number = this.number;
    return new Promise((resolve) => {
      const answer = (action: string): void => {
        this.question = undefined;
        this.update();
        resolve(actions.includes(action) ? { title: action } : null);
      };
      this.question = { number, message: String(params["message"]), actions, answer };
      this.update();
    });
  }

  private async applyEdit(params: Record<string, unknown>): Promise<{ applied: boolean; failureReason?: string }> {
    const label = typeof params["label"] === "string" ? params["label"] : "Edit";
    try {
      const planned = this.plan(params["edit"] as { documentChanges?: Record<string, unknown>[] });
      if (this.accepted === undefined && !(await this.propose(label, planned))) {
        return { applied: false, failureReason: "it was not accepted" };
      }
      this.undoable = { label, planned: await this.perform(planned) };
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
      const path = this.pathOf(document.uri);
      if (path === undefined) {
        throw new Error("a file outside the project would be edited");
      }
      const before = this.textFor(path, document.version ?? undefined);
      const after = edited(before ?? "", change["edits"] as TextEdit[]);
      planned.push({ path, before, after: this.accepted === undefined ? after : without(before ?? "", after, this.leftOut) });
    }
    return planned;
  }

  /** The text that an edit of the server is for: the one that the author has seen, or the one of that version. */
  private textFor(path: string, version: number | undefined): string | null {
    const seen = this.accepted?.find((file) => file.path === path);
    if (seen !== undefined) {
      return seen.before;
    }
    if (this.open?.path !== path) {
      return this.told.get(path) ?? null;
    }
    const text = version === undefined ? this.open.text : this.open.recent.get(version);
    if (text === undefined) {
      throw new Error(`${path} was changed in the meantime; nothing was edited`);
    }
    return text;
  }

  private propose(label: string, planned: readonly Planned[], sentences: readonly ProposedSentence[] = []): Promise<boolean> {
    this.decide(false);
    this.busy = "";
    this.number += 1;
    const number = this.number;
    return new Promise((resolve) => {
      const files = planned.map(({ path, before, after }) => ({ path, isNew: before === null, hunks: hunks(before ?? "", after ?? ""), after: after ?? "" }));
      this.proposal = { number, label, files, sentences, planned, decide: resolve };
      this.update();
    });
  }

  /**
   * Make the edits of all files, or of none: each is opened in the page and changed by one transaction, beside what
   * others have written since. What was changed, from what to what.
   */
  private async perform(planned: readonly Planned[]): Promise<Planned[]> {
    if (this.open === undefined) {
      throw new Error("there is no editor to write in");
    }
    const first = this.open.path;
    if (planned.some(({ path }) => path !== first)) {
      await this.refresh(true);
    }
    for (const file of planned) {
      const { path } = file;
      const letter = untaken(minimalChanges(file.before ?? "", file.after ?? ""));
      if (letter !== undefined) {
        throw new Error(`Overleaf does not take the letter ${letter} that is to be in ${path}; nothing was edited`);
      }
      try {
        rebased(file, (path === this.open.path ? this.open.text : this.files.get(path)) ?? null);
      } catch (error) {
        throw new Error(`${messageOf(error)}; nothing was edited`);
      }
    }
    const done: Planned[] = [];
    try {
      // The shown file last: another document takes the editor's undo of it away.
      for (const file of [...planned].sort((one, two) => Number(one.path === first) - Number(two.path === first))) {
        done.push(await this.write(file));
      }
      return done;
    } catch (error) {
      const left: string[] = [];
      for (const { path, before, after } of [...done].reverse()) {
        await this.write({ path, before: after, after: before }).catch(() => left.push(path));
      }
      const why = messageOf(error);
      throw new Error(left.length === 0 ? `${why}; nothing was edited` : `${why}; ${left.join(", ")} could not be changed back`);
    } finally {
      await this.show(first).catch(() => undefined);
    }
  }

  private async write(file: Planned): Promise<Planned> {
    const { path, before, after } = file;
    if (after === null) {
      await this.remove(path, before ?? "");
      return file;
    }
    if (before === null) {
      await this.tell("create", path);
    }
    await this.show(path);
    for (let attempt = 1; ; attempt += 1) {
      const { open } = this;
      if (open?.path !== path) {
        throw new Error(`${path} was left in the meantime`);
      }
      const { text, revision } = open;
      const next = rebased({ path, before: before ?? "", after }, text) ?? "";
      const problem = await this.apply(revision, minimalChanges(text, next));
      if (problem === "") {
        return { path, before: before === null ? null : text, after: next };
      }
      await this.followed; // what was typed while the changes were on their way
      if (this.open?.revision === revision || attempt === ATTEMPTS) {
        throw new Error(problem);
      }
    }
  }

  private async apply(revision: number, changes: Change[]): Promise<string> {
    this.number += 1;
    const number = this.number;
    const problem = await new Promise<string>((resolve) => {
      this.applying.set(number, resolve);
      this.send({ kind: "apply", number, revision, changes });
    });
    this.applying.delete(number);
    return problem;
  }

  /** Delete a file; where Overleaf does not, it is left empty. */
  private async remove(path: string, text: string): Promise<void> {
    if (this.open?.path === path) {
      const other = [...this.files.keys()].find((each) => each !== path && each.endsWith(".tex"));
      await (other === undefined ? Promise.resolve() : this.show(other));
    }
    try {
      await this.tell("remove", path);
    } catch {
      await this.write({ path, before: text, after: "" });
      return;
    }
    this.files.delete(path);
    this.companion.notify("workspace/didChangeWatchedFiles", { changes: [{ uri: this.uri(path), type: 3 }] });
  }

  /** Have the page show a file in its editor. */
  private async show(path: string): Promise<void> {
    if (this.open?.path === path) {
      return;
    }
    const there = new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => {
        reject(new Error(`${path} did not open in the editor`));
      }, APPEARING);
      const look = (): void => {
        if (this.open?.path === path) {
          clearTimeout(late);
          resolve();
        } else {
          this.shownHook.push(look);
        }
      };
      look();
    });
    there.catch(() => undefined); // where the click fails first
    await this.tell("open", path);
    await there;
  }

  private async tell(kind: "read" | "open" | "create" | "remove", path: string): Promise<FromContent & { kind: "did" }> {
    this.number += 1;
    const number = this.number;
    const answer = await new Promise<FromContent & { kind: "did" }>((resolve) => {
      this.asked.set(number, resolve);
      this.send({ kind, number, path });
    });
    if (answer.problem !== "") {
      throw new Error(answer.problem);
    }
    return answer;
  }

  /** Read the project again, if that was not done just now, and tell the server of what changed. */
  private refresh(always = false): Promise<void> {
    if (this.downloaded !== undefined && !always && Date.now() - this.downloadedAt < FRESH) {
      return this.downloaded;
    }
    this.downloadedAt = Date.now();
    this.downloaded = this.tell("read", "").then(({ files }) => {
      const now = new Map(files?.filter(([path, text]) => PATH.test(path) && typeof text === "string").map(([path, text]) => [path, normalized(text)]));
      if (this.open !== undefined) {
        now.set(this.open.path, this.open.text);
      }
      const paths = new Set([...this.files.keys(), ...now.keys()]);
      const differ = [...paths].filter((path) => this.files.get(path) !== now.get(path) && path !== this.open?.path);
      const known = this.files.size > 0;
      this.files = now;
      if (known && differ.length > 0) {
        const changes = differ.map((path) => ({ uri: this.uri(path), type: now.has(path) ? 2 : 3 }));
        this.companion.notify("workspace/didChangeWatchedFiles", { changes });
      }
    });
    this.downloaded.catch(() => {
      this.downloaded = undefined;
    });
    return this.downloaded;
  }

  // From the panel

  /** Accept a proposal, without some of its paragraphs, or discard it. */
  decide(accepted: boolean, leftOut: readonly string[] = []): void {
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
      await this.show(path);
      const { open } = this;
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
    await this.perform(planned).then(
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
  async run(command: Command, argument: Record<string, unknown>): Promise<Result> {
    if (!COMMANDS.includes(command)) {
      throw new Error("the panel has no such command");
    }
    this.isStopped = false;
    await this.refresh().catch((error: unknown) => {
      this.notice = messageOf(error);
    });
    const path = this.open?.path ?? this.standing();
    if (path === undefined) {
      throw new Error("the project has no main file that could be read");
    }
    const isWriting = command === "generate";
    const options = { ...argument, uri: this.uri(path), token: TOKEN, ...(isWriting ? { preview: true } : {}) };
    this.busy = "Working…";
    this.update();
    try {
      const result = await this.execute(command, options).catch((error: unknown) => {
        throw this.isStopped ? new Error("Stopped. Nothing was written.") : error;
      });
      return isWriting ? await this.preview(result, path) : result;
    } finally {
      this.busy = "";
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
      const file = this.pathOf(uri);
      return file === undefined ? [] : [{ path: file, before: before === "" && !this.files.has(file) ? null : before, after }];
    });
    const accepted = await this.propose("Related work", planned, sentences);
    if (!accepted) {
      await this.execute("discardPreview", { uri: this.uri(path), preview });
      return { ...result, accepted };
    }
    this.accepted = planned;
    try {
      return { ...(await this.execute("applyPreview", { uri: this.uri(path), preview })), accepted };
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
    if (add) {
      await this.run("addEntry", { arxiv_id: arxiv, key: missing.key }).then(
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

  private standing(): string | undefined {
    if (this.stand === undefined) {
      const main = [...this.files].filter(([path, text]) => path.endsWith(".tex") && /^[^%\n]*\\documentclass/m.test(text));
      const [path, text] = main.sort(([one], [two]) => one.split("/").length - two.split("/").length || one.localeCompare(two))[0] ?? [];
      if (path !== undefined && text !== undefined) {
        this.stand = path;
        this.didOpen(path, text, 1);
      }
    }
    return this.stand;
  }

  private uri(path: string): string {
    return this.home + path.split("/").map(encodeURIComponent).join("/");
  }

  private pathOf(uri: string): string | undefined {
    return uri.startsWith(this.home) ? decodeURIComponent(uri.slice(this.home.length)) : undefined;
  }
}

function missingOf(argument: { arxiv_id?: unknown; key?: unknown } | undefined, title: string): Missing | null {
  const { arxiv_id: arxiv, key } = argument ?? {};
  return typeof arxiv === "string" && typeof key === "string" ? { arxiv, key, title } : null;
}

function severityOf(severity: number | undefined): Mark["severity"] {
  return severity === 1 ? "error" : severity === 2 ? "warning" : "info";
}

function rangeIn(text: string, from: number, to: number): Range {
  return { start: positionAt(text, from), end: positionAt(text, to) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

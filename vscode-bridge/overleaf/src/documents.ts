/** The documents of a project: as the page shows them, as the language server knows them, and how they are edited. */

import type { Companion } from "./companion.js";
import type { FromContent, ToContent } from "./messages.js";
import { type Planned, rebased } from "./rebase.js";
import { type Change, changed, messageOf, minimalChanges, normalized, rangeIn, untaken } from "./texts.js";

const APPEARING = 15_000; // ms until another file is in the editor
const FRESH = 10_000; // ms; Overleaf allows ten downloads a minute
const LARGEST = 10_000_000; // characters of a document
const PATH = /^[^\0-\x1f\\]{1,1000}$/;
const RECENT = 8; // versions of the open document that an edit of the server may still be for
const ATTEMPTS = 20; // to edit a document in which others type without a pause

export interface Open {
  readonly path: string;
  readOnly: boolean;
  text: string;
  revision: number; // of the page
  version: number; // of the server
  readonly recent: Map<number, string>; // the text of the last versions
}

export class Documents {
  files = new Map<string, string>();
  open: Open | undefined;
  private readonly told = new Map<string, string>(); // what the server was answered of files that are not open
  private stand: string | undefined; // a document of the download, open at the server where no editor is
  private path = ""; // of the document that the page is about to tell of
  private followed = Promise.resolve(); // what the page told of its editor, in its order
  private downloaded: Promise<void> | undefined;
  private downloadedAt = 0;
  private number = 0;
  private readonly asked = new Map<number, (message: FromContent & { kind: "did" }) => void>();
  private readonly applying = new Map<number, (problem: string) => void>();
  private shownHook: (() => void)[] = [];

  /** The addresses of the documents begin with `home`; `update` is called when the panel has to show something else. */
  constructor(
    private readonly home: string,
    private readonly companion: Companion,
    private readonly send: (message: ToContent) => void,
    private readonly update: () => void,
  ) {}

  hear(message: FromContent): void {
    switch (message.kind) {
      case "path":
        this.path = PATH.test(message.path) ? message.path : "";
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

  /** A language server begins, and knows nothing. */
  begin(): void {
    this.told.clear();
    this.stand = undefined;
    this.tellOpen();
  }

  /** The text that an edit of the server is for; null for a file that is to be made. */
  textFor(path: string, version: number | undefined): string | null {
    if (this.open?.path !== path) {
      return this.told.get(path) ?? null;
    }
    const text = version === undefined ? this.open.text : this.open.recent.get(version);
    if (text === undefined) {
      throw new Error(`${path} was changed in the meantime; nothing was edited`);
    }
    return text;
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

  async read(uri: string): Promise<{ text: string } | null> {
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

  /**
   * Make the edits of all files, or of none: each is opened in the page and changed by one transaction, beside what
   * others have written since. What was changed, from what to what.
   */
  async perform(planned: readonly Planned[]): Promise<Planned[]> {
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
  async show(path: string): Promise<void> {
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
  refresh(always = false): Promise<void> {
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

  /** Ask the server of a file, which is open there meanwhile. */
  async during<T>(path: string, ask: (uri: string, text: string) => Promise<T>): Promise<T> {
    const [uri, text, shown] = [this.uri(path), this.files.get(path) ?? "", this.open];
    if (shown?.path === path || this.stand === path) {
      return ask(uri, shown?.path === path ? shown.text : text);
    }
    this.didOpen(path, text, 1);
    try {
      return await ask(uri, text);
    } finally {
      if (this.open?.path !== path) {
        this.companion.notify("textDocument/didClose", { textDocument: { uri } });
      }
    }
  }

  standing(): string | undefined {
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

  uri(path: string): string {
    return this.home + path.split("/").map(encodeURIComponent).join("/");
  }

  pathOf(uri: string): string | undefined {
    return uri.startsWith(this.home) ? decodeURIComponent(uri.slice(this.home.length)) : undefined;
  }
}

/** The findings on a project: those of the server's own check, those of an audit, and what mends them. */

import type { Companion, Result } from "./companion.js";
import type { Documents } from "./documents.js";
import { type Finding, type Fix, type Mark, NEWER } from "./messages.js";
import { entryAt, offsetAt, type Range } from "./texts.js";

const FIXES = ["addEntry", "applyFix", "replaceKey", "checkBibliography", "insertCitation", "choose"] as const;

interface Diagnostic {
  range: Range;
  severity?: number;
  code?: string;
  message: string;
  data?: { message?: string; fix?: string };
}

const OF_A_FILE = "entry_unchecked"; // one finding on all entries of a file that have no record here

const SETTLING = 2_000; // ms until the server has checked what was edited

export class Findings {
  private readonly diagnostics = new Map<string, Diagnostic[]>();
  private standing: Finding[] | undefined;
  private settling: ReturnType<typeof setTimeout> | undefined;

  /** `project` is its id in addresses. */
  constructor(
    private readonly project: string,
    private readonly documents: Documents,
    private readonly companion: Companion,
    private readonly update: () => void,
  ) {}

  /** Tell of nothing new while files are edited: between two of them a key may have no entry. */
  async during<T>(edit: () => Promise<T>): Promise<T> {
    clearTimeout(this.settling);
    this.standing ??= this.all();
    try {
      return await edit();
    } finally {
      clearTimeout(this.settling);
      this.settling = setTimeout(() => {
        this.standing = undefined;
        this.update();
      }, SETTLING);
    }
  }

  clear(): void {
    this.standing = undefined;
    this.diagnostics.clear();
  }

  publish(path: string, diagnostics: Diagnostic[]): void {
    this.diagnostics.set(path, diagnostics);
  }

  all(): Finding[] {
    return this.standing ?? [...this.diagnostics].flatMap(([path, found]) =>
      found.map(({ range, severity, code = "", message, data }) => {
        const parts = { message: data?.message ?? message, fix: data?.fix ?? "" };
        const finding = this.located({ path, line: range.start.line + 1, severity: severityOf(severity), code, ...parts });
        return code === "undefined_key" ? { ...finding, entry: this.textAt(path, range) } : finding;
      }),
    );
  }

  /** Where the findings on a document are in its text. */
  marks(path: string, text: string): Mark[] {
    return (this.diagnostics.get(path) ?? []).map(({ range, severity, message }) => ({
      from: offsetAt(text, range.start),
      to: offsetAt(text, range.end),
      severity: severityOf(severity),
      message,
    }));
  }

  /** The answer of an audit, with the findings at their places in the project. */
  audited(result: Result): Result {
    const found = (result?.["findings"] ?? []) as { severity: string; code: string; message: string; fix?: string; arxiv_id?: string | null; file?: string | null; line?: number | null }[];
    const missing = (result?.["missing"] ?? []) as { arxiv_id: string; title: string; by: string; why: string }[];
    const findings = found.map(({ severity, code, message, fix = "", arxiv_id: arxiv, file, line }) => {
      const work = code === "missing_work" ? missing.find(({ arxiv_id: id }) => id === arxiv) : undefined;
      // A list of ids names works that have cards beside it.
      const told = code === NEWER ? missing.reduce((text, { arxiv_id: id, by }) => text.replaceAll(`arXiv:${id}`, by), message) : message;
      return this.located({ severity, code, message: told, fix, path: file?.split(`/${this.project}/`)[1] ?? "", line: line ?? 0, ...(arxiv ? { arxiv } : {}), ...(work === undefined ? {} : { work }) });
    });
    return { ...result, findings };
  }

  /** What mends the findings on a line of a file, by the server's own actions there. */
  async fixes(path: string, line: number): Promise<Fix[]> {
    const diagnostics = (this.diagnostics.get(path) ?? []).filter(({ range }) => range.start.line === line - 1);
    const actions = await this.documents.during(path, (uri, text) => {
      const character = /^\s*/.exec(text.split("\n")[line - 1] ?? "")?.[0].length ?? 0;
      const start = diagnostics[0]?.range.start ?? { line: line - 1, character };
      return this.companion.request("textDocument/codeAction", { textDocument: { uri }, range: { start, end: start }, context: { diagnostics } });
    });
    return ((actions ?? []) as { title: string; command?: { command: string; arguments?: Record<string, unknown>[] } }[]).flatMap(({ title, command }) => {
      const name = FIXES.find((fix) => command?.command === `citeplug.server.${fix}`);
      const argument = command?.arguments?.[0];
      return name === undefined || argument === undefined ? [] : [{ title, command: name, argument }];
    });
  }

  private located(finding: Omit<Finding, "entry">): Finding {
    const isOfEntry = finding.path.endsWith(".bib") && finding.code !== OF_A_FILE;
    return { ...finding, entry: isOfEntry ? entryAt(this.text(finding.path), finding.line) : "" };
  }

  private text(path: string): string {
    const { open, files } = this.documents;
    return (open?.path === path ? open.text : files.get(path)) ?? "";
  }

  private textAt(path: string, { start, end }: Range): string {
    const text = this.text(path);
    return text.slice(offsetAt(text, start), offsetAt(text, end));
  }
}

function severityOf(severity: number | undefined): Mark["severity"] {
  return severity === 1 ? "error" : severity === 2 ? "warning" : "info";
}

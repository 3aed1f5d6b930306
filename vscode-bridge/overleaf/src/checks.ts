/** What the tabs Check and Audit show: findings, what mends them, and what was looked at. */

import { asked } from "./consent.js";
import { counted, paragraph } from "./elements.js";
import type { Command, Finding, Fix } from "./messages.js";
import { accountOf, findingsOf, type ForFinding } from "./views.js";

type Result = Record<string, unknown>;

interface ForChecks {
  readonly run: (command: Command, argument?: Result) => Promise<Result>;
  readonly fixesOf: (path: string, line: number) => Promise<readonly Fix[]>;
  readonly reveal: (path: string, line: number) => void;
  readonly draw: () => void;
  readonly writable: () => boolean;
  readonly search: (words: string) => void;
  readonly undone: ForFinding["undone"];
}

/** How many there are of each kind, worst first; notes are no fault. */
export function problemsIn(findings: readonly Finding[]): number {
  return findings.filter(({ severity }) => severity === "error" || severity === "warning").length;
}

function counts(findings: readonly Finding[]): string {
  const [errors, all] = [findings.filter(({ severity }) => severity === "error").length, problemsIn(findings)];
  const named: [number, string][] = [[errors, "error"], [all - errors, "warning"], [findings.length - all, "note"]];
  return named.filter(([number]) => number > 0).map(([number, noun]) => counted(number, noun)).join(", ");
}

export class Checks {
  audited: readonly Finding[] = []; // by the last audit
  private summary = ""; // of the last check
  private readonly mended = new Map<string, Promise<readonly Fix[]>>(); // by place and message of a finding
  private readonly forFinding: ForFinding;

  constructor(private readonly panel: ForChecks) {
    this.forFinding = {
      reveal: panel.reveal,
      fixes: async ({ path, line, message }) => {
        const name = JSON.stringify([path, line, message]);
        const asking = this.mended.get(name) ?? panel.fixesOf(path, line);
        this.mended.set(name, asking);
        return panel.writable() ? asking : [];
      },
      apply: ({ command, argument }) => panel.run(command, argument),
      search: panel.search,
      undone: panel.undone,
    };
  }

  forget(): void {
    this.summary = "";
    this.audited = [];
    this.forgetFixes();
  }

  forgetFixes(): void {
    this.mended.clear();
  }

  parts(findings: readonly Finding[]): HTMLElement[] {
    const head = findings.length === 0 ? "Nothing is wrong with what was read" : counts(findings);
    return [
      paragraph(head, "summary"),
      ...(this.summary === "" ? [] : [paragraph(this.summary, "small")]),
      ...findingsOf(findings, this.forFinding),
    ];
  }

  /** Count the entries of the project by their verdict, without a word of progress. */
  async count(): Promise<void> {
    const result: Result = await this.panel.run("checkBibliography").catch(() => ({ summary: this.summary })); // it is counted again after the next change
    const told = typeof result["summary"] === "string" ? result["summary"] : "";
    if (told !== this.summary) {
      this.summary = told;
      this.panel.draw();
    }
  }

  /** Audit the draft; `checked` are the findings of the check, which are not its own. */
  async audit(checked: () => readonly Finding[]): Promise<HTMLElement[]> {
    const result = (await this.panel.run("audit", asked.online ? { online: true } : {})) as Partial<Audited>;
    const { findings = [], looked_at: looked = [], not_looked_at: left = [], entries = 0, compared = 0, commands = [] } = result;
    this.audited = findings;
    this.panel.draw();
    const open = entries - compared;
    const lacking = entries === 0 ? [] : [open === 0 ? "every entry was compared with a record" : `${open} of ${entries} entries could not be compared with a record`];
    const isBare = findings.length === 0 && open + left.length > 0; // nothing is no verdict on what was not looked at
    const head = paragraph(`${[findings.length === 0 ? "Nothing found" : counts(findings), ...lacking].join("; ")}.`, isBare ? "" : "summary");
    const others = checked().filter((one) => !findings.some(({ code, path, line }) => code === one.code && path === one.path && line === one.line));
    const further = others.length > 0 ? [paragraph(`Under Check: ${counts(others)}.`, "small")] : [];
    return [head, ...further, ...findingsOf(findings, this.forFinding), ...accountOf(looked, left, commands, isBare)];
  }
}

interface Audited {
  readonly findings: readonly Finding[];
  readonly looked_at: readonly string[];
  readonly not_looked_at: readonly string[];
  readonly entries: number;
  readonly compared: number;
  readonly commands: readonly string[];
}

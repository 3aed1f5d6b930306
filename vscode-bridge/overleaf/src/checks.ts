/** What the tabs Check and Audit show: findings, what mends them, and what was looked at. */

import { asked } from "./consent.js";
import { paragraph } from "./elements.js";
import type { Command, Finding, Fix } from "./messages.js";
import { accountOf, findingsOf, type ForFinding } from "./views.js";

type Result = Record<string, unknown>;

const CHECKED = [
  ["keys that are cited and defined nowhere", "entries against their records in your library", "the form of each entry, and entries that stand twice"],
  ["arXiv's own records: the audit asks for them where you allow it", "what your sentences say of the works: the audit compares it"],
] as const;

interface ForChecks {
  readonly run: (command: Command, argument?: Result) => Promise<Result>;
  readonly fixesOf: (path: string, line: number) => Promise<readonly Fix[]>;
  readonly reveal: (path: string, line: number) => void;
  readonly draw: () => void;
  readonly writable: () => boolean;
}

export class Checks {
  audited = 0; // findings of the last audit
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
    };
  }

  forget(): void {
    this.summary = "";
    this.audited = 0;
    this.forgetFixes();
  }

  forgetFixes(): void {
    this.mended.clear();
  }

  parts(findings: readonly Finding[]): HTMLElement[] {
    return [
      ...(this.summary === "" ? [] : [paragraph(this.summary, "summary")]),
      ...accountOf(...CHECKED),
      ...findingsOf(findings, "Nothing is wrong with the citations and entries that were read.", this.forFinding),
    ];
  }

  /** Count the entries of the project by their verdict, without a word of progress. */
  async count(): Promise<void> {
    const result: Result = await this.panel.run("checkBibliography").catch(() => ({}));
    const told = typeof result["summary"] === "string" ? result["summary"] : "";
    if (told !== this.summary) {
      this.summary = told;
      this.panel.draw();
    }
  }

  async audit(): Promise<HTMLElement[]> {
    const result = await this.panel.run("audit", asked.online ? { online: true } : {});
    const findings = (result["findings"] ?? []) as Finding[];
    const { length } = findings;
    const account = accountOf((result["looked_at"] ?? []) as string[], (result["not_looked_at"] ?? []) as string[]);
    this.audited = length;
    this.panel.draw();
    const count = paragraph(length === 0 ? "No findings in what was checked." : `${length} ${length === 1 ? "finding" : "findings"}, worst first`, "summary");
    return [count, ...account, ...(length === 0 ? [] : findingsOf(findings, "", this.forFinding))];
  }
}

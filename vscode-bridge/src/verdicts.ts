/** What a check of a bibliography came to, in words. */

export interface Checked {
  verdicts: Readonly<Record<string, number>>;
  worst: string;
}

// In the order in which they are shown; the names are those of `citeplug check --format json`.
const WORDS: readonly (readonly [string, string])[] = [
  ["verified", "verified"],
  ["differs", "different from the record"],
  ["not_found", "not found"],
  ["possibly_withdrawn", "possibly withdrawn"],
  ["not_arxiv", "with no arXiv record"],
  ["unchecked", "not checked"],
];

export function isChecked(value: unknown): value is Checked {
  return (
    typeof value === "object" &&
    value !== null &&
    "verdicts" in value &&
    typeof value.verdicts === "object" &&
    "worst" in value &&
    typeof value.worst === "string"
  );
}

export function summary({ verdicts }: Checked): string {
  const all = Object.values(verdicts).reduce((sum, count) => sum + count, 0);
  const told = WORDS.flatMap(([name, words]) => ((verdicts[name] ?? 0) > 0 ? [`${verdicts[name] ?? 0} ${words}`] : []));
  return all === 0 ? "The bibliography has no entries." : `${all} entr${all === 1 ? "y" : "ies"}: ${told.join(", ")}.`;
}

export interface Audit {
  done: true;
  findings: readonly unknown[];
}

export function isAudit(answer: unknown): answer is Audit {
  const found = answer as Partial<Audit> | null | undefined;
  return typeof found === "object" && found !== null && found.done === true && Array.isArray(found.findings);
}

/** What an audit found beside the check of the bibliography. */
export function auditSummary(audit: Audit): string {
  const kinds = audit.findings.map((each) => {
    const { code, severity } = each as { code?: unknown; severity?: unknown };
    return severity === "error" || severity === "warning" ? "problem" : code === "newer_than_draft" ? "note" : "suggestion";
  });
  const parts = ["problem", "suggestion", "note"].flatMap((kind) => {
    const count = kinds.filter((each) => each === kind).length;
    return count > 0 ? [`${String(count)} ${kind}${count === 1 ? "" : "s"}`] : [];
  });
  return parts.length === 0 ? "The audit found nothing beyond what the check reports." : `The audit found ${parts.join(", ")}.`;
}

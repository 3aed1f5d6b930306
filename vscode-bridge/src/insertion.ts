/** How a paper is named where the cursor is: in a citation, in a plan, or by a new citation. */

export interface Insertion {
  /** Characters of the line, half-open, that `text` takes the place of. */
  start: number;
  end: number;
  text: string;
}

const OPEN_CITATION = /\\[A-Za-z]*cite[A-Za-z]*\*?\s*(?:\[[^\]]*\]\s*)*\{([^{}]*)$/i;
const DIRECTIVE = /^\s*%+\s*citeplug:\s*\d+\b/;

/** Whether a line is one of a plan: in the section, or in `citeplugplan` where `above` leaves that open. */
export function isPlan(line: string, above: string): boolean {
  return DIRECTIVE.test(line) || above.lastIndexOf("\\begin{citeplugplan}") > above.lastIndexOf("\\end{citeplugplan}");
}

/** A key at a column of a line; inside of a citation it joins the keys that are there. */
export function citing(line: string, column: number, key: string): Insertion {
  const open = OPEN_CITATION.exec(line.slice(0, column));
  if (open === null) {
    return { start: column, end: column, text: `\\cite{${key}}` };
  }
  const before = (open[1] ?? "").trimEnd();
  const after = /^[^{}]*/.exec(line.slice(column))?.[0].trim() ?? "";
  const text = `${before === "" || before.endsWith(",") ? "" : ", "}${key}${after === "" || after.startsWith(",") ? "" : ", "}`;
  return { start: column, end: column, text };
}

/** A paper at the end of a plan's line, beside those that it names. */
export function planning(line: string, arxivId: string): Insertion {
  const end = line.trimEnd().length;
  const named = /\[([^[\]]*)\]$/.exec(line.trimEnd());
  if (named === null) {
    return { start: end, end, text: ` [${arxivId}]` };
  }
  const inside = (named[1] ?? "").trim();
  return { start: end - 1, end: end - 1, text: inside === "" || inside.endsWith(",") ? arxivId : `, ${arxivId}` };
}

/** Where texts stand, as offsets; undefined unless every one of them stands there, and once. */
export function placesOf(text: string, parts: readonly string[] | undefined): [number, number][] | undefined {
  const places = (parts ?? []).map((part): [number, number] => [text.indexOf(part), text.indexOf(part) + part.length]);
  const once = places.every(([start, end]) => start >= 0 && end > start && !text.includes(text.slice(start, end), start + 1));
  return parts !== undefined && parts.length > 0 && once ? places : undefined;
}

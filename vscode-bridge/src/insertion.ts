/** How a paper is named in a plan, and how what an edit added is taken out again. */

interface Insertion {
  /** Characters of the line, half-open, that `text` takes the place of. */
  start: number;
  end: number;
  text: string;
}

const DIRECTIVE = /^\s*%+\s*citeplug:\s*\d+\b/;

/** Whether a line is one of a plan: in the section, or in `citeplugplan` where `above` leaves that open. */
export function isPlan(line: string, above: string): boolean {
  return DIRECTIVE.test(line) || above.lastIndexOf("\\begin{citeplugplan}") > above.lastIndexOf("\\end{citeplugplan}");
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

/**
 * Parts of `now`, as offsets, and the texts that they took the place of, by which all is gone that made `after` of `before`; undefined
 * unless each such part stands there as it did, and once.
 */
export function takingBack(before: string, after: string, now: string): [number, number, string][] | undefined {
  const [old, lines] = [before, after].map((text) => text.split(/(?<=\n)/)) as [string[], string[]];
  const parts: [string, string][] = [];
  let at = 0;
  for (let line = 0; line < lines.length; ) {
    if (lines[line] === old[at]) {
      line += 1;
      at += 1;
      continue;
    }
    const again = lines.indexOf(old[at] ?? "", line);
    const end = again < 0 ? line + 1 : again;
    parts.push([lines.slice(line, end).join(""), again < 0 ? (old[at] ?? "") : ""]);
    at += again < 0 ? 1 : 0;
    line = end;
  }
  const isOnce = (text: string, part: string): boolean => text.indexOf(part) >= 0 && text.indexOf(part) === text.lastIndexOf(part);
  const known = parts.length > 0 && parts.every(([part]) => isOnce(after, part) && isOnce(now, part));
  const undone = parts.reduce((text, [part, instead]) => text.replace(part, () => instead), after);
  return known && undone === before ? parts.map(([part, instead]) => [now.indexOf(part), now.indexOf(part) + part.length, instead]) : undefined;
}

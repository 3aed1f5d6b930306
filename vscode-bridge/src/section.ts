/** The lines of a section that are citeplug's own (docs: the grammar of related.tex). */

const OURS = /^[ \t]*%[ \t]*citeplug:/;
const BEGIN = /^[ \t]*%[ \t]*citeplug:begin\b[ \t]*(?:(?![A-Za-z]+\d*=)(\S+))?/;
const END = /^[ \t]*%[ \t]*citeplug:end\b/;
const HEADING = /^[ \t]*%[ \t]*citeplug:heading[ \t]+/;
const HEADER = /^[ \t]*%[ \t]*citeplug:[ \t]*\d+[ \t]*$/;
const ENDS = /^[ \t]*%[ \t]*citeplug:(?:begin|end|note)\b/;

/** What a section's file begins with. */
export const SECTION_HEADER = /^\s*% ?citeplug: ?\d/;

/** The plan of a paragraph: its name, and its first and last line, from 0. */
export interface Plan {
  name: string;
  start: number;
  end: number;
}

/** What of a line is for citeplug alone, as columns, and what a reader sees in its place. */
export interface Hidden {
  line: number;
  start: number;
  end: number;
  label: string;
}

/** The lines, from 0, that are for citeplug and not for readers. */
export function planLines(text: string): number[] {
  return linesOf(text).flatMap((line, number) => (OURS.test(line) ? [number] : []));
}

/** Each block's head and plan; those without a plan have nothing to fold. */
export function planFolds(text: string): Plan[] {
  const lines = linesOf(text);
  return lines.flatMap((line, start): Plan[] => {
    const begin = BEGIN.exec(line);
    if (begin === null) {
      return [];
    }
    let end = start;
    while (OURS.test(lines[end + 1] ?? "") && !ENDS.test(lines[end + 1] ?? "")) {
      end += 1;
    }
    return end > start ? [{ name: begin[1] ?? line.trim(), start, end }] : [];
  });
}

/** What is hidden of a section: all of the lines that begin and end a paragraph, the mark of the others, and `ids` in them. */
export function hiddenParts(text: string, ids: ReadonlySet<string> = new Set()): Hidden[] {
  const lines = linesOf(text);
  if (!lines.some((line) => BEGIN.test(line))) {
    return []; // it is no section: what the author tells citeplug there stays as it is
  }
  return lines.flatMap((content, line): Hidden[] => {
    const mark = OURS.exec(content)?.[0].length;
    if (mark === undefined || HEADER.test(content)) {
      return []; // what is wrong with the section is marked at its header
    }
    const whole = { line, start: 0, end: content.length };
    const heading = HEADING.exec(content)?.[0].length;
    if (heading !== undefined) {
      return [{ line, start: 0, end: heading, label: "Heading: " }];
    }
    return BEGIN.test(content) ? [{ ...whole, label: aim(content) }] : END.test(content) ? [{ ...whole, label: "" }] : [{ line, start: 0, end: mark, label: "" }, ...named(content, line, ids)];
  });
}

/** The ids in the bracket at the end of a plan's line. */
function named(content: string, line: number, ids: ReadonlySet<string>): Hidden[] {
  const bracket = /\[[^[\]]*\]\s*$/.exec(content);
  const words = [...(bracket?.[0] ?? "").matchAll(/[^\s,;[\]{}]+/g)].filter(([word]) => ids.has(word));
  return words.map(({ 0: word, index }) => ({ line, start: (bracket?.index ?? 0) + index, end: (bracket?.index ?? 0) + index + word.length, label: "" }));
}

/** What a paragraph is planned to be. */
function aim(line: string): string {
  const count = (name: string): string => new RegExp(`\\b${name}=(\\d+)`).exec(line)?.[1] ?? "";
  const [sentences, words] = [count("sentences"), count("words")];
  const parts = [sentences === "" ? "" : `${sentences} sentence${sentences === "1" ? "" : "s"}`, words === "" ? "" : `about ${words} words`];
  return ["Plan", parts.filter((part) => part !== "").join(", ")].filter((part) => part !== "").join(": ");
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/);
}

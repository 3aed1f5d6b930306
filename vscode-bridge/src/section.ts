/** The lines of a section that are citeplug's own (docs: the grammar of related.tex). */

const OURS = /^[ \t]*%[ \t]*citeplug:/;
const BEGIN = /^[ \t]*%[ \t]*citeplug:begin\b/;
const ENDS = /^[ \t]*%[ \t]*citeplug:(?:begin|end|note)\b/;

/** The lines, from 0, that are for citeplug and not for readers. */
export function planLines(text: string): number[] {
  return text.split(/\r\n|\r|\n/).flatMap((line, number) => (OURS.test(line) ? [number] : []));
}

/** First and last line, from 0, of each block's head and plan; those without a plan have nothing to fold. */
export function planFolds(text: string): [number, number][] {
  const lines = text.split(/\r\n|\r|\n/);
  return lines.flatMap((line, start): [number, number][] => {
    if (!BEGIN.test(line)) {
      return [];
    }
    let end = start;
    while (OURS.test(lines[end + 1] ?? "") && !ENDS.test(lines[end + 1] ?? "")) {
      end += 1;
    }
    return end > start ? [[start, end]] : [];
  });
}

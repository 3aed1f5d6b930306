/** The parts of a card, by the Markdown of the server: all of it becomes text, links as well. */

export interface CardPart {
  readonly kind: "verdict" | "title" | "quote" | "about" | "rule";
  readonly text: string;
}

const LINK = /\[((?:\\.|[^\]\\])*)\]\([^()\s]*\)/g;

export function cardParts(markdown: string): CardPart[] {
  const parts: CardPart[] = [];
  let verdict: CardPart[] = []; // stands below the title, authors, venue and year of what it is on
  let isFirst = true;
  let isAfterTitle = false;
  for (const block of markdown.split("\n\n")) {
    const lines = block.split("  \n");
    const title = /^\*\*([^]*)\*\*$/.exec(block)?.[1];
    if (block === "---") {
      parts.push(...verdict, { kind: "rule", text: "" });
      verdict = [];
    } else if (title !== undefined) {
      parts.push({ kind: "title", text: words(title) });
    } else if (block.startsWith("> ")) {
      parts.push({ kind: "quote", text: `“${words(block.slice(2))}”` });
    } else if (isFirst) {
      verdict = [{ kind: "verdict", text: sentence(lines.map(words)) }];
    } else {
      // Under a title are its venue and year, and its authors: a reader looks for the authors.
      const text = isAfterTitle && lines.length === 2 ? lines.reverse().join(" · ") : lines.join("\n");
      parts.push({ kind: "about", text: words(text) }, ...verdict);
      verdict = [];
    }
    isAfterTitle = title !== undefined;
    isFirst = block === "---";
  }
  return [...parts, ...verdict];
}

/** A verdict and what it rests on, in one sentence. */
function sentence([verdict = "", ...evidence]: readonly string[]): string {
  const text = [verdict, ...(evidence.length > 0 ? [evidence.join("; ")] : [])].join(": ");
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

function words(markdown: string): string {
  return markdown.replace(LINK, "$1").replace(/\\([^A-Za-z0-9\s])/g, "$1").replaceAll("\u2060", "");
}

/** The parts of a card, by the Markdown of the server: all of it becomes text, links as well. */

export interface CardPart {
  readonly kind: "verdict" | "title" | "quote" | "about" | "rule";
  readonly text: string;
}

const LINK = /\[((?:\\.|[^\]\\])*)\]\([^()\s]*\)/g;

export function cardParts(markdown: string): CardPart[] {
  const parts: CardPart[] = [];
  let isVerdict = true; // what comes before the first title decides whether all else holds
  let isAfterTitle = false;
  for (const block of markdown.split("\n\n")) {
    const lines = block.split("  \n");
    const title = /^\*\*([^]*)\*\*$/.exec(block)?.[1];
    if (block === "---") {
      parts.push({ kind: "rule", text: "" });
    } else if (title !== undefined) {
      parts.push({ kind: "title", text: words(title) });
    } else if (block.startsWith("> ")) {
      parts.push({ kind: "quote", text: words(block.slice(2)) });
    } else {
      // Under a title are its venue and year, and its authors: a reader looks for the authors.
      const text = isAfterTitle && lines.length === 2 ? lines.reverse().join(" · ") : lines.join("\n");
      const [verdict = "", ...evidence] = text.split("\n");
      parts.push(...(isVerdict ? [{ kind: "verdict", text: words(verdict) } as const] : []));
      const rest = isVerdict ? evidence.join("\n") : text;
      parts.push(...(rest === "" ? [] : [{ kind: "about", text: words(rest) } as const]));
    }
    isAfterTitle = title !== undefined;
    isVerdict = block === "---" || (isVerdict && title === undefined);
  }
  return parts;
}

function words(markdown: string): string {
  return markdown.replace(LINK, "$1").replace(/\\([^A-Za-z0-9\s])/g, "$1").replaceAll("\u2060", "");
}

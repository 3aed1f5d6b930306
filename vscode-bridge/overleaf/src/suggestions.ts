/** Completions and cards for the page's editor, from the language server. */

import { cardParts } from "./card.js";
import type { Companion } from "./companion.js";
import type { Documents, Open } from "./documents.js";
import type { Card, Missing, Offer, ToContent, Work } from "./messages.js";
import { offsetAt, positionAt, type Range } from "./texts.js";

const PAUSES = [0, 150, 450, 1_200]; // ms before each time that papers are asked for
const MOST_OFFERS = 40;
const CURSOR = 2_000; // ms in which the page tells where its cursor is

interface Completion {
  textEdit?: { range: Range; newText: string };
  label: string;
  data?: { title?: unknown; by?: unknown; file?: unknown };
  command?: { arguments?: { arxiv_id?: unknown; key?: unknown }[] };
}

export class Suggestions {
  private readonly cursors = new Map<number, (cursor: { at: number; revision: number }) => void>();
  private number = 0;
  private readonly offered = new Map<number, (Missing | null)[]>();

  constructor(
    private readonly documents: Documents,
    private readonly companion: Companion,
    private readonly send: (message: ToContent) => void,
  ) {}

  /** The paper that was picked from the completion, if it has no entry yet. */
  picked(number: number, index: number): Missing | null {
    return this.offered.get(number)?.[index] ?? null;
  }

  /** Where the cursor is in the page's editor. */
  async cursor(): Promise<{ line: number; character: number }> {
    this.number += 1;
    const { number } = this;
    const cursor = await new Promise<{ at: number; revision: number }>((resolve, reject) => {
      this.cursors.set(number, resolve);
      setTimeout(() => {
        reject(new Error("Overleaf's editor does not tell where its cursor is"));
      }, CURSOR);
      this.send({ kind: "cursor", number });
    });
    const { open } = this.documents;
    if (open === undefined || open.revision !== cursor.revision) {
      throw new Error("the text was changed in the meantime; nothing was edited");
    }
    return positionAt(open.text, cursor.at);
  }

  heardCursor(number: number, cursor: { at: number; revision: number }): void {
    this.cursors.get(number)?.(cursor);
    this.cursors.delete(number);
  }

  async complete(number: number, at: number, revision: number): Promise<void> {
    const { open } = this.documents;
    let offers: Offer[] = [];
    if (open !== undefined && open.revision === revision) {
      const { text } = open;
      const found = await this.completions(open, at, revision);
      const items = found.filter(({ textEdit }) => textEdit !== undefined).slice(0, MOST_OFFERS);
      const typed = (edit: { range: Range }): string =>
        text.slice(offsetAt(text, edit.range.start), offsetAt(text, edit.range.end)).toLowerCase();
      // The editor itself offers the keys that have what was typed.
      const others = items.filter(({ textEdit, command }) => textEdit !== undefined && (command !== undefined || !textEdit.newText.toLowerCase().includes(typed(textEdit))));
      offers = others.map(({ textEdit, label, data }) => ({
        label,
        detail: [data?.by, data?.title].filter(Boolean).join(" · "),
        group: typeof data?.file === "string" ? `In ${data.file}` : "Adds an entry",
        insert: textEdit?.newText ?? "",
        from: offsetAt(text, textEdit?.range.start ?? { line: 0, character: 0 }),
        to: offsetAt(text, textEdit?.range.end ?? { line: 0, character: 0 }),
      }));
      this.offered.clear();
      this.offered.set(number, others.map(({ command, data }) => missingOf(command?.arguments?.[0], { title: textOf(data?.title), by: textOf(data?.by) })));
    }
    this.send({ kind: "offers", number, offers });
  }

  /**
   * The server answers with what it has at once. The page's editor asks again only when more is typed, so this asks again
   * where papers have not come yet.
   */
  private async completions(open: Open, at: number, revision: number): Promise<Completion[]> {
    let items: Completion[] = [];
    for (const pause of PAUSES) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      if (this.documents.open !== open || open.revision !== revision) {
        break;
      }
      const found = (await this.ask("textDocument/completion", open, at)) as { items?: Completion[] } | null | undefined;
      items = found?.items ?? [];
      if (items.length === 0 || items.some(({ command }) => command !== undefined)) {
        break; // it is no citation, or papers are among them
      }
    }
    return items;
  }

  async hover(number: number, at: number, revision: number): Promise<void> {
    const { open } = this.documents;
    let card: Card | null = null;
    if (open !== undefined && open.revision === revision) {
      const { text } = open;
      const found = (await this.ask("textDocument/hover", open, at)) as { contents?: { value?: string }; range?: Range } | null | undefined;
      if (typeof found?.contents?.value === "string") {
        const { range } = found;
        const [from, to] = range === undefined ? [at, at] : [offsetAt(text, range.start), offsetAt(text, range.end)];
        card = { parts: cardParts(found.contents.value), from, to };
      }
    }
    this.send({ kind: "card", number, card });
  }

  private async ask(method: string, open: Open, at: number): Promise<unknown> {
    const params = { textDocument: { uri: this.documents.uri(open.path) }, position: positionAt(open.text, at) };
    return this.companion.request(method, params).catch(() => undefined);
  }
}

function missingOf(argument: { arxiv_id?: unknown; key?: unknown } | undefined, work: Work): Missing | null {
  const { arxiv_id: arxiv, key } = argument ?? {};
  return typeof arxiv === "string" && typeof key === "string" ? { arxiv, key, ...work } : null;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The section that stands in the project, to be read sentence by sentence: each with its sources, to accept, reject or edit. */

import { button, chip, counted, doing, element, paragraph, quotation, row, type Source } from "./elements.js";
import type { Command } from "./messages.js";

type Result = Record<string, unknown>;

interface Recorded {
  readonly place: string;
  readonly line: number | null; // in the section's file, from 1, while it stands there as it was written
  readonly shown: string;
  readonly status: "accepted" | "unreviewed" | "rejected";
  readonly sources: readonly Source[];
}

interface ForReading {
  readonly run: (command: Command, argument?: Result) => Promise<Result>;
  readonly reveal: (path: string, line: number) => void;
  readonly draw: () => void;
  readonly writable: () => boolean;
}

export class Reading {
  sentences: readonly Recorded[] = [];
  private file = "";

  constructor(private readonly panel: ForReading) {}

  /** Read the record of the section again; one that is not there is no failure. */
  async load(): Promise<void> {
    const { sentences = [], file = "" } = (await this.panel.run("showProvenance").catch(() => ({}))) as { sentences?: Recorded[]; file?: string };
    this.sentences = sentences;
    this.file = file.slice(file.lastIndexOf("/") + 1);
    this.panel.draw();
  }

  parts(): HTMLElement[] {
    const { sentences } = this;
    if (sentences.length === 0) {
      return [];
    }
    const accepted = sentences.filter(({ status }) => status === "accepted").length;
    const rejected = sentences.filter(({ status }) => status === "rejected").length;
    const yours = sentences.filter(isYours).length;
    const left = sentences.filter(isUnread);
    const decided = ([[accepted, "accepted"], [rejected, "rejected"], [yours, "yours"]] as const).filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
    const head = left.length === 0 ? "All is read" : `${counted(left.length, "sentence")} to read`;
    const bar = element("progress", { max: String(sentences.length), value: String(sentences.length - left.length), "aria-label": "Read" });
    const all = button("Accept all", () => {
      all.replaceWith(row(paragraph("Accept all of them, unread?", "small"), doing("Accept", () => this.acceptAll(left)), button("Cancel", this.panel.draw, "quiet")));
    }, "quiet");
    const told = paragraph(decided.join(" · "), "small");
    const summary = row(paragraph(head, "summary"), told, ...(left.length > 1 && this.panel.writable() ? [all] : []), bar);
    summary.classList.add("decisions");
    return [summary, ...sentences.map((sentence) => this.card(sentence))];
  }

  private async acceptAll(left: readonly Recorded[]): Promise<string> {
    for (const name of new Set(left.map(({ place }) => place.replace(/:.*$/, "")))) {
      await this.panel.run("accept", { place: name });
    }
    await this.load();
    return "Accepted";
  }

  private card(sentence: Recorded): HTMLElement {
    const { place, line, shown, status, sources } = sentence;
    const card = element("article", { class: `sentence-card ${status}` });
    const quotations = sources.map(quotation);
    const decide = (label: string, command: Command, argument: Result, name = ""): HTMLElement =>
      doing(label, async () => {
        await this.panel.run(command, { place, ...argument });
        await this.load();
        return label;
      }, name);
    const edit = button("Edit", () => {
      this.panel.reveal(this.file, line ?? 1);
    });
    edit.title = `Shows the sentence in ${this.file}, where you can change it`;
    card.append(paragraph(shown, "prose"));
    if (status === "rejected") {
      card.append(row(chip("rejected", "chip"), ...(this.panel.writable() ? [decide("Undo", "reject", { undo: true }, "quiet")] : [])));
      return card;
    }
    if (isYours(sentence)) {
      card.append(row(chip("changed: yours", "chip")));
      return card;
    }
    card.append(...(quotations.length > 0 ? quotations : [paragraph("Rests on the sentences below it.", "small")]));
    if (this.panel.writable()) {
      const decision = status === "accepted" ? [chip("accepted", "chip used"), decide("Undo", "accept", { undo: true }, "quiet")] : [decide("Accept", "accept", {}, "agree")];
      card.append(row(...decision, decide("Reject", "reject", {}), edit));
    }
    return card;
  }
}

function isYours({ line, status }: Recorded): boolean {
  return line === null && status !== "rejected";
}

function isUnread(sentence: Recorded): boolean {
  return sentence.status === "unreviewed" && !isYours(sentence);
}

/** A proposal in the panel: the prose with its sources, paragraph by paragraph; then the changes of each file. */

import { button, copy, download, element, marked, paragraph, quotation, row } from "./elements.js";
import type { Proposal, ProposedFile, ProposedSentence } from "./messages.js";

const CONTEXT = 2; // lines around a change

/** `decide` gets the paragraphs that stay as they are, or null if the proposal is discarded. */
export function proposalOf({ label, about, files, sentences }: Proposal, writable: boolean, decide: (without: string[] | null) => void): HTMLElement {
  const paragraphs = new Map<string, ProposedSentence[]>();
  for (const sentence of sentences) {
    paragraphs.set(sentence.paragraph, [...(paragraphs.get(sentence.paragraph) ?? []), sentence]);
  }
  const chosen = new Map<string, HTMLInputElement>();
  const accept = button("", () => {
    decide([...chosen].filter(([, box]) => !box.checked).map(([name]) => name));
  }, "primary");
  const count = (): void => {
    const left = paragraphs.size - [...chosen.values()].filter(({ checked }) => !checked).length;
    accept.disabled = paragraphs.size > 0 && left === 0;
    accept.textContent = `Accept ${paragraphs.size > 0 ? counted(left, "paragraph") : counted(changesIn(files), "change")}`;
  };
  count();
  const heading = element("h2");
  heading.textContent = about?.title ?? label;
  const decisions = row(
    ...(writable ? [accept] : []),
    button("Discard", () => {
      decide(null);
    }),
  );
  const head = element("div", { class: "decisions" });
  head.append(...(about === null ? [heading] : [paragraph(label, "small"), heading, paragraph(about.by, "small")]), decisions);
  const prose = [...paragraphs].map(([name, own], index) => {
    const card = element("article", { class: "prose" });
    const title = own[0]?.heading ?? "";
    if (title !== "") {
      const printed = element("h3");
      printed.textContent = title;
      card.append(printed);
    }
    if (writable && paragraphs.size > 1) {
      const box = element("input", { type: "checkbox", checked: "", "aria-label": `Paragraph ${index + 1}`, title: "Take this paragraph" }) as HTMLInputElement;
      box.addEventListener("change", () => {
        card.classList.toggle("out", !box.checked);
        count();
      });
      chosen.set(name, box);
      card.prepend(box);
    }
    card.append(...own.map(sentenceOf));
    return card;
  });
  const summary = sentences.length === 0 ? [] : [paragraph(`${counted(sentences.length, "sentence")}. Click one to see its source.`, "small")];
  const areOpen = !writable || sentences.length === 0;
  const changes = [...files].sort((one, two) => rank(one) - rank(two)).map((file) => changesOf(file, areOpen));
  const made = element("section", { "aria-label": label, class: "proposal" });
  made.append(head, ...summary, ...prose, ...changes);
  return made;
}

function changesIn(files: readonly ProposedFile[]): number {
  return files.reduce((sum, { hunks }) => sum + hunks.filter(({ same }) => !same).length, 0);
}

function sentenceOf({ text, sources }: ProposedSentence): HTMLElement {
  if (sources.length === 0) {
    return paragraph(text);
  }
  const made = element("details", { class: "sentence" });
  const summary = element("summary");
  summary.textContent = text;
  made.append(summary, ...sources.map(({ name, place, text: quote }) => quotation(quote, [name, place].filter(Boolean).join(" · "))));
  return made;
}

/** The author's own files first, then the section, then its entries. */
function rank({ path, isNew }: ProposedFile): number {
  return (isNew ? 1 : 0) + (path.endsWith(".bib") ? 2 : 0);
}

function changesOf({ path, isNew, hunks, after }: ProposedFile, isOpen: boolean): HTMLElement {
  const name = isNew ? `${path} (new)` : path;
  const text = element("pre", { tabindex: "0", "aria-label": path });
  hunks.forEach(({ same, before, after }, index) => {
    if (same) {
      // What is around a change; of the ends of the file only what is beside one.
      const above = index === 0 ? [] : before.slice(0, CONTEXT);
      const below = index === hunks.length - 1 ? [] : before.slice(-CONTEXT);
      text.append(before.length > above.length + below.length ? [...above, "⋯\n", ...below].join("") : before.join(""));
      return;
    }
    text.append(...marked("del", before.join("")), ...marked("ins", after.join("")));
  });
  const added = hunks.filter(({ same }) => !same).reduce((sum, hunk) => sum + hunk.after.length, 0);
  const made = element("details", { class: "file", ...(isOpen ? { open: "" } : {}) });
  const summary = element("summary");
  const heading = element("h3");
  heading.textContent = name;
  const count = element("span", { class: "small" });
  const isAdded = hunks.every(({ same, before }) => same || before.length === 0);
  count.textContent = ` ${counted(added, "line")}${isNew ? "" : isAdded ? " added" : " changed"}`;
  summary.append(heading, count);
  made.append(summary, text, row(copy(after), download(path, after)));
  const around = element("div", { role: "region", "aria-label": name });
  around.append(made);
  return around;
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

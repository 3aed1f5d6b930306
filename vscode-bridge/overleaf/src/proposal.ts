/** A proposal in the panel: the prose with its sources, paragraph by paragraph; then the changes of each file. */

import { button, copy, download, element, marked, paragraph, quotation, row, section } from "./elements.js";
import type { Proposal, ProposedFile, ProposedSentence } from "./messages.js";

/** `decide` gets the paragraphs that stay as they are, or null if the proposal is discarded. */
export function proposalOf({ label, files, sentences }: Proposal, writable: boolean, decide: (without: string[] | null) => void): HTMLElement {
  const paragraphs = new Map<string, ProposedSentence[]>();
  for (const sentence of sentences) {
    paragraphs.set(sentence.paragraph, [...(paragraphs.get(sentence.paragraph) ?? []), sentence]);
  }
  const chosen = new Map<string, HTMLInputElement>();
  const accept = button("Accept", () => {
    decide([...chosen].filter(([, box]) => !box.checked).map(([name]) => name));
  }, "primary");
  const decisions = row(
    ...(writable ? [accept] : []),
    button("Discard", () => {
      decide(null);
    }),
  );
  decisions.classList.add("decisions");
  const prose = [...paragraphs].map(([name, own], index) => {
    const card = element("article", { class: "prose" });
    if (writable && paragraphs.size > 1) {
      const box = element("input", { type: "checkbox", checked: "" }) as HTMLInputElement;
      box.addEventListener("change", () => {
        card.classList.toggle("out", !box.checked);
        accept.disabled = [...chosen.values()].every((each) => !each.checked);
        accept.textContent = [...chosen.values()].every((each) => each.checked) ? "Accept" : "Accept these";
      });
      chosen.set(name, box);
      const choice = element("label", { class: "small" });
      choice.append(box, ` Paragraph ${index + 1}`);
      card.append(choice);
    }
    card.append(...own.map(sentenceOf));
    return card;
  });
  const summary = sentences.length === 0 ? [] : [paragraph(counted(paragraphs.size, "paragraph") + ", " + counted(sentences.length, "sentence") + ". Click a sentence to see its source.", "small")];
  const areOpen = !writable || sentences.length === 0;
  const changes = [...files].sort((one, two) => rank(one) - rank(two)).map((file) => changesOf(file, areOpen));
  const made = section(label, decisions, ...summary, ...prose, ...changes);
  made.classList.add("proposal");
  return made;
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
  for (const hunk of hunks) {
    if (hunk.same) {
      const [first, last] = [hunk.before.slice(0, 2), hunk.before.slice(-2)];
      text.append(hunk.before.length > 5 ? `${first.join("")}⋯\n${last.join("")}` : hunk.before.join(""));
      continue;
    }
    text.append(...marked("del", hunk.before.join("")), ...marked("ins", hunk.after.join("")));
  }
  const added = hunks.filter(({ same }) => !same).reduce((sum, hunk) => sum + hunk.after.length, 0);
  const made = element("details", { class: "file", ...(isOpen ? { open: "" } : {}) });
  const summary = element("summary");
  const heading = element("h3");
  heading.textContent = name;
  const count = element("span", { class: "small" });
  count.textContent = ` ${isNew ? counted(added, "line") : `${counted(added, "line")} changed`}`;
  summary.append(heading, count);
  made.append(summary, text, row(copy(after), download(path, after)));
  const around = element("div", { role: "region", "aria-label": name });
  around.append(made);
  return around;
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** A proposal in the panel: the prose with its sources, paragraph by paragraph; then the changes of each file. */

import { button, copy, counted, download, element, marked, paragraph, quotation, row, textIn } from "./elements.js";
import type { Proposal, ProposedFile, ProposedSentence } from "./messages.js";

const CONTEXT = 2; // lines around a change

/** A proposal as it is shown; `show` gives it other files. */
export interface DrawnProposal {
  readonly element: HTMLElement;
  readonly show: (files: readonly ProposedFile[]) => void;
}

/** `decide` gets what is left out, or null if the proposal is discarded; `revise` what is left out now. */
interface ForProposal {
  readonly decide: (without: readonly string[] | null) => void;
  readonly revise: (without: readonly string[]) => void;
}

export function proposalOf({ label, files: first, sentences }: Proposal, writable: boolean, { decide, revise }: ForProposal): DrawnProposal {
  const paragraphs = new Map<string, ProposedSentence[]>();
  for (const sentence of sentences) {
    paragraphs.set(sentence.paragraph, [...(paragraphs.get(sentence.paragraph) ?? []), sentence]);
  }
  const boxes = new Map<string, HTMLInputElement>();
  const struck = new Set<string>(); // places of sentences
  const isOut = ([name, own]: [string, readonly ProposedSentence[]]): boolean => boxes.get(name)?.checked === false || own.every(({ place }) => struck.has(place));
  /** Whole paragraphs by their names, and of the others the places of sentences. */
  const without = (): string[] => [...paragraphs].flatMap((own) => (isOut(own) ? [own[0]] : own[1].map(({ place }) => place).filter((place) => struck.has(place))));
  const accept = button("", () => {
    decide(without());
  }, "primary");
  const count = (): void => {
    const out = without();
    const left = sentences.filter(({ paragraph, place }) => !out.includes(paragraph) && !out.includes(place)).length;
    accept.disabled = sentences.length > 0 && left === 0;
    const some = left < sentences.length ? `${left} of ` : "";
    accept.textContent = sentences.length > 0 ? `Write ${some}${counted(sentences.length, "sentence")}` : `Apply ${counted(changesIn(first), "change")}`;
  };
  const changed = (): void => {
    count();
    for (const [name, box] of boxes) {
      box.indeterminate = box.checked && paragraphs.get(name)?.some(({ place }) => struck.has(place)) === true;
    }
    list.setAttribute("aria-busy", "true");
    revise(without());
  };
  const head = element("div", { class: "decisions" });
  head.append(textIn("h2", label), row(...(writable ? [accept] : []), button("Discard", decide.bind(null, null))));
  const prose = [...paragraphs].map(([name, own], index) => {
    const card = element("article", { class: "prose" });
    const title = own[0]?.heading ?? "";
    if (title !== "" || paragraphs.size > 1) {
      card.append(title !== "" ? textIn("h3", title) : paragraph(index === 0 ? "Opening paragraph" : "Paragraph without a heading", "small"));
    }
    if (writable && paragraphs.size > 1) {
      const box = element("input", { type: "checkbox", checked: "", "aria-label": `Paragraph ${index + 1}`, title: "Take this paragraph" }) as HTMLInputElement;
      box.addEventListener("change", () => {
        card.classList.toggle("out", !box.checked);
        changed();
      });
      boxes.set(name, box);
      card.prepend(box);
    }
    card.append(
      ...own.map((sentence) =>
        sentenceOf(sentence, !writable ? undefined : (isOut) => {
          struck[isOut ? "add" : "delete"](sentence.place);
          changed();
        }),
      ),
    );
    return card;
  });
  const all = button("Show all", () => {
    const quoted = [...made.querySelectorAll<HTMLDetailsElement>("details.sentence")];
    const isOpen = quoted.every(({ open }) => open);
    quoted.forEach((sentence) => (sentence.open = !isOpen));
    all.textContent = isOpen ? "Show all" : "Hide all";
  }, "quiet");
  const summary = sentences.length === 0 ? [] : [row(paragraph("Click a sentence for the words it rests on.", "busy small"), all)];
  const areOpen = !writable || sentences.length === 0;
  const list = element("div", { class: "files" });
  const show = (files: readonly ProposedFile[]): void => {
    const open = [...list.querySelectorAll<HTMLElement>("details[open]")].map(({ dataset }) => dataset["path"]);
    const isFirst = list.childElementCount === 0;
    list.replaceChildren(...[...files].sort((one, two) => rank(one) - rank(two)).map((file) => changesOf(file, isFirst ? areOpen : open.includes(file.path), writable)));
    list.removeAttribute("aria-busy");
  };
  const made = element("section", { "aria-label": label, class: "proposal" });
  count();
  show(first);
  made.append(head, ...summary, ...prose, list);
  return { element: made, show };
}

function changesIn(files: readonly ProposedFile[]): number {
  return files.reduce((sum, { hunks }) => sum + hunks.filter(({ same }) => !same).length, 0);
}

/** A sentence that shows its sources; `strike` is told whether it is left out. */
function sentenceOf({ text, sources }: ProposedSentence, strike?: (isOut: boolean) => void): HTMLElement {
  const made = element("div", { class: "line" });
  const prose = sources.length === 0 ? paragraph(text) : element("details", { class: "sentence" });
  if (sources.length > 0) {
    const title = `Rests on ${[...new Set(sources.map(({ name }) => name))].join(", ")}: show the words`;
    prose.append(textIn("summary", text, { title }), ...sources.map(quotation));
  }
  made.append(prose);
  if (strike !== undefined) {
    const toggle = button("×", () => {
      const isOut = made.classList.toggle("struck");
      toggle.textContent = isOut ? "↺" : "×";
      toggle.title = isOut ? "Undo" : "Leave this sentence out";
      toggle.setAttribute("aria-pressed", String(isOut));
      strike(isOut);
    }, "strike");
    toggle.title = "Leave this sentence out";
    toggle.setAttribute("aria-label", "Leave this sentence out");
    made.append(toggle);
  }
  return made;
}

/** The author's own files first, then the section, then its entries. */
function rank({ path, isNew }: ProposedFile): number {
  return (isNew ? 1 : 0) + (path.endsWith(".bib") ? 2 : 0);
}

function changesOf({ path, isNew, hunks, after }: ProposedFile, isOpen: boolean, writable: boolean): HTMLElement {
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
  const made = element("details", { class: "file", "data-path": path, ...(isOpen ? { open: "" } : {}) });
  const summary = element("summary");
  const isAdded = hunks.every(({ same, before }) => same || before.length === 0);
  summary.append(textIn("h3", name), textIn("span", ` ${counted(added, "line")}${isNew ? "" : isAdded ? " added" : " changed"}`, { class: "small" }));
  made.append(summary, text, ...(writable ? [] : [row(copy(after), download(path, after))]));
  const around = element("div", { role: "region", "aria-label": name });
  around.append(made);
  return around;
}

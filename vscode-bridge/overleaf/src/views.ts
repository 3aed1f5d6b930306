/** What the panel shows of the results of commands. */

import { button, copy, doing, element, paragraph, quotation, row, textLink } from "./elements.js";
import type { Work } from "./messages.js";

export interface Paper {
  readonly arxiv_id: string;
  readonly title: string;
  readonly authors?: string[];
  readonly year?: number;
  readonly contribution?: string;
  readonly cited?: boolean;
  readonly cited_as?: string | null;
  readonly key?: string | null;
  readonly reasons?: { text: string }[];
  readonly url?: string;
}

/** A sentence of the section that stands in the project. */
export interface Recorded {
  readonly shown: string;
  readonly sources: readonly { readonly name: string; readonly place: string; readonly quote: string }[];
}

interface Quoted {
  readonly paper: string;
  readonly quote: string;
  readonly place?: string;
  readonly beside?: string | null; // what is quoted, unless the sentence itself prints these words
}

export interface Answered {
  readonly sentences?: readonly { readonly shown?: string; readonly text: string; readonly remark?: string; readonly citations: readonly Quoted[] }[];
  readonly nearest?: readonly Quoted[];
  readonly refused?: boolean;
  readonly references?: Readonly<Record<string, string>>;
}

interface Doubt {
  readonly severity: string;
  readonly message: string;
  readonly fix?: string;
  readonly path: string; // empty if it is not known
  readonly line: number; // from 1
}

/** `add` is missing where nothing can be written. */
export function papersOf(papers: readonly Paper[], bibtexOf: (id: string) => Promise<string>, add?: (id: string, about: Work) => Promise<unknown>): HTMLElement[] {
  return papers.length === 0
    ? [paragraph("No paper on this machine fits. Get some with: citeplug start")]
    : papers.map((paper) => paperCard(paper, bibtexOf, add));
}

function paperCard(paper: Paper, bibtexOf: (id: string) => Promise<string>, add?: (id: string, about: Work) => Promise<unknown>): HTMLElement {
  const { arxiv_id: id, title, authors = [], year, cited_as: cited, cited: isCited, key, contribution = "", reasons = [], url } = paper;
  const by = [authors.slice(0, 3).join(", ") + (authors.length > 3 ? " et al." : ""), year].filter(Boolean).join(" · ");
  const own = cited ?? key ?? null;
  const heading = element("h3");
  heading.append(textLink(title, url?.startsWith("https://") === true ? url : `https://arxiv.org/abs/${encodeURIComponent(id)}`));
  const card = element("article", { class: "paper" });
  card.append(heading, paragraph(by, "small"));
  if (contribution !== "") {
    card.append(paragraph(contribution, "prose"));
  }
  const further = reasons.filter(({ text }) => contribution === "" || !text.includes(contribution));
  card.append(...further.slice(0, 2).map(({ text }) => paragraph(text, "small")));
  const isUsed = cited != null || isCited === true;
  const standing = paragraph(isUsed ? "cited" : own === null ? "not cited" : "in your bibliography", isUsed ? "chip used" : "chip");
  const actions = own !== null ? [copy(own, `Copy ${own}`)] : [copy(() => bibtexOf(id), "Copy the entry")];
  if (own === null && add !== undefined) {
    const adding = doing("Add its entry", async () => {
      await add(id, { title, by });
      standing.textContent = "in your bibliography";
      adding.hidden = true;
      return "Added";
    });
    actions.unshift(adding);
  }
  card.append(row(standing, ...actions));
  return card;
}

export function sourcesOf(sentences: readonly Recorded[]): HTMLElement[] {
  return sentences.map(({ shown, sources }) => {
    const card = element("article");
    const quotations = sources.map(({ name, place, quote }) => quotation(quote, [name, place].filter(Boolean).join(" · ")));
    card.append(paragraph(shown, "prose"), ...quotations, ...(sources.length === 0 ? [paragraph("no quotation", "small")] : []));
    return card;
  });
}

export function answerOf(question: string, { sentences = [], nearest = [], refused, references = {} }: Answered): HTMLElement[] {
  const quoted = ({ quote, beside = quote, paper, place = "" }: Quoted): HTMLElement => quotation(beside ?? "", [references[paper] ?? paper, place].filter(Boolean).join(" · "));
  const asked = element("h2");
  asked.textContent = question;
  if (refused === true || sentences.length === 0) {
    return [asked, paragraph("None of these papers answers that."), ...(nearest.length > 0 ? [paragraph("Nearest to it:", "small"), ...nearest.map(quoted)] : [])];
  }
  return [
    asked,
    ...sentences.map(({ shown, text, remark, citations }) => {
      const card = element("article");
      card.append(paragraph(shown ?? text, "prose"), ...(remark ? [paragraph(remark, "small")] : []), ...citations.map(quoted));
      return card;
    }),
  ];
}

/** Findings, each with a button that shows its line; `none` is said where there are none. */
export function findingsOf(findings: readonly Doubt[], none: string, reveal: (path: string, line: number) => void): HTMLElement[] {
  if (findings.length === 0) {
    return [paragraph(none)];
  }
  return findings.map(({ severity, message, fix, path, line }) => {
    const card = element("article", { class: severity });
    card.append(paragraph(message), ...(fix ? [paragraph(fix, "small")] : []));
    if (path !== "" && line > 0) {
      const show = button(`${path}, line ${line}`, () => {
        reveal(path, line);
      }, "place");
      card.append(show);
    }
    return card;
  });
}

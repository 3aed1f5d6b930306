/** What the panel shows of the results of commands. */

import { button, chip, copy, doing, element, folded, listed, paragraph, type Part, quotation, row, textLink } from "./elements.js";
import type { Finding, Fix, Work } from "./messages.js";

export interface Paper {
  readonly arxiv_id: string;
  readonly title: string;
  readonly authors?: string[];
  readonly year?: number;
  readonly contribution?: string;
  readonly abstract?: string;
  readonly cited?: boolean;
  readonly cited_as?: string | null;
  readonly key?: string | null;
  readonly reasons?: { text: string }[];
  readonly url?: string;
}

/** A sentence of the section that stands in the project. */
export interface Recorded {
  readonly shown: string;
  readonly sources: readonly { readonly name: string; readonly place: string; readonly quote: string; readonly parts?: readonly Part[] }[];
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

/** What can be done with a paper; `add` and `cite` are missing where nothing can be written. */
export interface ForPaper {
  readonly bibtexOf: (id: string) => Promise<string>;
  readonly add?: (id: string, about: Work) => Promise<unknown>;
  readonly cite?: (id: string, about: Work) => Promise<unknown>;
}

/** `words` are those that were searched for. */
export function papersOf(papers: readonly Paper[], can: ForPaper, words = ""): HTMLElement[] {
  return papers.length === 0
    ? [paragraph("No paper on this machine fits. Get some with: citeplug start")]
    : papers.map((paper) => paperCard({ ...paper, reasons: [...(paper.reasons ?? []), ...matchOf(paper, words)] }, can));
}

function paperCard(paper: Paper, { bibtexOf, add, cite }: ForPaper): HTMLElement {
  const { arxiv_id: id, title, authors = [], year, cited_as: cited, cited: isCited, key, contribution = "", reasons = [], url } = paper;
  const by = [authors.slice(0, 3).join(", ") + (authors.length > 3 ? " et al." : ""), year].filter(Boolean).join(" · ");
  const own = cited ?? key ?? null;
  const heading = element("h3");
  heading.append(textLink(title, url?.startsWith("https://") === true ? url : `https://arxiv.org/abs/${encodeURIComponent(id)}`));
  const card = element("article", { class: "paper" });
  const named = /^(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?\/\d{7})$/.test(id) ? [`arXiv:${id}`] : [];
  const about = paragraph(`${[by, ...named].filter(Boolean).join(" · ")} `, "small");
  card.append(heading, about);
  if (contribution !== "") {
    card.append(paragraph(contribution, "prose"));
  }
  const further = reasons.filter(({ text }) => contribution === "" || !text.includes(contribution));
  card.append(...further.slice(0, 2).map(({ text }, index) => paragraph(index === 0 ? `Why: ${text}` : text, "small")));
  const isUsed = cited != null || isCited === true;
  const standing = chip(isUsed ? "cited" : own === null ? "not cited" : "in your bibliography", isUsed ? "chip used" : "chip");
  const actions: HTMLElement[] = [];
  if (cite !== undefined) {
    actions.push(doing("Cite at the cursor", () => cite(id, { title, by }).then(() => "Cited")));
  }
  if (own === null && add !== undefined) {
    const adding = doing("Add the entry", async () => {
      await add(id, { title, by });
      standing.textContent = "in your bibliography";
      adding.hidden = true;
      return "Added";
    });
    actions.push(adding);
  }
  const copying = own !== null ? copy(own, "Copy key") : copy(() => bibtexOf(id), "Copy the entry");
  copying.title = own ?? "";
  about.append(standing);
  card.append(row(...actions, copying));
  return card;
}

/** Where a paper has the words that were searched for; nothing where none of them stands as it was typed. */
function matchOf({ title, authors = [], abstract = "" }: Paper, words: string): { text: string }[] {
  const typed = words.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  const places: [string, string][] = [["title", title], ["authors", authors.join(" ")], ["abstract", abstract]];
  const parts = places.flatMap(([name, text]) => {
    const there = typed.filter((word) => text.toLowerCase().includes(word));
    return there.length === 0 ? [] : [`“${there.join("”, “")}” in its ${name}`];
  });
  return parts.length === 0 ? [] : [{ text: parts.slice(0, 2).join(" · ") }];
}

export function sourcesOf(sentences: readonly Recorded[]): HTMLElement[] {
  return sentences.map(({ shown, sources }) => {
    const card = element("article");
    const quotations = sources.map(({ name, place, quote, parts = [{ text: quote, marked: false }] }) => quotation(parts, name, place));
    card.append(paragraph(shown, "prose"), ...quotations, ...(sources.length === 0 ? [paragraph("no quotation", "small")] : []));
    return card;
  });
}

export function answerOf(question: string, { sentences = [], nearest = [], refused, references = {} }: Answered): HTMLElement[] {
  const named = ({ paper }: Quoted): string => references[paper] ?? paper;
  const quoted = (citation: Quoted): HTMLElement => quotation([{ text: citation.beside ?? citation.quote, marked: false }], named(citation), citation.place ?? "");
  const asked = element("h2");
  asked.textContent = question;
  if (refused === true || sentences.length === 0) {
    return [asked, paragraph("None of these papers answers that."), ...(nearest.length > 0 ? [paragraph("Nearest to it:", "small"), ...nearest.map(quoted)] : [])];
  }
  return [
    asked,
    ...sentences.map(({ shown, text, remark, citations }) => {
      const card = element("article");
      // What a paper says in these words is the quotation itself, and is not shown twice.
      const [itself] = citations.filter(({ beside }) => beside === null);
      const bare = (shown ?? text).replace(/^[“"]|[”"](?=\.?$)/g, "");
      const first = itself === undefined ? paragraph(shown ?? text, "prose") : quotation([{ text: bare, marked: false }], named(itself), itself.place ?? "");
      card.append(first, ...(remark ? [paragraph(remark, "small")] : []), ...citations.filter((citation) => citation !== itself).map(quoted));
      return card;
    }),
  ];
}

/** What a check or an audit has looked at, and what not; folded. */
export function accountOf(checked: readonly string[], unchecked: readonly string[]): HTMLElement[] {
  const parts = [...listed("Checked", checked), ...listed("Not checked", unchecked)];
  return parts.length === 0 ? [] : [folded(`What was checked${unchecked.length > 0 ? ", and what was not" : ""}`, ...parts)];
}

/** What the panel does with a finding. */
export interface ForFinding {
  readonly reveal: (path: string, line: number) => void;
  readonly fixes: (finding: Finding) => Promise<readonly Fix[]>;
  readonly apply: (fix: Fix) => Promise<unknown>;
}

/** Findings, worst first, each with its entry, a button that shows its line, and what mends it. */
export function findingsOf(findings: readonly Finding[], none: string, { reveal, fixes, apply }: ForFinding): HTMLElement[] {
  if (findings.length === 0) {
    return [paragraph(none)];
  }
  const rank = ({ severity }: Finding): number => ["error", "warning"].indexOf(severity) + 1 || 3;
  return [...findings]
    .sort((one, two) => rank(one) - rank(two))
    .map((finding) => {
      const { severity, message, fix, path, line, entry } = finding;
      const card = element("article", { class: severity });
      const isOfFile = message.includes("of this file");
      const name = [isOfFile ? "" : entry, path === "" ? "" : `${path}, line ${line}`].filter(Boolean).join(" · ");
      card.append(...(name === "" ? [] : [paragraph(name, "small")]), paragraph(message), ...(fix ? [paragraph(fix, "small")] : []));
      if (path !== "" && line > 0) {
        const actions = row(button("Show in the file", () => {
          reveal(path, line);
        }));
        card.append(actions);
        void fixes(finding).then((found) => {
          actions.prepend(...found.map((one) => doing(one.title, () => apply(one).then(() => "Done"))));
        }, () => undefined);
      }
      return card;
    });
}

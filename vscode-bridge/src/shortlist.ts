/** The shortlist in words: how papers are grouped, and what is said about each. */

import { ARXIV_ID } from "./identifiers.js";
import { capital } from "./letters.js";
import { byline, type Choice, type Choices, type Paper } from "./answers.js";

export interface Group {
  title: string;
  papers: readonly Paper[];
}

const CHOSEN: Readonly<Record<Choice, string>> = { pin: "pinned", exclude: "excluded" };

const NEWER = "↑"; // as the view's title says

const VERDICTS: Readonly<Record<string, string>> = {
  verified: "Verified: its entry matches its record",
  differs: "Its entry differs from its record: see Problems",
  not_found: "The record that its entry names was not found",
  possibly_withdrawn: "It may have been withdrawn",
};

const FOUND_BY: Readonly<Record<string, string>> = {
  lexical: "its words",
  dense: "its meaning",
  arxiv: "arXiv's search",
  feedback: "what the best papers say",
  graph: "citations",
};

/** The papers as they counted for the section when they were found, so that none moves while one chooses; groups without papers are left out. */
export function grouped(papers: readonly Paper[]): Group[] {
  const of = (title: string, wanted: (paper: Paper) => boolean): Group => ({ title, papers: papers.filter(wanted) });
  const groups = [
    of("Pinned", ({ placed }) => placed === "pin"),
    of("Not cited yet", ({ placed, chosen, cited, inSection }) => placed === undefined && chosen && !cited && !inSection),
    of("New in the section", ({ placed, cited, inSection }) => placed === undefined && inSection && !cited),
    of("Cited already", ({ placed, chosen, cited }) => placed === undefined && chosen && cited),
    of("More papers", ({ placed, chosen, cited, inSection }) => placed === undefined && !chosen && (cited || !inSection)),
    of("Excluded", ({ placed }) => placed === "exclude"),
  ];
  return groups.filter(({ papers: some }) => some.length > 0);
}

/** The same papers, one of them with another choice. */
export function choosing(papers: readonly Paper[], arxivId: string, choice: Choice | undefined): Paper[] {
  return papers.map((paper) => (paper.arxivId === arxivId ? { ...paper, choice } : paper));
}

/** The same papers, by what the section cites now. */
export function inSection(papers: readonly Paper[], written: readonly Paper[]): Paper[] {
  const known = new Map(written.map((paper) => [paper.arxivId, paper]));
  return papers.map((paper) => {
    const { key = paper.key, verdict = paper.verdict } = known.get(paper.arxivId) ?? {};
    return { ...paper, key, verdict, inSection: known.has(paper.arxivId) };
  });
}

/** The same papers, by what the project chooses now. */
export function rechosen(papers: readonly Paper[], { pin, exclude }: Choices): Paper[] {
  const choice = (id: string): Choice | undefined => (pin.includes(id) ? "pin" : exclude.includes(id) ? "exclude" : undefined);
  return papers.map((paper) => ({ ...paper, choice: choice(paper.arxivId) }));
}

/** Beside the title of a list in which some papers are newer than the draft, whose date is `of`: there is little room. */
export function newerNotice(of: string): string {
  return of === "" ? "" : `${NEWER} newer than ${of}`;
}

/** The title without its subtitle: a row is short. */
export function heading({ title, newer }: Paper): string {
  return `${newer ? `${NEWER} ` : ""}${title.split(": ")[0] ?? ""}`;
}

/** Beside it: what was chosen, who wrote the paper, and when. */
export function brief({ authors, year, arxivId, choice }: Paper): string {
  const who = `${byline(authors) || `arXiv:${arxivId}`} ${year ?? ""}`.trim();
  return [...(choice === undefined ? [] : [CHOSEN[choice]]), who].join(" · ");
}

/** Other people's text as Markdown that is nothing but text, without links. The editor's own `appendText` joins all words to one. */
export function asMarkdown(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").replaceAll(/:\/\/|\bwww\.|\bmailto:/gi, "$&\u2060");
  return line.replaceAll(/[!-/:-@[-`{-~]/g, "\\$&");
}

/** All that is known of a paper, a line each. */
export function details(paper: Paper): string[] {
  return [paper.title, paper.authors.join(", "), about(paper), ...why(paper)].filter((line) => line !== "");
}

/** When a paper appeared, and where. */
export function about({ year, arxivId, categories }: Paper): string {
  return [year === undefined ? "" : String(year), ARXIV_ID.test(arxivId) ? `arXiv:${arxivId}` : "", ...categories].filter(Boolean).join(" · ");
}

/** Why a paper is listed, and what is to be known before one cites it. */
export function why(paper: Paper): string[] {
  const found = paper.foundBy.map((way) => FOUND_BY[way] ?? way);
  const lines = [
    paper.choice === "pin" ? "Pinned: it will be cited" : paper.choice === "exclude" ? "Excluded: it will not be cited" : "",
    ...paper.reasons.map(capital),
    ...paper.debate,
    paper.newer ? "Newer than your draft" : "",
    found.length > 0 ? `Found by ${listed(found)}` : "",
    score(paper) === "" ? "" : `Relevance ${score(paper)}`,
    doubt(paper) || (VERDICTS[paper.verdict] ?? "Its record is complete and mentions no withdrawal"),
    entry(paper),
  ];
  return lines.filter((line) => line !== "");
}

/** What is to be looked at before one cites a paper. */
export function doubt(paper: Paper): string {
  const unverified = sign(paper) === "question" ? "Not verified: check it before you cite it" : "";
  return sign(paper) === "warning" ? (VERDICTS[paper.verdict] ?? "") : unverified;
}

/** The sign of a paper: what the check of its entry came to, where there was one. */
export function sign({ verdict, verified }: Paper): "pass" | "warning" | "question" | "circle-outline" {
  if (verdict in VERDICTS) {
    return verdict === "verified" ? "pass" : "warning";
  }
  return verified ? "circle-outline" : "question";
}

/** What a screen reader says of a row; the arguments are in the view beneath. */
export function spoken(paper: Paper): string {
  return details({ ...paper, debate: [] }).join(". ");
}

function entry({ key, cited, inSection }: Paper): string {
  if (inSection && !cited) {
    return "Cited in the section, not in your own text";
  }
  if (key === undefined) {
    return "Not in your bibliography yet";
  }
  return cited ? `Cited by your draft as ${key}` : `In your bibliography as ${key}, not cited yet`;
}

function score({ score: value }: Paper): string {
  return value === undefined ? "" : value.toFixed(2);
}

function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1) ?? ""}`;
}

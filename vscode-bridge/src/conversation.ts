/** A conversation with papers as HTML. All that papers, questions and models say is escaped; nothing in it is a command. */

import type { Answered, Cited, Passage } from "./answers.js";
import { escaped, withMarks } from "./escaping.js";
import { ARXIV_ID } from "./identifiers.js";

/** The turns, the earliest first. */
export function conversation(turns: readonly Answered[]): string {
  return turns.map(turn).join("") || '<p class="about">No questions yet. Answers come from the papers that your draft cites or should discuss.</p>';
}

/** A passage with what is quoted marked. */
export function passage({ title, place, parts, found }: Passage): string {
  const gone = found ? "" : '<p class="about">Only the quotation is shown: the passage is not on this machine or has changed.</p>';
  return `<p class="about"><strong>${escaped(title)}</strong>, ${escaped(place)}</p><blockquote>${withMarks(parts)}</blockquote>${gone}`;
}

function turn(answer: Answered): string {
  const refused = answer.sentences.length === 0;
  const citations = refused ? answer.nearest : answer.sentences.flatMap((each) => each.citations);
  const papers = [...new Set(citations.map(({ paper }) => paper))];
  const numbers = new Map(papers.map((paper, at) => [paper, at + 1]));
  const body = refused ? refusal(answer, numbers) : answer.sentences.map((_, at) => sentence(answer, at, numbers)).join("");
  const by = answer.model === "" ? "in the papers' own words" : `worded by ${escaped(answer.model)}`;
  return `<article><h2>${escaped(answer.question)}</h2>${body}${references(answer, numbers)}<p class="about">Searched ${escaped(answer.looked)}; ${by}.</p></article>`;
}

function sentence(answer: Answered, at: number, numbers: ReadonlyMap<string, number>): string {
  const { text, remark, citations } = answer.sentences[at] ?? { text: "", remark: "", citations: [] };
  const [number, places] = [at + 1, citations.map((_, index) => `${answer.id}-${at + 1}-${index + 1}`)];
  const opener = (cited: Cited, index: number): string => {
    const label = String(numbers.get(cited.paper) ?? "");
    return opening(cited.beside === "" ? `${label}, ${cited.place}` : label, answer, number, index, cited.paper);
  };
  const quotations = citations.map(({ beside, place }) => (beside === "" ? "" : `<blockquote>“${escaped(beside)}” <span class="about">${escaped(place)}</span></blockquote>`));
  return [
    `<div class="sentence"><p>${escaped(text)} ${citations.map(opener).join(" ")}</p>`,
    remark === "" ? "" : `<p class="remark">${escaped(remark)}</p>`,
    ...quotations,
    ...places.map((id) => `<div id="${escaped(id)}"></div>`),
    `<p><button class="plain" data-act="insert" data-answer="${escaped(answer.id)}" data-number="${number}">Insert into the draft with its citation</button></p></div>`,
  ].join("");
}

function refusal(answer: Answered, numbers: ReadonlyMap<string, number>): string {
  const nearest = answer.nearest.map((cited, at) => {
    const id = `${answer.id}-0-${at + 1}`;
    const label = `${numbers.get(cited.paper) ?? ""}, ${cited.place}`;
    return `<li>${escaped(cited.beside)} ${opening(label, answer, 0, at, cited.paper)}<div id="${escaped(id)}"></div></li>`;
  });
  const list = nearest.length > 0 ? `<h3>Nearest to the question</h3><ul>${nearest.join("")}</ul>` : "";
  return `<p>None of these papers answers that.</p>${list}`;
}

/** What opens the passage of a citation, and closes it. */
function opening(label: string, { id, references }: Answered, number: number, index: number, paper: string): string {
  const place = escaped(`${id}-${number}-${index + 1}`);
  const data = `data-act="passage" data-answer="${escaped(id)}" data-number="${number}" data-citation="${index + 1}" data-at="${place}"`;
  return `<button class="plain" ${data} aria-expanded="false" aria-controls="${place}" title="${escaped(`Passage: ${references.get(paper) ?? paper}`)}">[${escaped(label)}]</button>`;
}

function references(answer: Answered, numbers: ReadonlyMap<string, number>): string {
  const items = [...numbers.keys()].map((paper) => {
    const text = escaped(answer.references.get(paper) ?? paper);
    return ARXIV_ID.test(paper) ? `<li>${text} <a href="https://arxiv.org/abs/${paper}">on arXiv</a></li>` : `<li>${text}</li>`;
  });
  return `<ol class="references">${items.join("")}</ol>`;
}

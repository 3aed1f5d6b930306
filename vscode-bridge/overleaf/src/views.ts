/** What the panel shows of the results of commands. */

import { ARXIV_ID } from "../../src/identifiers.js";
import { button, chip, command, copy, counted, doing, element, listed, marked, paragraph, quotation, row, section, sentence, textIn, textLink } from "./elements.js";
import { type Finding, type Fix, type Missing, NEWER } from "./messages.js";
import { hunks } from "./texts.js";

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

interface Quoted {
  readonly paper: string;
  readonly quote: string;
  readonly place?: string;
  readonly summary?: boolean;
  readonly beside?: string | null; // what is quoted, unless the sentence itself prints these words
}

export interface Answered {
  readonly answer?: string; // its name
  readonly texts?: number; // that were read for it
  readonly sentences?: readonly { readonly shown?: string; readonly text: string; readonly remark?: string; readonly citations: readonly Quoted[] }[];
  readonly nearest?: readonly Quoted[];
  readonly refused?: boolean;
  readonly references?: Readonly<Record<string, string>>;
}

export type Choice = "pin" | "exclude" | "none";

/** What can be done with a paper; what writes is missing where nothing can be written. */
export interface ForPaper {
  readonly bibtexOf: (id: string) => Promise<string>;
  readonly choices: ReadonlyMap<string, Choice>; // as they are now
  readonly choose?: (id: string, choice: Choice) => Promise<unknown>;
  readonly add?: (id: string) => Promise<unknown>;
  readonly cite?: (id: string) => Promise<unknown>;
  readonly undone: (back: () => void) => void; // `back` is called once what was written last is undone
}

const isCited = ({ cited_as: as, cited }: Paper): boolean => as != null || cited === true;

/** Papers with a switch between those that are cited and the others, which come first unless the order is that of a search. */
export function papersOf(papers: readonly Paper[], can: ForPaper, isSearch: boolean): HTMLElement[] {
  if (papers.length === 0) {
    return [paragraph("No paper on this machine fits. Get some with: citeplug start")];
  }
  const cited = new Set(papers.filter(isCited));
  const isMixed = (): boolean => cited.size > 0 && cited.size < papers.length;
  const order = (paper: Paper): number => (isSearch ? 0 : Number(cited.has(paper)));
  const cards = [...papers].sort((one, two) => order(one) - order(two)).map((paper) => ({ paper, card: paperCard(paper, can, (isCited) => {
    cited[isCited ? "add" : "delete"](paper);
    show();
  }) }));
  const filters: [string, (paper: Paper) => boolean][] = [
    ["Not cited", (paper) => !cited.has(paper)],
    ["Cited", (paper) => cited.has(paper)],
    ["All", () => true],
  ];
  const choosers = filters.map(([label, fits]) => ({ label, fits, chooser: button("", () => {
    shown = label;
    show();
  }) }));
  const switches = row(...choosers.map(({ chooser }) => chooser));
  switches.classList.add("switch");
  let shown = isSearch ? "All" : "Not cited";
  function show(): void {
    switches.hidden = !isMixed();
    for (const { label, fits, chooser } of choosers) {
      chooser.textContent = `${label} ${papers.filter(fits).length}`;
      chooser.setAttribute("aria-pressed", String(label === shown));
      if (label === shown) {
        cards.forEach(({ paper, card }) => (card.hidden = isMixed() && !fits(paper)));
      }
    }
  }
  show();
  return [switches, ...cards.map(({ card }) => card)];
}

/** What it is, two lines of what it does, one of why, and one action; the rest is under "More". `cites` is told whether it is cited now. */
function paperCard(paper: Paper, { bibtexOf, add, cite, choices, choose, undone }: ForPaper, cites: (isCited: boolean) => void): HTMLElement {
  const { arxiv_id: id, title, authors = [], year, cited_as: cited, key, contribution = "", reasons = [], url } = paper;
  const by = [authors.slice(0, 2).join(", ") + (authors.length > 2 ? " et al." : ""), year].filter(Boolean).join(" · ");
  const own = cited ?? key ?? null;
  const heading = element("h3");
  const address = url?.startsWith("https://") === true ? url : ARXIV_ID.test(id) ? `https://arxiv.org/abs/${id}` : undefined;
  heading.append(address === undefined ? title : textLink(title, address)); // a work of the author's own may have no page
  const card = element("article", { class: "paper", "data-id": id });
  const mark = chip("", "chip");
  const about = paragraph(`${by} `, "small");
  about.append(mark);
  let standing = isCited(paper) ? "cited" : own === null ? "" : "in your bibliography";
  let choice = choices.get(id) ?? "none";
  const citing = cite === undefined ? [] : [doing("Cite at the cursor", () => cite(id).then(() => written("cited", "Cite at the cursor")))];
  const adding = own !== null || add === undefined ? [] : [doing("Add entry", () => add(id).then(() => written("in your bibliography", "Added")))];
  const copying = own !== null ? copy(own, "Copy key") : copy(() => bibtexOf(id), "Copy entry");
  copying.title = own ?? "";
  const pins = choose === undefined ? [] : (["pin", "exclude"] as const).map((choice) => ({ choice, toggle: toggleOf(choice) }));
  function written(now: string, label: string): string {
    const before = standing;
    const stand = (as: string): void => {
      standing = as;
      cites(as === "cited");
      show(choice);
      arrange();
    };
    stand(now);
    undone(stand.bind(null, before));
    return label;
  }
  function toggleOf(choice: "pin" | "exclude"): HTMLElement {
    const toggle = doing("", async () => {
      const next = toggle.getAttribute("aria-pressed") === "true" ? "none" : choice;
      await choose?.(id, next);
      show(next);
      return toggle.textContent;
    });
    toggle.title = choice === "pin" ? "The section always discusses this paper" : "The section never discusses this paper";
    return toggle;
  }
  function show(now: Choice): void {
    choice = now;
    for (const { choice: own, toggle } of pins) {
      const isChosen = now === own;
      toggle.setAttribute("aria-pressed", String(isChosen));
      toggle.textContent = own === "pin" ? (isChosen ? "Unpin" : "Pin") : isChosen ? "Include again" : "Exclude";
      toggle.hidden = now !== "none" && !isChosen;
    }
    card.classList.toggle("excluded", now === "exclude");
    mark.textContent = [standing, now === "none" ? "" : `${now}${now === "pin" ? "ned" : "d"}`].filter(Boolean).join(" · ");
    mark.hidden = mark.textContent === "";
    mark.classList.toggle("used", standing === "cited" || now === "pin");
  }
  show(choice);
  const told = reasons.filter(({ text }) => contribution === "" || !text.includes(contribution)).slice(0, 2);
  const why = told.length === 0 ? [] : [paragraph(`Why: ${told.map(({ text }) => text).join("; ")}`, "small why")];
  const rest = element("div", { class: "rest", hidden: "" });
  const [start, others] = [row(), row()];
  /** One action first: what is cited is not cited once more by it. */
  function arrange(): void {
    const further = [...(standing === "" ? adding : []), copying, ...pins.map(({ toggle }) => toggle)];
    const actions = standing === "cited" ? [...further, ...citing] : [...citing, ...further];
    actions.forEach((action, index) => action.classList.toggle("agree", index === 0));
    start.replaceChildren(...actions.slice(0, 1), more);
    others.replaceChildren(...actions.slice(1));
  }
  rest.append(...(ARXIV_ID.test(id) ? [paragraph(`arXiv:${id}`, "small")] : []), others);
  const more = button("More", () => {
    rest.hidden = !rest.hidden;
    more.setAttribute("aria-expanded", String(!rest.hidden));
  }, "quiet more");
  more.setAttribute("aria-label", `More on ${title}`);
  more.setAttribute("aria-expanded", "false");
  arrange();
  card.append(heading, about, ...(contribution === "" ? [] : [paragraph(contribution, "prose")]), ...why, start, rest);
  return card;
}

/** A paper that was cited and has no entry yet; `decide` adds it, or forgets that it has none. */
export function missingOf({ arxiv, key, title, by }: Missing, bibtexOf: ForPaper["bibtexOf"], canAdd: boolean, decide: (add: boolean) => void): HTMLElement {
  const deciding = (label: string, add: boolean, name: string): HTMLElement => button(label, decide.bind(null, add), name);
  const actions = [...(canAdd ? [deciding("Add entry", true, "primary")] : []), copy(() => bibtexOf(arxiv), "Copy entry"), deciding("Close", false, "quiet")];
  const made = section(title, paragraph([by, `cited as ${key}`, "no entry yet"].filter(Boolean).join(" · "), "small"), row(...actions));
  made.classList.add("missing");
  return made;
}

/** What a view is for, before anything was done in it. */
export const PURPOSE: Readonly<Record<string, string>> = {
  Papers: "Papers on this machine that the draft should discuss, and why. Search finds any of them.",
  Section: "A section from the papers that fit. You read each sentence and its source before any of it is in the draft.",
  Ask: "Answers quote the papers that the draft cites, or should.",
  Audit: "What a reviewer could hold against the citations: works that were missed, claims without one, quotations that differ.",
};

/** What a sentence of a section looks like, where there is none yet. */
export function sampleOf(): HTMLElement {
  const parts = ["We present ", "graph attention networks", " (GATs), novel neural network architectures that operate on graph-structured data, leveraging ", "masked self-attentional layers", " …"];
  const name = "Veličković et al. 2018";
  const made = element("figure", { "aria-label": "An example" });
  made.append(paragraph("For example", "small"), paragraph("Veličković et al. (2018) introduce graph attention networks, which use masked self-attentional layers.", "prose"));
  made.append(quotation({ name, place: "abstract", parts: parts.map((text, index) => ({ text, marked: index % 2 === 1 })) }));
  return made;
}

/** `insert` puts a sentence, by its number from 1, at the cursor with its citation. */
export function answerOf(
  question: string,
  { sentences = [], nearest = [], refused, references = {}, texts = 0 }: Answered,
  insert?: (number: number) => Promise<unknown>,
): HTMLElement[] {
  const named = ({ paper }: Quoted): string => references[paper] ?? paper;
  const quoted = (citation: Quoted, words = citation.beside ?? citation.quote): HTMLElement =>
    quotation({ parts: [{ text: words, marked: false }], name: named(citation), ...(ARXIV_ID.test(citation.paper) ? { arxiv: citation.paper } : {}), place: citation.place ?? "", summary: citation.summary === true });
  const asked = textIn("h2", question);
  const account = texts === 0 ? [] : [paragraph(`${counted(texts, "text")} read for it`, "small")];
  if (refused === true || sentences.length === 0) {
    return [asked, paragraph("None of these papers answers that."), ...account, ...(nearest.length > 0 ? [paragraph("Nearest to it:", "small"), ...nearest.map((citation) => quoted(citation))] : [])];
  }
  return [
    asked,
    ...sentences.map(({ shown, text, remark, citations }, index) => {
      const card = element("article");
      // What a paper says in these words is the quotation itself, and is not shown twice.
      const [itself] = citations.filter(({ beside }) => beside === null);
      const bare = (shown ?? text).replace(/^[“"]|[”"](?=\.?$)/g, "");
      const first = itself === undefined ? paragraph(shown ?? text, "prose") : quoted(itself, bare);
      card.append(first, ...(remark ? [paragraph(remark, "small")] : []), ...citations.filter((citation) => citation !== itself).map((citation) => quoted(citation)));
      if (insert !== undefined) {
        card.append(row(doing("Insert at the cursor", () => insert(index + 1).then(() => "Inserted"))));
      }
      return card;
    }),
    ...account,
  ];
}

/** What an audit has looked at, and what not. `commands` of a terminal look at more. */
export function accountOf(checked: readonly string[], unchecked: readonly string[], commands: readonly string[], isOpen: boolean): HTMLElement[] {
  const parts = [...listed("Checked", checked), ...listed("Not checked", unchecked), ...commands.flatMap((line) => [paragraph("In a terminal, this gets the texts that are lacking:", "small"), command(line)])];
  const made = element("details", { class: "account", ...(isOpen ? { open: "" } : {}) });
  made.append(textIn("summary", `What was checked${unchecked.length > 0 ? ", and what was not" : ""}`), ...parts);
  return parts.length === 0 ? [] : [made];
}

/** What the panel does with a finding. */
export interface ForFinding {
  readonly reveal: (path: string, line: number) => void;
  readonly fixes: (finding: Finding) => Promise<readonly Fix[]>;
  readonly apply: (fix: Fix) => Promise<unknown>;
  readonly search: (words: string) => void;
  readonly undone: ForPaper["undone"];
}

const TITLES = /^(?<told>.*?)“(?<own>[^”]*)”(?<then>.*?)“(?<record>[^”]*)”$/s; // of an entry and of its record

/** What a button does that cites the paper of a finding, or decides on it; other fixes have titles of their own. */
function titleOf({ title, command, argument }: Fix, code: string): string {
  const own = code === "title_differs" ? title.replace(/:.*/s, "") : title; // the title stands above it
  return command === "insertCitation" ? "Cite it there" : command !== "choose" ? own : argument["choice"] === "pin" ? "Pin" : "Exclude";
}

/** What a finding says: of a paper its title and why it belongs there, of two titles where they differ. */
function partsOf({ code, message, arxiv = "", work }: Finding): HTMLElement[] {
  if (work !== undefined) {
    const heading = element("h3");
    heading.append(textLink(work.title, `https://arxiv.org/abs/${arxiv}`));
    return [heading, paragraph(work.by, "small"), ...(work.why === "" ? [] : [paragraph(`Why: ${work.why}`, "small why")])];
  }
  const made = paragraph(sentence(message));
  const { told = "", own = "", then = "", record = "" } = (code === "title_differs" ? TITLES.exec(message)?.groups : undefined) ?? {};
  if (record !== "") {
    const words = (text: string): string => text.replaceAll(" ", " \n");
    const [ours, theirs] = [element("span"), element("span")];
    for (const { before, after, same } of hunks(`${words(own)}\n`, `${words(record)}\n`)) {
      const [gone, come] = [before, after].map((part) => part.join("").replaceAll("\n", ""));
      ours.append(...(same ? [gone ?? ""] : marked("del", gone ?? "")));
      theirs.append(...(same ? [come ?? ""] : marked("ins", come ?? "")));
    }
    made.replaceChildren(sentence(told), "“", ours, "”", then, "“", theirs, "”");
  }
  return [made];
}

/** Findings, worst first, each with its entry, its place, which leads there, and what mends it. */
export function findingsOf(findings: readonly Finding[], { reveal, fixes, apply, search, undone }: ForFinding): HTMLElement[] {
  const rank = ({ severity, code }: Finding): number => (code === NEWER ? 4 : ["error", "warning"].indexOf(severity) + 1 || 3);
  return [...findings]
    .sort((one, two) => rank(one) - rank(two))
    .map((finding) => {
      const { severity, code, message, fix, path, line, entry, arxiv, work } = finding;
      const card = element("article", { class: work === undefined ? `finding ${severity}` : "paper" });
      const about = paragraph(entry, "small");
      const place = button(`${path}, line ${line}`, reveal.bind(null, path, line), "place");
      place.title = "Show it in the file";
      about.append(...(path === "" ? [] : [entry === "" ? "" : " · ", place]));
      const advice = paragraph(sentence(fix ?? ""), "small");
      advice.hidden = !fix || work !== undefined;
      const placed = about.textContent === "" ? [] : [about];
      card.append(...(work === undefined ? [...placed, ...partsOf(finding)] : [...partsOf(finding), ...placed]), advice);
      const actions = row();
      const named = code === "undefined_key" ? entry : code === "uncited_name" ? message.replace(/ is named .*/s, "") : "";
      if (named !== "") {
        actions.append(button("Search for it", search.bind(null, named.replace(/[^\p{L}]+/gu, " ").trim())));
      }
      if (path !== "" && line > 0) {
        void fixes(finding).then((all) => {
          const mending = all.filter(({ argument }) => arxiv === undefined || argument["arxiv_id"] === arxiv); // others of the line have their own
          actions.prepend(...mending.map((one) => doing(titleOf(one, code), () => apply(one).then(() => {
            card.classList.toggle("mended", arxiv !== undefined); // an audit is not made again
            undone(() => {
              card.classList.remove("mended");
            });
            return "Done";
          }))));
          advice.hidden ||= mending.length > 0; // the button says it
        }, () => undefined);
      }
      card.append(actions);
      return card;
    });
}

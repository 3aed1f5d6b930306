/** What the server answers to its commands (docs/lsp-reference.md). What is of another shape is no answer. */

export type Choice = "pin" | "exclude";

/** The ids of the papers that a project pins and excludes. */
export type Choices = Readonly<Record<Choice, readonly string[]>>;

/**
 * A paper of the shortlist. `key` is that of its entry, which the text cites if `cited`; `reasons` are sentences; `placed`
 * is what it was chosen for when the papers were found, by which it has its place in the list. `debate` has a line for each
 * argument of a model for and against it.
 */
export interface Paper {
  arxivId: string;
  title: string;
  authors: readonly string[];
  year: number | undefined;
  categories: readonly string[];
  score: number | undefined;
  foundBy: readonly string[];
  reasons: readonly string[];
  debate: readonly string[];
  key: string | undefined;
  cited: boolean;
  /** The section cites it. */
  inSection: boolean;
  chosen: boolean;
  choice: Choice | undefined;
  placed: Choice | undefined;
  abstract: string;
  /** The sentence of the abstract that says what the paper brings. */
  contribution: string;
  /** Than the draft. */
  newer: boolean;
  verified: boolean;
  /** Of the check of its entry. */
  verdict: string;
}

/** A paper that a search found. `by` says who wrote it, when, and whether the draft has it; `about` begins its abstract. */
export interface Found {
  arxivId: string;
  title: string;
  by: string;
  about: string;
}

/** Where an answer has something from. `beside` is the quotation, empty where the sentence itself prints it. */
export interface Cited {
  paper: string;
  place: string;
  beside: string;
}

/**
 * An answer to a question; `id` is what its sentences are inserted and its passages shown by. A sentence that is a source's
 * own words has quotation marks in its `text`; `remark` says what speaks against it. `references` are of what is cited, by
 * paper; `nearest` are passages that a refused question came near to; `looked` says what was looked through.
 */
export interface Answered {
  id: string;
  question: string;
  sentences: readonly { text: string; remark: string; citations: readonly Cited[] }[];
  nearest: readonly Cited[];
  references: ReadonlyMap<string, string>;
  looked: string;
  model: string;
}

/** A passage in parts, of which what is quoted is marked; `found`: it is on the machine still. */
export interface Passage {
  title: string;
  place: string;
  parts: readonly { text: string; marked: boolean }[];
  found: boolean;
}

/** What is to be done about a sentence that citeplug wrote and the author has not changed; of a proposal one may be rejected. */
export type Verdict = "review" | "doubtful" | "accepted" | "rejected";

/** Where a sentence begins and ends, from 0, and its name, of which the part before the colon is its paragraph's. */
export interface Sentence {
  place: string;
  line: number;
  character: number;
  endLine: number;
  endCharacter: number;
  verdict: Verdict;
}

/** What a sentence is from: who wrote each source, its `record` on arXiv, and a passage in parts, marked where it has the sentence's words. */
export interface Sourced {
  place: string;
  accepted: boolean;
  close: string;
  doubt: string;
  sources: readonly { arxivId: string; record: string; name: string; title: string; place: string; parts: Passage["parts"] }[];
}

/** The section's file, and its sentences from top to bottom. */
export interface Section {
  uri: string;
  sentences: readonly Sentence[];
}

const LINES = 220; // characters of an abstract in a list

export interface Finding {
  code: string;
  message: string;
  fix: string;
}

/** A file as it is, and as it would be. */
export interface Change {
  uri: string;
  before: string;
  after: string;
}

/** What would change; `id` is what it is applied by. `sentences` are those of the section that is proposed, `sourced` what they are from. */
export interface Preview {
  id: string;
  changes: readonly Change[];
  findings: readonly Finding[];
  sentences: readonly Sentence[];
  sourced: readonly Sourced[];
}

/** The papers of an answer; undefined if it is none. */
export function readShortlist(answer: unknown): Paper[] | undefined {
  const papers = fields(answer)["papers"];
  return Array.isArray(papers) ? papers.flatMap((each: unknown) => paper(fields(each))) : undefined;
}

/** When the draft of a list was written, where some of its papers are newer; empty elsewhere. */
export function draftOf(answer: unknown): string {
  return word(fields(answer)["draft_of"]);
}

/** Who wrote a paper, as a reader names them. */
export function byline(authors: readonly string[]): string {
  const [first = "", second = ""] = authors.map((author) => author.split(" ").at(-1) ?? "");
  return authors.length > 2 ? `${first} et al.` : [first, second].filter(Boolean).join(" and ");
}

/** The papers that a search for `typed` found, best first. */
export function readFound(answer: unknown, typed = ""): Found[] {
  return objects(fields(answer)["papers"]).flatMap((each) => found(each, typed.toLowerCase().split(/\s+/).filter(Boolean)));
}

/** The answer to a question; undefined if it is none. */
export function readAnswered(answer: unknown): Answered | undefined {
  const said = fields(answer);
  if (word(said["answer"]) === "" || !Array.isArray(said["sentences"])) {
    return undefined;
  }
  return {
    id: word(said["answer"]),
    question: word(said["question"]),
    sentences: objects(said["sentences"]).map(({ text, shown, remark, citations }) => ({
      text: word(shown) || word(text),
      remark: word(remark),
      citations: cited(citations),
    })),
    nearest: cited(said["nearest"]),
    references: new Map(Object.entries(fields(said["references"])).map(([paper, text]) => [paper, word(text)])),
    looked: word(said["looked"]),
    model: word(said["model"]),
  };
}

/** The turns of a conversation, the earliest first. */
export function readTurns(answer: unknown): Answered[] {
  return objects(fields(answer)["turns"]).flatMap((turn) => readAnswered(turn) ?? []);
}

/** The passage of a citation; undefined if the answer is none. */
export function readPassage(answer: unknown): Passage | undefined {
  const { title, place, parts, found } = fields(answer);
  return Array.isArray(parts)
    ? {
        title: word(title),
        place: word(place),
        parts: partsOf(parts),
        found: found === true,
      }
    : undefined;
}

/** What would change; undefined if the answer is none. A run that changes nothing has nothing to apply. */
export function readPreview(answer: unknown): Preview | undefined {
  const said = fields(answer);
  const changes = said["changes"];
  if (!Array.isArray(changes)) {
    return undefined;
  }
  return {
    id: word(said["preview"]),
    changes: changes.flatMap((each: unknown) => change(fields(each))),
    findings: findings(answer),
    sentences: placed(said["sentences"]),
    sourced: readSourced(answer),
  };
}

export function findings(answer: unknown): Finding[] {
  const found = fields(answer)["findings"];
  return Array.isArray(found)
    ? found.map((each: unknown) => ({ code: word(fields(each)["code"]), message: word(fields(each)["message"]), fix: word(fields(each)["fix"]) }))
    : [];
}

export function isDone(answer: unknown): boolean {
  return fields(answer)["done"] === true;
}

/** Whether the author wants to see what is missing in a related work of the draft's own. */
export function isMissing(answer: unknown): boolean {
  return fields(answer)["missing"] === true;
}

/** Whether a command had nothing to do. */
export function isUnchanged(answer: unknown): boolean {
  const { done, edited } = fields(answer);
  return done === false && Array.isArray(edited);
}

/** The entry of a paper, and its key; undefined if the answer has none. */
export function readEntry(answer: unknown): { key: string; bibtex: string } | undefined {
  const { key, bibtex } = fields(answer);
  return isDone(answer) && typeof key === "string" && typeof bibtex === "string" ? { key, bibtex } : undefined;
}

/** What a project chooses; undefined if the answer does not say. */
export function readChoices(answer: unknown): Choices | undefined {
  return isDone(answer) ? { pin: words(fields(answer)["pin"]), exclude: words(fields(answer)["exclude"]) } : undefined;
}

/** What would be sent to arXiv's search; undefined if the answer does not say. */
export function readSearches(answer: unknown): readonly string[] | undefined {
  return isDone(answer) ? words(fields(answer)["searches"]) : undefined;
}

/** The sentences of a section; undefined if the answer has none. */
export function readSentences(answer: unknown): Section | undefined {
  const { uri, sentences } = fields(answer);
  return word(uri) === "" ? undefined : { uri: word(uri), sentences: placed(sentences) };
}

/** The sources of sentences. */
export function readSourced(answer: unknown): Sourced[] {
  return objects(fields(answer)["sentences"]).map(({ place, status, close, doubt, sources }) => ({
    place: word(place),
    accepted: status === "accepted",
    close: word(close),
    doubt: word(doubt),
    sources: objects(sources).map(({ arxiv_id: id, record, name, title, place: where, parts }) => ({
      arxivId: word(id),
      record: word(record) || word(id),
      name: word(name),
      title: word(title),
      place: word(where),
      parts: partsOf(parts),
    })),
  }));
}

/** How many papers were added, and how many the catalogue has. */
export function readAdded(answer: unknown): { added: number; records: number } | undefined {
  const { added, records } = fields(answer);
  return typeof added === "number" && typeof records === "number" ? { added, records } : undefined;
}

/** The key under which a paper has its entry now. */
export function readKey(answer: unknown): string | undefined {
  return word(fields(answer)["key"]) || undefined;
}

/** Where sentences are; one that only a proposal has is to be reviewed. */
function placed(sentences: unknown): Sentence[] {
  return objects(sentences).flatMap(({ line, character, end_line: endLine, end_character: endCharacter, verdict, place }): Sentence[] =>
    typeof line === "number" && typeof character === "number" && typeof endLine === "number" && typeof endCharacter === "number"
      ? [{ place: word(place), line, character, endLine, endCharacter, verdict: verdict === "doubtful" || verdict === "accepted" ? verdict : "review" }]
      : [],
  );
}

function partsOf(value: unknown): Passage["parts"] {
  return objects(value).map(({ text, marked }) => ({ text: word(text), marked: marked === true }));
}

function cited(value: unknown): Cited[] {
  return objects(value).map(({ paper, place, quote, beside }) => ({
    paper: word(paper),
    place: word(place),
    beside: beside === undefined ? word(quote) : word(beside), // of a nearest passage there is no sentence
  }));
}

function paper(said: Record<string, unknown>): Paper[] {
  const arxivId = word(said["arxiv_id"]);
  const { year, score } = said;
  const choice = said["choice"] === "pin" || said["choice"] === "exclude" ? said["choice"] : undefined;
  if (arxivId === "") {
    return [];
  }
  return [
    {
      arxivId,
      title: word(said["title"]) || arxivId,
      authors: words(said["authors"]),
      year: typeof year === "number" ? year : undefined,
      categories: words(said["categories"]),
      score: typeof score === "number" ? score : undefined,
      foundBy: words(said["found_by"]),
      reasons: reasons(said["reasons"]),
      debate: debate(said["debate"]),
      key: word(said["key"]) || undefined,
      cited: word(said["cited_as"]) !== "",
      inSection: said["in_section"] === true,
      chosen: said["chosen"] === true,
      choice,
      placed: choice,
      abstract: word(said["abstract"]),
      contribution: word(said["contribution"]),
      newer: said["newer"] === true,
      verified: said["verified"] === true,
      verdict: word(said["verdict"]),
    },
  ];
}

/** With the authors whom "et al." hides where one of the words is their name. */
function found(said: Record<string, unknown>, typed: readonly string[]): Found[] {
  const arxivId = word(said["arxiv_id"]);
  const authors = words(said["authors"]);
  const year = typeof said["year"] === "number" ? String(said["year"]) : "";
  const hidden = authors.length > 2 ? authors.slice(1).map((author) => author.split(" ").at(-1) ?? "") : [];
  const named = hidden.filter((name) => typed.some((word) => name.toLowerCase().startsWith(word)));
  const who = `${[byline(authors), ...named].join(", ")} ${year}`.trim();
  const key = word(said["key"]);
  const place = key === "" ? "" : said["cited"] === true ? `cited as ${key}` : `entry ${key}`;
  const abstract = word(said["abstract"]);
  const about = abstract.length > LINES ? `${abstract.slice(0, LINES).trimEnd()} …` : abstract;
  const by = [who, place].filter(Boolean).join(" · ");
  return arxivId === "" ? [] : [{ arxivId, title: word(said["title"]) || arxivId, by, about }];
}

function reasons(value: unknown): string[] {
  return Array.isArray(value) ? value.map((each: unknown) => word(fields(each)["text"])).filter(Boolean) : [];
}

function debate(value: unknown): string[] {
  const said = fields(value);
  const { probability } = said;
  const argued = (side: string, of: unknown): string[] =>
    (Array.isArray(of) ? of.map(fields) : [])
      .filter(({ argument, quote }) => word(argument) !== "" && word(quote) !== "")
      .map(({ argument, quote }) => `${side}: ${word(argument)} “${word(quote)}”`);
  const chance = typeof probability === "number" ? [`Debated by a model: cited with probability ${String(probability)} %`] : [];
  return [...chance, ...argued("For", said["for"]), ...argued("Against", said["against"])];
}

function change(said: Record<string, unknown>): Change[] {
  const { uri, before, after } = said;
  return typeof uri === "string" && typeof after === "string" ? [{ uri, before: word(before), after }] : [];
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function objects(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(fields) : [];
}

function word(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function words(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : [];
}

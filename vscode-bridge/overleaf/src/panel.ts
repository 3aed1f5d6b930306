/** The side panel: a page of the extension, which no page of Overleaf can reach. All that it shows is set as text. */

import { away, offline, ownServer, pairing, unwritable } from "./beginning.js";
import { asking, button, element, paragraph, problem, row, textIn } from "./elements.js";
import { Checks, problemsIn } from "./checks.js";
import { asked, permitted, questionOf, recall, settings, tellStanding } from "./consent.js";
import { type Command, type Fix, type FromPanel, type Missing, type State, type ToPanel, UNDONE } from "./messages.js";
import { Outcome } from "./outcome.js";
import { type DrawnProposal, proposalOf } from "./proposal.js";
import { Reading } from "./reading.js";
import { answerOf, type Answered, type Choice, type ForPaper, missingOf, type Paper, papersOf, PURPOSE, sampleOf } from "./views.js";

type Result = Record<string, unknown>;
const VIEWS = ["Papers", "Section", "Check", "Ask", "Audit"] as const;
type View = (typeof VIEWS)[number];

const page = element("main");
const status = element("div", { id: "status", role: "status" });
const tabs = element("nav", { role: "tablist" });
const body = element("div", { id: "view", role: "tabpanel" });
const outcome = new Outcome(tell);
const undoing = new Map<number, () => void>(); // by the number of an edit, what it has changed in the panel
const waiting = new Map<number, (answer: ToPanel & { kind: "result" }) => void>();
const results = new Map<View, HTMLElement[]>(); // what was made last for each view
let state: State | null = null;
let view: View = "Papers";
let port: chrome.runtime.Port;
let tab = -1;
let number = 0;
let shownState = "";
let shownProposal: { number: number; writable: boolean; view: View; drawn: DrawnProposal } | undefined;
let [typedQuestion, typedSearch] = ["", ""];
let edit = 0; // the number of the one that was made last
let before = 0; // where the author was in the panel when a proposal or a question came
const writable = (): boolean => state?.writable === true;
const reading = new Reading({ run, reveal, draw, writable });
const checks = new Checks({ run, fixesOf, reveal, draw, writable, search: searchFor, undone });

document.body.append(page);
page.append(tabs, settings, status, body, outcome.element);
tabs.addEventListener("keydown", ({ key }) => {
  const step = Number(key === "ArrowRight") - Number(key === "ArrowLeft");
  if (step !== 0) {
    select(VIEWS.at((VIEWS.indexOf(view) + step) % VIEWS.length) ?? view);
  }
});
void start();

async function start(): Promise<void> {
  connect();
  await recall();
  const named = new URLSearchParams(window.location.search).get("tab");
  if (named !== null) {
    look(Number(named)); // a panel of its own in a tab
    return;
  }
  const find = async (): Promise<void> => {
    const [active] = await chrome.tabs.query({ active: true, currentWindow: true });
    look(active?.id ?? -1);
  };
  chrome.tabs.onActivated.addListener(() => void find());
  await find();
}

function connect(): void {
  port = chrome.runtime.connect({ name: "panel" });
  port.onMessage.addListener((message: ToPanel) => {
    if (message.kind === "result") {
      waiting.get(message.number)?.(message);
      waiting.delete(message.number);
    } else {
      const last = state;
      state = message.state;
      const now = JSON.stringify(state);
      if (now !== shownState || last === null) {
        shownState = now;
        settle(last);
        draw();
        follow(waitsForAuthor(last), waitsForAuthor(state));
      }
    }
  });
  port.onDisconnect.addListener(() => {
    connect(); // the worker was ended: it begins anew
    look(tab);
  });
}

/** The view in which a question or a proposal waits for the author. */
function waitsIn(): View | undefined {
  return shownProposal?.view ?? VIEWS.find((name) => name === state?.question?.view);
}

function asksHere(): boolean {
  return ["", view].includes(state?.question?.view ?? "none");
}

function waitsForAuthor(of: State | null): number {
  return of?.question?.number ?? of?.proposal?.number ?? 0;
}

/** A proposal is the content of a tab: the section's of its own, any other of the tab where it was asked for. */
function settle(last: State | null): void {
  const proposal = state?.proposal ?? null;
  if (proposal === null || state === null) {
    shownProposal = undefined;
  } else if (shownProposal?.number !== proposal.number || shownProposal.writable !== state.writable) {
    const { number: proposed, sentences } = proposal;
    const { writable } = state;
    // Drawn once: what the author unfolds and leaves out stays.
    const drawn = proposalOf(proposal, writable, {
      decide: (without) => {
        tell(without === null ? { kind: "discard" } : { kind: "accept", without });
      },
      revise: (without) => {
        tell({ kind: "revise", without });
      },
    });
    view = sentences.length > 0 ? "Section" : view;
    shownProposal = { number: proposed, writable, view, drawn };
  } else if (JSON.stringify(last?.proposal?.files) !== JSON.stringify(proposal.files)) {
    shownProposal.drawn.show(proposal.files);
  }
  edit = state?.undo?.number ?? edit;
  if (state?.notice.startsWith(UNDONE) === true && last?.notice !== state.notice) {
    undoing.get(edit)?.();
  }
  if (JSON.stringify(last?.findings) !== JSON.stringify(state?.findings)) {
    checks.forgetFixes();
    if (view === "Check") {
      void checks.count();
    }
  }
  if (view === "Section" && state?.link === "on" && (last?.link !== "on" || last.undo?.command !== state.undo?.command)) {
    void reading.load();
  }
}

/** What asks for a decision stands at the top: show it, and go back to where the author was. */
function follow(last: number, now: number): void {
  if (now !== 0 && now !== last) {
    before = last === 0 ? window.scrollY : before;
    window.scrollTo({ top: 0 });
  } else if (now === 0 && last !== 0) {
    window.scrollTo({ top: before });
  }
}

function look(at: number): void {
  if (at !== tab) {
    results.clear();
    reading.sentences = [];
    checks.forget();
  }
  tab = at;
  tell({ kind: "look", tab });
}

function tell(message: FromPanel): void {
  port.postMessage(message);
}

async function answerTo(messageOf: (number: number) => FromPanel): Promise<Result> {
  number += 1;
  const own = number;
  tell(messageOf(own));
  const { problem, result } = await new Promise<ToPanel & { kind: "result" }>((resolve) => waiting.set(own, resolve));
  if (problem !== "") {
    throw new Error(problem);
  }
  return result ?? {};
}

function run(command: Command, argument: Result = {}): Promise<Result> {
  return answerTo((number) => ({ kind: "run", number, command, argument, view }));
}

/** Call `back` once the edit that was made last is undone. */
function undone(back: () => void): void {
  if (state?.undo != null) {
    undoing.set(edit, back);
  }
}

/** Show in a view what a command gives, or why it gives nothing; until then it shows what was there. */
function shows(name: View, work: () => Promise<HTMLElement[]>): () => void {
  return () => {
    work()
      .catch((error: unknown) => [problem(error)])
      .then((parts) => {
        results.set(name, parts);
        drawView();
      })
      .catch(() => undefined);
  };
}

function draw(): void {
  document.documentElement.style.colorScheme = state?.dark == null ? "" : state.dark ? "dark" : "light";
  status.replaceChildren(...statusParts());
  outcome.show(state, view);
  body.toggleAttribute("aria-busy", outcome.isBusy);
  tabs.hidden = settings.hidden = state?.link !== "on";
  body.hidden = tabs.hidden || asksHere();
  const hasFocus = tabs.contains(document.activeElement);
  tabs.replaceChildren(
    ...VIEWS.map((name) => {
      const number = { Papers: state?.missing.length ?? 0, Check: problemsIn(state?.findings ?? []), Audit: problemsIn(checks.audited), Section: 0, Ask: 0 }[name];
      const tabButton = button(name, select.bind(null, name));
      tabButton.tabIndex = name === view ? 0 : -1; // the others are reached by arrow keys
      const waits = waitsIn() === name;
      if (number > 0 || waits) {
        tabButton.append(textIn("span", waits ? "●" : String(number), { class: waits ? "badge open" : "badge", "aria-hidden": "true", title: waits ? "Something waits for you here" : "" }));
        tabButton.setAttribute("aria-label", name);
      }
      tabButton.setAttribute("role", "tab");
      tabButton.setAttribute("aria-selected", String(name === view));
      return tabButton;
    }),
  );
  if (hasFocus) {
    tabs.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
  }
  drawView();
}

function select(name: View): void {
  view = name;
  draw();
  if (name === "Check") {
    void checks.count();
  } else if (name === "Section") {
    void reading.load();
  }
}

function statusParts(): HTMLElement[] {
  if (state === null) {
    return [away(tab, draw), ownServer()];
  }
  const parts: HTMLElement[] = [];
  switch (state.link) {
    case "unpaired":
    case "malformed":
    case "unanswered":
    case "refused":
    case "forgotten":
      parts.push(...pairing(state.link, (typed) => {
        tell({ kind: "pair", code: typed });
      }));
      break;
    case "connecting":
      parts.push(paragraph("Connecting to citeplug on this machine…"));
      break;
    case "off":
      parts.push(offline(tell.bind(null, { kind: "connect" })));
      break;
    case "on":
      tellStanding(state.writable ? state.document : "");
      parts.push(...(state.writable ? [] : [unwritable(state.document)]));
  }
  if (state.question !== null && asksHere()) {
    const { number: asking } = state.question;
    parts.push(questionOf(state.question, (reply) => {
      tell({ kind: "reply", number: asking, ...reply });
    }));
  }
  return parts;
}

function missing(paper: Missing): HTMLElement {
  return missingOf(paper, bibtexOf, writable(), (add) => {
    tell({ kind: "entry", arxiv: paper.arxiv, add });
  });
}

async function bibtexOf(arxiv: string): Promise<string> {
  return String((await run("bibtex", { arxiv_id: arxiv }))["bibtex"]);
}

function drawView(): void {
  if (shownProposal?.view === view) {
    body.dataset["view"] = "";
    if (body.firstElementChild !== shownProposal.drawn.element) {
      body.replaceChildren(shownProposal.drawn.element);
    }
    return;
  }
  const isNew = results.get(view) === undefined && (view !== "Section" || reading.sentences.length === 0);
  const made = results.get(view) ?? [];
  const purpose = isNew ? [paragraph(PURPOSE[view] ?? "", "purpose")] : [];
  const unlisted = state?.missing ?? [];
  const parts: Record<View, () => HTMLElement[]> = {
    Papers: () => [
      ...purpose,
      row(button(isNew ? "Find papers for the draft" : "Find for the draft", shows("Papers", async () => paperList(await run("shortlist", asked.online ? { online: true } : {}))), isNew ? "primary" : ""), search()),
      ...unlisted.map(missing),
      ...made.filter(({ dataset }) => !unlisted.some(({ arxiv }) => arxiv === dataset["id"])),
    ],
    Section: () => [
      ...purpose,
      row(button(reading.sentences.length === 0 ? "Write related work" : "Write it again", shows("Section", () => write({ insert: true })), reading.sentences.length === 0 ? "primary" : "")),
      ...(isNew ? [sampleOf()] : []),
      ...made,
      ...reading.parts(),
    ],
    Check: () => checks.parts(state?.findings ?? []),
    Ask: () => [...purpose, question(), ...made],
    Audit: () => [...purpose, row(button(isNew ? "Audit the draft" : "Audit again", shows("Audit", () => checks.audit(() => state?.findings ?? [])), isNew ? "primary" : "")), ...made],
  };
  drawParts(made, parts);
  const open = waitsIn();
  if (open !== undefined && document.querySelector("#view > .waits") === null) {
    const waits = row(paragraph(`A ${shownProposal === undefined ? "question" : "proposal"} under ${open} comes first.`), button("Show it", () => {
      view = open;
      draw();
    }, "primary"));
    waits.classList.add("waits");
    body.prepend(waits);
  }
  for (const starter of body.querySelectorAll<HTMLButtonElement>("#view > :not(.waits) button.primary")) {
    const isWaiting = shownProposal !== undefined;
    starter.disabled = state?.busy !== "" || isWaiting;
    starter.classList.toggle("primary", !isWaiting);
  }
}

function drawParts(made: HTMLElement[], parts: Record<View, () => HTMLElement[]>): void {
  // What is typed in a field stays there while the state changes.
  const [focused] = body.querySelectorAll<HTMLInputElement>("input:focus, textarea:focus");
  if (focused === undefined || body.dataset["view"] !== view) {
    body.dataset["view"] = view;
    body.replaceChildren(...parts[view]());
  } else {
    for (const child of [...body.children]) {
      if (!child.contains(focused)) {
        child.remove();
      }
    }
    body.append(...made);
  }
}

function reveal(path: string, line: number): void {
  tell({ kind: "reveal", path, line });
}

async function paperList({ papers = [] }: { papers?: Paper[] }, isSearch = false): Promise<HTMLElement[]> {
  const now = (await run("choices").catch(() => ({}))) as Partial<Record<"pin" | "exclude", string[]>>;
  const choices = new Map((["pin", "exclude"] as const).flatMap((name) => (now[name] ?? []).map((id): [string, Choice] => [id, name])));
  const does = (command: Command) => (id: string): Promise<Result> => run(command, { arxiv_id: id });
  const choose = (id: string, choice: Choice): Promise<Result> => run("choose", { arxiv_id: id, choice });
  const can: ForPaper = !writable() ? { bibtexOf, choices, undone } : { bibtexOf, choices, undone, choose, add: does("addEntry"), ...(isTex() ? { cite: does("insertCitation") } : {}) };
  return papersOf(papers, can, isSearch);
}

function isTex(): boolean {
  return writable() && state?.document.endsWith(".tex") === true;
}

function search(): HTMLElement {
  return asking("Search", "Title, authors, words", typedSearch, searchFor);
}

function searchFor(text: string): void {
  typedSearch = text;
  view = "Papers";
  draw();
  shows("Papers", async () => paperList(await run("search", { text }), true))();
}

async function write(options: Result): Promise<HTMLElement[]> {
  const result = await run("generate", { ...options, ...permitted() });
  if (result["missing"] === true) {
    return [paragraph("What your section misses:"), ...(await paperList(await run("shortlist", { missing: true })))];
  }
  if (result["accepted"] === true) {
    await reading.load();
  }
  const told = ((result["findings"] ?? []) as { message: string }[]).map(({ message }) => paragraph(message, "small"));
  const outcome = result["accepted"] === true ? [] : [paragraph(result["accepted"] === false ? "Nothing was written." : "There is nothing to change.")];
  return [...outcome, ...told];
}

function question(): HTMLElement {
  return asking("Ask", "A question to the papers", typedQuestion, (text) => {
    typedQuestion = text;
    shows("Ask", async () => {
      const answered = (await run("ask", { question: text, ...permitted() })) as Answered;
      typedQuestion = ""; // it stands above its answer
      const insert = (number: number): Promise<Result> => run("insertAnswer", { answer: answered.answer, number });
      return answerOf(text, answered, isTex() && answered.answer !== undefined ? insert : undefined);
    })();
  });
}

async function fixesOf(path: string, line: number): Promise<readonly Fix[]> {
  return ((await answerTo((number) => ({ kind: "fixes", number, path, line })))["fixes"] ?? []) as Fix[];
}

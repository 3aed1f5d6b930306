/** The side panel: a page of the extension, which no page of Overleaf can reach. All that it shows is set as text. */

import { away, command, ownServer, pairing } from "./beginning.js";
import { asking, button, copy, element, paragraph, problem, row, section } from "./elements.js";
import { questionParts } from "./consent.js";
import type { Command, Finding, Fix, FromPanel, Missing, State, ToPanel, Work } from "./messages.js";
import { proposalOf } from "./proposal.js";
import { accountOf, answerOf, findingsOf, type ForFinding, type ForPaper, type Paper, papersOf, type Recorded, sourcesOf } from "./views.js";

type Result = Record<string, unknown>;
const VIEWS = ["Papers", "Section", "Check", "Ask", "Audit"] as const;
type View = (typeof VIEWS)[number];

const page = element("main");
const status = element("div", { id: "status", role: "status" });
const tabs = element("nav", { role: "tablist" });
const body = element("div", { id: "view", role: "tabpanel" });
const waiting = new Map<number, (answer: ToPanel & { kind: "result" }) => void>();
const results = new Map<View, HTMLElement[]>(); // what was made last for each view
let state: State | null = null;
let view: View = "Papers";
let port: chrome.runtime.Port;
let tab = -1;
let number = 0;
let shownState = "";
let shownProposal: { number: number; writable: boolean; view: View; isAside: boolean; element: HTMLElement } | undefined;
let shownQuestion: { number: number; element: HTMLElement } | undefined;
let typedQuestion = "";
let before = 0; // where the author was in the panel when a proposal or a question came
let summary = ""; // of the last check
let audited = -1; // the number of findings of the last audit
const mended = new Map<string, Promise<readonly Fix[]>>(); // by place and message of a finding
const asked = { online: false, llm: "", limit: "" }; // whom the author lets be asked, and for how many dollars a run

document.body.append(page);
page.append(tabs, status, body);
void start();

async function start(): Promise<void> {
  connect();
  Object.assign(asked, await chrome.storage.local.get<Partial<typeof asked>>(["online", "llm", "limit"]));
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
    const drawn = proposalOf(
      proposal,
      writable,
      (without) => {
        tell(without === null ? { kind: "discard" } : { kind: "accept", without });
      },
      () => {
        setAside(true);
      },
    );
    view = sentences.length > 0 ? "Section" : view;
    shownProposal = { number: proposed, writable, view, isAside: false, element: drawn };
  }
  if (JSON.stringify(last?.findings) !== JSON.stringify(state?.findings)) {
    mended.clear();
    if (view === "Check") {
      void check();
    }
  }
}

function setAside(isAside: boolean): void {
  if (shownProposal !== undefined) {
    shownProposal.isAside = isAside;
    view = shownProposal.view;
    draw();
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
    summary = "";
    audited = -1;
  }
  tab = at;
  tell({ kind: "look", tab });
}

function tell(message: FromPanel): void {
  port.postMessage(message);
}

async function run(command: Command, argument: Result = {}, about: Work | null = null): Promise<Result> {
  number += 1;
  const own = number;
  tell({ kind: "run", number: own, command, argument, about });
  const answer = await new Promise<ToPanel & { kind: "result" }>((resolve) => waiting.set(own, resolve));
  if (answer.problem !== "") {
    throw new Error(answer.problem);
  }
  return answer.result ?? {};
}

/** Show in a view what a command gives, or why it gives nothing. */
function shows(name: View, work: () => Promise<HTMLElement[]>): () => void {
  return () => {
    results.set(name, []);
    drawView();
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
  const isPaired = state !== null && ["on", "connecting", "off"].includes(state.link);
  tabs.hidden = !isPaired;
  body.hidden = state?.link !== "on" || state.question !== null;
  tabs.replaceChildren(
    ...VIEWS.map((name) => {
      const number = name === "Papers" ? (state?.missing.length ?? 0) : name === "Check" ? (state?.findings.length ?? 0) : name === "Audit" ? audited : 0;
      const tabButton = button(name, () => {
        view = name;
        draw();
        if (name === "Check") {
          void check();
        }
      });
      if (number > 0 || shownProposal?.view === name) {
        const badge = element("span", { class: "badge", "aria-hidden": "true", title: shownProposal?.view === name ? "A proposal is open here" : "" });
        badge.textContent = shownProposal?.view === name ? "●" : String(number);
        tabButton.append(badge);
        tabButton.setAttribute("aria-label", name);
      }
      tabButton.disabled = state?.link !== "on";
      tabButton.setAttribute("role", "tab");
      tabButton.setAttribute("aria-selected", String(name === view));
      return tabButton;
    }),
  );
  drawView();
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
      parts.push(...pairing(state.link, (typed) => {
        tell({ kind: "pair", code: typed });
      }));
      break;
    case "connecting":
      parts.push(paragraph("Connecting to citeplug on this machine…"));
      break;
    case "off":
      parts.push(paragraph("citeplug is not running. Start it in a terminal:"), command("citeplug overleaf serve"), button("Try again", () => {
        tell({ kind: "connect" });
      }), paragraph("Your text stays in Overleaf meanwhile; nothing is lost.", "small"));
      break;
    case "on":
      parts.push(paragraph(place(state), "where small"));
  }
  if (state.busy !== "" && state.question === null) {
    const bar = element("progress", { max: "100", "aria-label": "Progress", ...(state.share > 0 ? { value: String(state.share) } : {}) });
    parts.push(row(paragraph(state.busy, "busy"), button("Stop", () => {
      tell({ kind: "cancel" });
    }), bar));
  }
  if (state.notice !== "") {
    parts.push(row(paragraph(state.notice, "problem"), button("Close", () => {
      tell({ kind: "dismiss" });
    })));
  }
  if (state.question !== null) {
    parts.push(questionOf(state.question));
  }
  if (state.proposal === null && state.undo !== "") {
    parts.push(row(paragraph(`Done: ${state.undo}`), button("Take it back", () => {
      tell({ kind: "undo" });
    })));
  }
  return parts;
}

function place({ document: path, writable }: State): string {
  if (writable) {
    return `In ${path}`;
  }
  const why = path === "" ? "citeplug cannot write: Overleaf's editor shows no document yet, or lets no extension in." : "You may only read this project.";
  return `${why} What citeplug makes can be copied and downloaded.`;
}

/** Drawn once: a limit that is typed stays. */
function questionOf({ number: asking, message, actions }: NonNullable<State["question"]>): HTMLElement {
  if (shownQuestion?.number !== asking) {
    const { parts, answer } = questionParts(message, asked.limit);
    const all = [...actions, ...(actions.some((action) => /^(?:Do not|Leave) /.test(action)) ? [] : ["Cancel"])];
    const answers = all.map((action) => button(action, () => {
      const reply = answer(action);
      asked.limit = /\$(.*)/.exec(reply)?.[1] ?? asked.limit;
      void chrome.storage.local.set({ limit: asked.limit });
      tell({ kind: "reply", number: asking, action: reply });
    }, action === "Send" ? "primary" : ""));
    const made = section(actions.includes("Send") ? "Before anything is sent" : "A question", ...parts, row(...answers));
    made.setAttribute("aria-label", "Question");
    shownQuestion = { number: asking, element: made };
  }
  return shownQuestion.element;
}

function missing({ arxiv, key, title, by }: Missing): HTMLElement {
  const add = button("Add the entry", () => {
    tell({ kind: "entry", arxiv, add: true });
  }, "primary");
  const copyEntry = copy(() => bibtexOf(arxiv), "Copy the entry");
  const close = button("Close", () => {
    tell({ kind: "entry", arxiv, add: false });
  });
  const made = section(title, paragraph([by, key].filter(Boolean).join(" · "), "small"), row(paragraph("no entry yet", "chip"), ...(state?.writable === true ? [add] : []), copyEntry, close));
  made.classList.add("missing");
  return made;
}

async function bibtexOf(arxiv: string): Promise<string> {
  return String((await run("bibtex", { arxiv_id: arxiv }))["bibtex"]);
}

function drawView(): void {
  if (shownProposal?.view === view && !shownProposal.isAside) {
    body.dataset["view"] = "";
    if (body.firstElementChild !== shownProposal.element) {
      body.replaceChildren(shownProposal.element);
    }
    return;
  }
  const made = results.get(view) ?? [];
  const parts: Record<View, () => HTMLElement[]> = {
    Papers: () => [row(button("Find papers for the draft", shows("Papers", listPapers), "primary"), search()), whoIsAsked(false), ...(state?.missing ?? []).map(missing), ...made],
    Section: () => [
      row(
        button("Write related work", shows("Section", () => write({ insert: true })), "primary"),
        button("Show the sources", shows("Section", sources)),
      ),
      whoIsAsked(true),
      ...made,
    ],
    Check: () => [
      ...(summary === "" ? [] : [paragraph(summary, "summary")]),
      ...accountOf(...CHECKED),
      ...findingsOf(state?.findings ?? [], "Nothing is wrong with the citations and entries that were read.", forFinding),
    ],
    Ask: () => [question(), whoIsAsked(true), ...made],
    Audit: () => [button("Audit the draft", shows("Audit", audit), "primary"), whoIsAsked(false), ...made],
  };
  drawParts(made, parts);
  if (shownProposal?.view === view && document.querySelector("#view > .waits") === null) {
    const waits = row(paragraph("A proposal is open."), button("Show it", () => {
      setAside(false);
    }, "primary"));
    waits.classList.add("waits");
    body.prepend(waits);
  }
  for (const starter of body.querySelectorAll<HTMLButtonElement>("button.primary")) {
    const isWaiting = shownProposal !== undefined && starter.closest(".waits") === null;
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
    const kept = focused.closest("form")?.parentElement ?? focused;
    for (const child of [...body.children]) {
      if (!child.contains(kept) && child !== kept) {
        child.remove();
      }
    }
    body.append(...made);
  }
}

/** Nobody is asked over the network unless the author says so here; before a model is sent anything, its price is shown. */
function whoIsAsked(withModel: boolean): HTMLElement {
  const online = element("input", { type: "checkbox" }) as HTMLInputElement;
  online.checked = asked.online;
  online.addEventListener("change", () => {
    asked.online = online.checked;
    void chrome.storage.local.set({ online: asked.online });
  });
  const label = element("label");
  label.append(online, " Ask arXiv too");
  const parts = [label];
  if (withModel) {
    const model = element("input", { placeholder: "none", spellcheck: "false", "aria-label": "Language model", title: "As for --llm, such as anthropic or openai:MODEL" }) as HTMLInputElement;
    model.value = asked.llm;
    model.addEventListener("change", () => {
      asked.llm = model.value.trim();
      void chrome.storage.local.set({ llm: asked.llm });
    });
    const beside = element("label");
    beside.append("Language model ", model);
    const most = element("input", { type: "number", min: "0.01", step: "0.01", placeholder: "no limit", "aria-label": "Limit of a run in dollars" }) as HTMLInputElement;
    most.value = asked.limit;
    most.addEventListener("change", () => {
      asked.limit = Number(most.value) > 0 ? most.value : "";
      void chrome.storage.local.set({ limit: asked.limit });
    });
    const limited = element("label", { class: "limit" });
    limited.append("at most $", most, " a run");
    parts.push(beside, limited);
  }
  const made = element("details", { class: "asked" }) as HTMLDetailsElement;
  const summary = element("summary");
  const named = [...(asked.online ? ["arXiv"] : []), ...(withModel && asked.llm !== "" ? [asked.llm] : [])];
  summary.textContent = named.length === 0 ? "Nothing leaves this machine · change" : `Also asked: ${named.join(", ")}`;
  made.append(summary, ...parts, paragraph("arXiv gets words of your draft. A model's service gets the draft and abstracts: you are asked first, with the price.", "small"));
  return made;
}

/** What the author lets be asked, for the argument of a command. */
function permitted(): Result {
  return { ...(asked.online ? { online: true } : {}), ...(asked.llm !== "" ? { llm: asked.llm } : {}), ...(asked.llm !== "" && asked.limit !== "" ? { max_cost: Number(asked.limit) } : {}) };
}

function reveal(path: string, line: number): void {
  tell({ kind: "reveal", path, line });
}

async function listPapers(): Promise<HTMLElement[]> {
  const { papers } = await run("shortlist", asked.online ? { online: true } : {});
  return paperList(papers as Paper[] | undefined);
}

function paperList(papers: Paper[] | undefined): HTMLElement[] {
  const does = (command: Command) => (id: string, about: Work): Promise<Result> => run(command, { arxiv_id: id }, about);
  const can: ForPaper = state?.writable !== true ? { bibtexOf } : { bibtexOf, add: does("addEntry"), ...(state.document.endsWith(".tex") ? { cite: does("insertCitation") } : {}) };
  return papersOf(papers ?? [], can);
}

function search(): HTMLElement {
  return asking("Search papers", "Words of title, authors or abstract", "", (text) => {
    shows("Papers", async () => paperList((await run("search", { text }))["papers"] as Paper[] | undefined))();
  });
}

async function write(options: Result): Promise<HTMLElement[]> {
  const result = await run("generate", { ...options, ...permitted() });
  if (result["missing"] === true) {
    return [paragraph("What your section misses:"), ...paperList((await run("shortlist", { missing: true }))["papers"] as Paper[] | undefined)];
  }
  const told = ((result["findings"] ?? []) as { message: string }[]).map(({ message }) => paragraph(message, "small"));
  return [paragraph(result["accepted"] === true ? "The section is written." : result["accepted"] === false ? "Nothing was written." : "There is nothing to change."), ...told];
}

async function sources(): Promise<HTMLElement[]> {
  const { sentences = [] } = (await run("showProvenance").catch((error: unknown) => {
    if (String(error).includes("no generated section")) {
      return {};
    }
    throw error;
  })) as { sentences?: Recorded[] };
  return sentences.length === 0
    ? [paragraph("There is no section in this project yet: “Write related work” makes one.")]
    : sourcesOf(sentences);
}

function question(): HTMLElement {
  return asking("Ask", "A question to the papers", typedQuestion, (text) => {
    typedQuestion = text;
    shows("Ask", async () => answerOf(text, await run("ask", { question: text, ...permitted() })))();
  });
}

async function audit(): Promise<HTMLElement[]> {
  const result = await run("audit", asked.online ? { online: true } : {});
  const findings = (result["findings"] ?? []) as Finding[];
  audited = findings.length;
  const none = "Nothing that was checked speaks against this draft.";
  const count = paragraph(findings.length === 0 ? none : `${findings.length} ${findings.length === 1 ? "finding" : "findings"}, worst first.`, "summary");
  const account = accountOf((result["looked_at"] ?? []) as string[], (result["not_looked_at"] ?? []) as string[]);
  draw();
  return [count, ...account, ...(findings.length === 0 ? [] : findingsOf(findings, none, forFinding))];
}

const CHECKED = [
  ["keys that are cited and defined nowhere", "entries against their records in your library", "the form of each entry, and entries that stand twice"],
  ["arXiv's own records: the audit asks for them where you allow it", "what your sentences say of the works: the audit compares it"],
] as const;

/** Count the entries of the project by their verdict, without a word of progress. */
async function check(): Promise<void> {
  const result = await run("checkBibliography").catch(() => ({}) as Result);
  const told = typeof result["summary"] === "string" ? result["summary"] : "";
  if (told !== summary) {
    summary = told;
    draw();
  }
}

const forFinding: ForFinding = {
  reveal,
  async fixes(finding) {
    const { path, line, message } = finding;
    const name = JSON.stringify([path, line, message]);
    const asking = mended.get(name) ?? fixesOf(path, line);
    mended.set(name, asking);
    return state?.writable === true ? asking : [];
  },
  apply: ({ command, argument }) => run(command, argument),
};

async function fixesOf(path: string, line: number): Promise<readonly Fix[]> {
  number += 1;
  const own = number;
  tell({ kind: "fixes", number: own, path, line });
  const { result } = await new Promise<ToPanel & { kind: "result" }>((resolve) => waiting.set(own, resolve));
  return (result?.["fixes"] ?? []) as Fix[];
}

/** The side panel: a page of the extension, which no page of Overleaf can reach. All that it shows is set as text. */

import { away, command, ownServer, pairing } from "./beginning.js";
import { asking, button, copy, element, paragraph, problem, row, section } from "./elements.js";
import { questionParts } from "./consent.js";
import type { Command, FromPanel, Missing, State, ToPanel, Work } from "./messages.js";
import { proposalOf } from "./proposal.js";
import { answerOf, findingsOf, type Paper, papersOf, type Recorded, sourcesOf } from "./views.js";

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
let shownProposal: { number: number; writable: boolean; element: HTMLElement } | undefined;
let typedQuestion = "";
let before = 0; // where the author was in the panel when a proposal or a question came
const asked = { online: false, llm: "" }; // whom the author lets be asked

document.body.append(page);
page.append(status, tabs, body);
void start();

async function start(): Promise<void> {
  connect();
  Object.assign(asked, await chrome.storage.local.get<Partial<typeof asked>>(["online", "llm"]));
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
  const isOn = state?.link === "on";
  tabs.hidden = body.hidden = !isOn;
  tabs.replaceChildren(
    ...VIEWS.map((name) => {
      const tabButton = button(name, () => {
        view = name;
        draw();
      });
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
      parts.push(paragraph(place(state), "where"));
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
    const { number: asked, message, actions } = state.question;
    const answers = [...actions, ...(actions.some((action) => /^(?:Do not|Leave) /.test(action)) ? [] : ["Cancel"])].map((action) => button(action, () => {
      tell({ kind: "reply", number: asked, action });
    }, action === "Send" ? "primary" : ""));
    const { length } = parts;
    parts.push(section(actions.includes("Send") ? "Before anything is sent" : "A question", ...questionParts(message), row(...answers)));
    parts[length]?.setAttribute("aria-label", "Question");
  }
  if (state.proposal !== null) {
    const { number: proposed } = state.proposal;
    // Drawn once: what the author unfolds and chooses stays.
    if (shownProposal?.number !== proposed || shownProposal.writable !== state.writable) {
      const drawn = proposalOf(state.proposal, state.writable, (without) => {
        tell(without === null ? { kind: "discard" } : { kind: "accept", without });
      });
      shownProposal = { number: proposed, writable: state.writable, element: drawn };
    }
    parts.push(shownProposal.element);
  } else if (state.undo !== "") {
    parts.push(row(paragraph(`Done: ${state.undo}`), button("Take it back", () => {
      tell({ kind: "undo" });
    })));
  }
  // A paper has one card: while its entry is proposed, that is it.
  parts.push(...(state.proposal === null ? state.missing.map(missing) : []));
  return parts;
}

function place({ document: path, writable }: State): string {
  if (writable) {
    return `In ${path}`;
  }
  const why = path === "" ? "citeplug cannot write: Overleaf's editor shows no document yet, or lets no extension in." : "You may only read this project.";
  return `${why} What citeplug makes can be copied and downloaded.`;
}

function missing({ arxiv, key, title, by }: Missing): HTMLElement {
  const add = button("Add the entry", () => {
    tell({ kind: "entry", arxiv, add: true });
  }, "primary");
  const copyEntry = copy(() => bibtexOf(arxiv), "Copy the entry");
  const close = button("Close", () => {
    tell({ kind: "entry", arxiv, add: false });
  });
  return section(title, paragraph([by, key].filter(Boolean).join(" · "), "small"), paragraph("Cited, and not in your bibliography yet."), row(...(state?.writable === true ? [add] : []), copyEntry, close));
}

async function bibtexOf(arxiv: string): Promise<string> {
  return String((await run("bibtex", { arxiv_id: arxiv }))["bibtex"]);
}

function drawView(): void {
  const made = results.get(view) ?? [];
  const parts: Record<View, () => HTMLElement[]> = {
    Papers: () => [row(button("Find papers for the draft", shows("Papers", listPapers), "primary"), search()), whoIsAsked(false), ...made],
    Section: () => [
      row(
        button("Write related work", shows("Section", () => write({ insert: true })), "primary"),
        button("Show the sources", shows("Section", sources)),
      ),
      whoIsAsked(true),
      ...made,
    ],
    Check: () => findingsOf(state?.findings ?? [], "Nothing is wrong with the citations and entries that were read.", reveal),
    Ask: () => [question(), whoIsAsked(true), ...made],
    Audit: () => [button("Audit the draft", shows("Audit", audit), "primary"), whoIsAsked(false), ...made],
  };
  drawParts(made, parts);
  for (const starter of body.querySelectorAll<HTMLButtonElement>("button.primary")) {
    starter.disabled = state?.busy !== "";
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
    body.append(...(view === "Check" ? [] : made));
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
    parts.push(beside);
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
  return { ...(asked.online ? { online: true } : {}), ...(asked.llm !== "" ? { llm: asked.llm } : {}) };
}

function reveal(path: string, line: number): void {
  tell({ kind: "reveal", path, line });
}

async function listPapers(): Promise<HTMLElement[]> {
  const { papers } = await run("shortlist", asked.online ? { online: true } : {});
  return paperList(papers as Paper[] | undefined);
}

function paperList(papers: Paper[] | undefined): HTMLElement[] {
  const add = state?.writable === true ? (id: string, about: Work): Promise<Result> => run("addEntry", { arxiv_id: id }, about) : undefined;
  return papersOf(papers ?? [], bibtexOf, add);
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
  const { findings = [] } = (await run("audit", asked.online ? { online: true } : {})) as { findings?: { severity: string; message: string; fix?: string; file?: string | null; line?: number | null }[] };
  const within = (file: string | null | undefined): string => file?.split(`/${state?.project ?? ""}/`)[1] ?? "";
  return findingsOf(findings.map(({ file, line, ...rest }) => ({ ...rest, path: within(file), line: line ?? 0 })), "The audit has nothing to say against this draft.", reveal);
}

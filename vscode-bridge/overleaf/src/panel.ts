/** The side panel: a page of the extension, which no page of Overleaf can reach. All that it shows is set as text. */

import { asking, button, code, copy, element, paragraph, quotation, row, section, textLink } from "./elements.js";
import type { Command, FromPanel, Missing, State, ToPanel } from "./messages.js";
import { proposalOf } from "./proposal.js";

type Result = Record<string, unknown>;
interface Paper {
  arxiv_id: string;
  title: string;
  authors?: string[];
  year?: number;
  contribution?: string;
  cited?: boolean;
  cited_as?: string | null;
  key?: string | null;
  reasons?: { text: string }[];
  url?: string;
}

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
      const before = state;
      state = message.state;
      const now = JSON.stringify(state);
      if (now !== shownState || before === null) {
        shownState = now;
        draw();
      }
    }
  });
  port.onDisconnect.addListener(() => {
    connect(); // the worker was ended: it begins anew
    look(tab);
  });
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

async function run(command: Command, argument: Result = {}): Promise<Result> {
  number += 1;
  const own = number;
  tell({ kind: "run", number: own, command, argument });
  const answer = await new Promise<ToPanel & { kind: "result" }>((resolve) => waiting.set(own, resolve));
  if (answer.problem !== "") {
    throw new Error(answer.problem);
  }
  return answer.result ?? {};
}

/** Show in a view what a command gives, or why it gives nothing. */
function shows(name: View, work: () => Promise<HTMLElement[]>): () => void {
  return () => {
    results.set(name, [paragraph("Working…")]);
    drawView();
    work()
      .catch((error: unknown) => [paragraph(error instanceof Error ? error.message : String(error), "problem")])
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
    return [
      paragraph("Open a project on Overleaf in this window. If one is open, load its page again."),
      ownServer(),
    ];
  }
  const parts: HTMLElement[] = [];
  switch (state.link) {
    case "unpaired":
    case "refused":
      parts.push(...pairing(state.link === "refused"));
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
      parts.push(paragraph(state.writable ? `In ${state.document}` : "Read only: there is no editor that citeplug may write in. What it makes can be copied and downloaded.", "where"));
  }
  if (state.busy !== "") {
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
    }));
    parts.push(section("Question", paragraph(message), row(...answers)));
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
  parts.push(...state.missing.map(missing));
  return parts;
}

function pairing(isRefused: boolean): HTMLElement[] {
  const field = element("input", { id: "code", autocomplete: "off", spellcheck: "false" });
  const form = element("form");
  const label = element("label", { for: "code" });
  label.textContent = "Code from the terminal";
  form.append(field, button("Pair"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    tell({ kind: "pair", code: (field as HTMLInputElement).value });
  });
  return [
    paragraph(isRefused ? "That code or pairing is not valid any more. Ask for a new code:" : "citeplug works on your own machine. Start it in a terminal, and type the code that it prints:", isRefused ? "problem" : ""),
    command(isRefused ? "citeplug overleaf serve --pair" : "citeplug overleaf serve"),
    label,
    form,
    paragraph("The text of the project goes to that program, and no further unless you allow it here.", "small"),
  ];
}

function command(line: string): HTMLElement {
  return row(code(line), copy(line));
}

function ownServer(): HTMLElement {
  const field = element("input", { type: "url", placeholder: "https://overleaf.example.org", "aria-label": "Address of your server" }) as HTMLInputElement;
  const form = element("form", { class: "own" });
  form.append(field, button("Allow"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (URL.canParse(field.value)) {
      void chrome.permissions.request({ origins: [`${new URL(field.value).origin}/*`] });
    }
  });
  return section("A server of your own", paragraph("citeplug works on www.overleaf.com, and on servers that you allow here.", "small"), form);
}

function missing({ arxiv, key, title }: Missing): HTMLElement {
  const add = button("Add the entry", () => {
    tell({ kind: "entry", arxiv, add: true });
  });
  const copyEntry = button("Copy the entry", () => {
    void run("bibtex", { arxiv_id: arxiv }).then(({ bibtex }) => navigator.clipboard.writeText(String(bibtex)));
  });
  const close = button("Close", () => {
    tell({ kind: "entry", arxiv, add: false });
  });
  return section(`${key} has no entry yet`, paragraph(title), row(...(state?.writable === true ? [add] : []), copyEntry, close));
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
    Check: () => findings(),
    Ask: () => [question(), whoIsAsked(true), ...made],
    Audit: () => [button("Audit the draft", shows("Audit", audit), "primary"), whoIsAsked(false), ...made],
  };
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
  summary.textContent = named.length === 0 ? "Nothing leaves this machine" : `Also asked: ${named.join(", ")}`;
  made.append(summary, ...parts, paragraph("arXiv gets words of your draft. A model's service gets the draft and abstracts: you are asked first, with the price.", "small"));
  return made;
}

/** What the author lets be asked, for the argument of a command. */
function permitted(): Result {
  return { ...(asked.online ? { online: true } : {}), ...(asked.llm !== "" ? { llm: asked.llm } : {}) };
}

async function listPapers(): Promise<HTMLElement[]> {
  const { papers } = await run("shortlist", asked.online ? { online: true } : {});
  return paperList(papers as Paper[] | undefined);
}

function paperList(papers: Paper[] | undefined): HTMLElement[] {
  return papers === undefined || papers.length === 0
    ? [paragraph("No paper on this machine fits. Get some with: citeplug start")]
    : papers.map(paperCard);
}

function paperCard({ arxiv_id: id, title, authors = [], year, cited_as: cited, cited: isCited, key, contribution = "", reasons = [], url }: Paper): HTMLElement {
  const by = [authors.slice(0, 3).join(", ") + (authors.length > 3 ? " et al." : ""), year].filter(Boolean).join(" · ");
  const own = cited ?? key ?? null;
  const heading = element("h3");
  heading.append(textLink(title, url?.startsWith("https://") === true ? url : `https://arxiv.org/abs/${encodeURIComponent(id)}`));
  const card = element("article", { class: "paper" });
  card.append(heading, paragraph(by, "small"));
  if (contribution !== "") {
    card.append(paragraph(contribution, "prose"));
  }
  card.append(...reasons.slice(0, 2).map(({ text }) => paragraph(text, "small")));
  const isUsed = cited != null || isCited === true;
  const standing = paragraph(isUsed ? "cited" : own === null ? "not cited" : "in your bibliography", isUsed ? "chip used" : "chip");
  const actions: HTMLElement[] = own !== null ? [copy(own, `Copy ${own}`)] : [
    button("Copy the entry", () => {
      void run("bibtex", { arxiv_id: id }).then(({ bibtex }) => navigator.clipboard.writeText(String(bibtex)));
    }),
  ];
  if (own === null && state?.writable === true) {
    actions.unshift(button("Add its entry", () => {
      void run("addEntry", { arxiv_id: id });
    }));
  }
  card.append(row(standing, ...actions));
  return card;
}

function search(): HTMLElement {
  return asking("Search papers", "Words of title, authors or abstract", (text) => {
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
  const { sentences = [] } = (await run("showProvenance")) as { sentences?: { place: string; text: string; status: string; sources: { arxiv_id: string; text: string }[] }[] };
  return sentences.length === 0
    ? [paragraph("There is no section of citeplug in this project yet, or this file does not show it: open it.")]
    : sentences.map(({ place, text, status: reviewed, sources: quoted }) => {
        const card = element("article");
        const accept = button(reviewed === "accepted" ? "Accepted" : "Accept", shows("Section", async () => {
          await run("accept", { place, undo: reviewed === "accepted" });
          return sources();
        }));
        card.append(paragraph(text), ...quoted.map(({ arxiv_id: id, text: quote }) => quotation(quote, id)), row(accept));
        return card;
      });
}

function findings(): HTMLElement[] {
  const found = state?.findings ?? [];
  return found.length === 0
    ? [paragraph("Nothing is wrong with the citations and entries that were read.")]
    : found.map(({ path, line, severity, message }) => {
        const card = element("article", { class: severity });
        card.append(paragraph(message), paragraph(`${path}, line ${line}`, "small"));
        return card;
      });
}

function question(): HTMLElement {
  return asking("Ask the papers", "A question", (text) => {
    shows("Ask", async () => {
      const { sentences = [], refused } = (await run("ask", { question: text, ...permitted() })) as {
        sentences?: { shown?: string; text: string; remark?: string; citations: { paper: string; quote: string }[] }[];
        refused?: boolean;
      };
      if (refused === true || sentences.length === 0) {
        return [paragraph("None of these papers answers that.")];
      }
      return sentences.map(({ shown, text: own, remark, citations }) => {
        const card = element("article");
        card.append(paragraph(shown ?? own), ...(remark ? [paragraph(remark, "small")] : []), ...citations.map(({ quote, paper }) => quotation(quote, paper)));
        return card;
      });
    })();
  });
}

async function audit(): Promise<HTMLElement[]> {
  const { findings: found = [] } = (await run("audit", asked.online ? { online: true } : {})) as { findings?: { severity: string; message: string; fix?: string; line?: number | null }[] };
  return found.length === 0
    ? [paragraph("The audit found nothing.")]
    : found.map(({ severity, message, fix, line }) => {
        const card = element("article", { class: severity });
        card.append(paragraph(message), ...(fix ? [paragraph(fix, "small")] : []), ...(line == null ? [] : [paragraph(`line ${line}`, "small")]));
        return card;
      });
}

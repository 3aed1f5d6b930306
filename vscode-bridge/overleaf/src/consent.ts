/** Whom the author lets be asked. What is sent to a model's service stands in rows first, and its limit can be set. */

import { button, element, paragraph, row, section } from "./elements.js";
import type { State } from "./messages.js";

/** Remembered in this browser; `limit` is in dollars for a run. */
export const asked = { online: false, llm: "", limit: "" };
let shownQuestion: { number: number; element: HTMLElement } | undefined;

export async function recall(): Promise<void> {
  Object.assign(asked, await chrome.storage.local.get<Partial<typeof asked>>(["online", "llm", "limit"]));
}

function remember(change: Partial<typeof asked>): void {
  Object.assign(asked, change);
  void chrome.storage.local.set(change);
}

const SENDING = /^citeplug is about to send to (\S+) \(model ([^]+?)\): ([^]+?)\. ?((?:This|Its) [^]*?\.)? ?((?:No limit|Your limit)[^]*?\.) (This is asked once[^]*)$/;

interface Asked {
  readonly parts: HTMLElement[];
  /** The answer for an action: "Send" with the limit that was set. */
  readonly answer: (action: string) => string;
}

function questionParts(message: string, limit: string): Asked {
  const told = SENDING.exec(message)?.slice(1);
  if (told === undefined) {
    return { parts: [paragraph(message)], answer: (action) => action };
  }
  const [place = "", model = "", what = "", price = "", allowed = "", once = ""] = told;
  const field = element("input", { type: "number", min: "0.01", step: "0.01", placeholder: "no limit", "aria-label": "Limit in dollars" }) as HTMLInputElement;
  const own = /\$(\d+(?:\.\d+)?)/.exec(allowed)?.[1] ?? "";
  field.value = own || limit;
  field.max = own;
  const limited = element("label", { class: "limit" });
  limited.append("at most $", field, " for this run");
  const isPriced = price.startsWith("This");
  const rows = element("dl");
  const entries: [string, Node | string][] = [
    ["To", `${asked.llm.endsWith(model) ? asked.llm : model} (${place})`],
    ["What", `${what.charAt(0).toUpperCase()}${what.slice(1)}`],
    ["Price", price],
    ["Limit", isPriced ? limited : allowed.replace(/:.*$/, ".")],
  ];
  for (const [name, content] of entries) {
    if (content !== "") {
      const [term, description] = [element("dt"), element("dd")];
      term.textContent = name;
      description.append(content);
      rows.append(term, description);
    }
  }
  const dollars = (): number => (field.value === "" ? 0 : Number(field.value));
  const answer = (action: string): string => (action === "Send" && isPriced && dollars() > 0 ? `Send, at most $${dollars().toFixed(2)}` : action);
  return { parts: [rows, paragraph(`No request goes beyond the limit. ${once}`, "small")], answer };
}

/** Drawn once: a limit that is typed stays. */
export function questionOf({ number: asking, message, actions }: NonNullable<State["question"]>, reply: (action: string) => void): HTMLElement {
  if (shownQuestion?.number !== asking) {
    const { parts, answer } = questionParts(message, asked.limit);
    const all = [...actions, ...(actions.some((action) => /^(?:Do not|Leave) /.test(action)) ? [] : ["Cancel"])];
    const answers = all.map((action) => button(action, () => {
      const answered = answer(action);
      remember({ limit: /\$(.*)/.exec(answered)?.[1] ?? asked.limit });
      reply(answered);
    }, action === "Send" ? "primary" : ""));
    const made = section(actions.includes("Send") ? "Before anything is sent" : "A question", ...parts, row(...answers));
    made.setAttribute("aria-label", "Question");
    shownQuestion = { number: asking, element: made };
  }
  return shownQuestion.element;
}

/** Nobody is asked over the network unless the author says so here; before a model is sent anything, its price is shown. */
export function whoIsAsked(withModel: boolean): HTMLElement {
  const online = element("input", { type: "checkbox" }) as HTMLInputElement;
  online.checked = asked.online;
  online.addEventListener("change", () => {
    remember({ online: online.checked });
  });
  const label = element("label");
  label.append(online, " Ask arXiv too");
  const parts = [label];
  if (withModel) {
    const model = element("input", { placeholder: "none", spellcheck: "false", "aria-label": "Language model", title: "As for --llm, such as anthropic or openai:MODEL" }) as HTMLInputElement;
    model.value = asked.llm;
    model.addEventListener("change", () => {
      remember({ llm: model.value.trim() });
    });
    const beside = element("label");
    beside.append("Language model ", model);
    const most = element("input", { type: "number", min: "0.01", step: "0.01", placeholder: "no limit", "aria-label": "Limit of a run in dollars" }) as HTMLInputElement;
    most.value = asked.limit;
    most.addEventListener("change", () => {
      remember({ limit: Number(most.value) > 0 ? most.value : "" });
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
export function permitted(): Record<string, unknown> {
  return { ...(asked.online ? { online: true } : {}), ...(asked.llm !== "" ? { llm: asked.llm } : {}), ...(asked.llm !== "" && asked.limit !== "" ? { max_cost: Number(asked.limit) } : {}) };
}

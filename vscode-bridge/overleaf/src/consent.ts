/** Whom the author lets be asked. What is sent to a model's service stands in rows first, and its limit can be set. */

import { button, chip, element, paragraph, row, section, textIn } from "./elements.js";
import type { Question, Reply, Sending } from "./messages.js";

/** Remembered in this browser; `limit` is in dollars for a run, `price` what a section was expected to cost with the model. */
export const asked = { online: false, llm: "", limit: "", price: "" };
/** Made once: what is typed there stays. */
export const settings = element("details", { class: "asked" }) as HTMLDetailsElement;
const standing = element("span");
const most = element("input", { type: "number", min: "0.01", step: "0.01", placeholder: "not set", "aria-label": "Limit of a run in dollars" }) as HTMLInputElement;
let place = "";
let shownQuestion: { number: number; element: HTMLElement } | undefined;

export async function recall(): Promise<void> {
  Object.assign(asked, await chrome.storage.local.get<Partial<typeof asked>>(["online", "llm", "limit", "price"]));
  fillSettings();
}

function remember(change: Partial<typeof asked>): void {
  Object.assign(asked, change);
  void chrome.storage.local.set(change);
  most.value = asked.limit;
  tellStanding();
}

/** What would be sent, in rows, with a limit for the run where its price is known. */
function sendingOf({ place, model, what, priced, cost, limit, max_cost: most }: Sending, reply: (reply: Reply) => void): HTMLElement {
  const field = element("input", { type: "number", min: "0.01", step: "0.01", placeholder: "no limit", "aria-label": "Limit in dollars" }) as HTMLInputElement;
  field.value = most !== null ? String(most) : asked.limit || (Math.ceil(cost * 20) / 10).toFixed(2); // twice the price
  field.max = most === null ? "" : String(most);
  const limited = element("label", { class: "limit" });
  limited.append("at most $", field, " for this run");
  const rows = element("dl");
  const entries: [string, Node | string][] = [
    ["To", `${asked.llm.endsWith(model) ? asked.llm : model} (${place})`],
    ["What", `${what.charAt(0).toUpperCase()}${what.slice(1)}`],
    ["Price", cost > 0 ? `About $${cost.toFixed(2)}` : priced ? "By the length of what is sent" : "Not known"],
    ["Limit", cost > 0 ? limited : limit],
  ];
  for (const [name, content] of entries) {
    const description = element("dd");
    description.append(content);
    rows.append(textIn("dt", name), description);
  }
  const send = button("Send", () => {
    const dollars = cost > 0 && Number(field.value) > 0 ? Number(field.value) : null;
    remember({ limit: dollars === null ? asked.limit : dollars.toFixed(2), price: cost > 0 ? cost.toFixed(2) : asked.price });
    reply({ action: "Send", limit: dollars });
  }, "primary");
  const decline = button("Do not send", reply.bind(null, { action: "", limit: null }));
  const later = cost > 0 ? "No request goes beyond the limit. Later runs keep to it and do not ask again; change it under Settings." : "You are asked once for each service.";
  return section("Before anything is sent", rows, paragraph(later, "small"), row(send, decline));
}

/** Drawn once: a limit that is typed stays. */
export function questionOf({ number, message, actions, sending }: Question, reply: (reply: Reply) => void): HTMLElement {
  if (shownQuestion?.number !== number) {
    const made =
      sending !== null
        ? sendingOf(sending, reply)
        : section(message, row(...actions.map((action, index) => button(action, reply.bind(null, { action, limit: null }), index === 0 ? "primary" : ""))));
    made.setAttribute("aria-label", "Question");
    settings.open = false;
    shownQuestion = { number, element: made };
  }
  return shownQuestion.element;
}

/** Fill the settings. Nobody is asked over the network unless the author says so here. */
function fillSettings(): void {
  const online = element("input", { type: "checkbox" }) as HTMLInputElement;
  online.checked = asked.online;
  online.addEventListener("change", () => {
    remember({ online: online.checked });
  });
  const label = element("label");
  label.append(online, " Ask arXiv too");
  const model = element("input", { placeholder: "none", spellcheck: "false", "aria-label": "Language model", title: "As for --llm, such as anthropic or openai:MODEL" }) as HTMLInputElement;
  model.value = asked.llm;
  model.addEventListener("change", () => {
    remember({ llm: model.value.trim(), price: "" });
  });
  const beside = element("label");
  beside.append("Language model ", model);
  most.value = asked.limit;
  most.addEventListener("change", () => {
    remember({ limit: Number(most.value) > 0 ? most.value : "" });
  });
  const limited = element("label", { class: "limit" });
  limited.append("at most $", most, " a run");
  const summary = element("summary");
  summary.append(standing, chip("Settings", "change"));
  settings.append(summary, label, beside, limited, paragraph("arXiv gets words of your draft. A model's service gets the draft and abstracts: you are asked first, with the price.", "small"));
}

/** Say where the cursor is, and who is asked. */
export function tellStanding(at = place): void {
  place = at;
  const cost = [...(asked.price === "" ? [] : [`about $${asked.price} a section`]), asked.limit === "" ? "once you agree to the price" : `at most $${asked.limit} a run`];
  const named = [...(asked.online ? ["arXiv"] : []), ...(asked.llm !== "" ? [asked.llm, ...cost] : [])];
  standing.textContent = [place, named.length === 0 ? "nothing leaves this machine" : `asks ${named.join(", ")}`].filter(Boolean).join(" · ");
}

/** What the author lets be asked, for the argument of a command. */
export function permitted(): Record<string, unknown> {
  return { ...(asked.online ? { online: true } : {}), ...(asked.llm !== "" ? { llm: asked.llm } : {}), ...(asked.llm !== "" && asked.limit !== "" ? { max_cost: Number(asked.limit) } : {}) };
}

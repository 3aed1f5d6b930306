/** A question of citeplug to the author; what is sent to a model's service stands in rows, and its limit can be set. */

import { element, paragraph } from "./elements.js";

const SENDING = /^citeplug is about to send to (\S+) \(model ([^]+?)\): ([^]+?)\. ?((?:This|Its) [^]*?\.)? ?((?:No limit|Your limit)[^]*?\.) (This is asked once[^]*)$/;

export interface Asked {
  readonly parts: HTMLElement[];
  /** The answer for an action: "Send" with the limit that was set. */
  readonly answer: (action: string) => string;
}

export function questionParts(message: string, limit: string): Asked {
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
    ["To", `${model} at ${place}`],
    ["What", what],
    ["Price", price],
    ["Limit", isPriced ? limited : allowed.replace(/:.*$/, ".")],
  ];
  for (const [name, content] of entries) {
    if (content !== "") {
      const [term, description] = [element("dt"), element("dd")];
      term.textContent = name;
      description.append(typeof content === "string" ? `${content.charAt(0).toUpperCase()}${content.slice(1)}` : content);
      rows.append(term, description);
    }
  }
  const dollars = (): number => (field.value === "" ? 0 : Number(field.value));
  const answer = (action: string): string => (action === "Send" && isPriced && dollars() > 0 ? `Send, at most $${dollars().toFixed(2)}` : action);
  return { parts: [rows, paragraph(`No request goes beyond the limit. ${once}`, "small")], answer };
}

/** A question of citeplug to the author; what is sent to a model's service stands in rows. */

import { element, paragraph } from "./elements.js";

const SENDING = /^citeplug is about to send to (\S+ \(model [^]+?\)): ([^]+?)\. ?((?:This|Its) [^]*?\.)? ?((?:No limit|Your limit)[^]*?\.) (This is asked once[^]*)$/;
const ROWS = ["To", "What", "Price", "Limit"];

export function questionParts(message: string): HTMLElement[] {
  const told = SENDING.exec(message)?.slice(1);
  if (told === undefined) {
    return [paragraph(message)];
  }
  const rows = element("dl");
  for (const [index, name] of ROWS.entries()) {
    const text = told[index] ?? "";
    if (text !== "") {
      const [term, description] = [element("dt"), element("dd")];
      term.textContent = name;
      description.textContent = index === 0 ? text : `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
      rows.append(term, description);
    }
  }
  return [rows, paragraph(told[ROWS.length] ?? "", "small")];
}

/** Text of others in a page of the editor's. */

/** Text as HTML that is nothing but text, also in an attribute. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** A passage as HTML, with the parts marked that are quoted. */
export function withMarks(parts: readonly { text: string; marked: boolean }[]): string {
  return parts.map(({ text, marked }) => (marked ? `<mark>${escaped(text)}</mark>` : escaped(text))).join("");
}

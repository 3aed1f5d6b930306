/** Text of others in a page of the editor's. */

/** Text as HTML that is nothing but text, also in an attribute. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

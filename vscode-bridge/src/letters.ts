/** The text with a capital at its beginning, as a line of its own has. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The documents that are sent to citeplug. */

import * as vscode from "vscode";

export const LANGUAGES = ["latex", "tex", "rsweave", "bibtex"];

/** Files of Overleaf Workshop lie on no disk. */
export const VIRTUAL = ["overleaf-workshop"];

const SCHEMES = ["file", "untitled", ...VIRTUAL];

/** A project's settings too, as they stand in the editor. */
export const SELECTOR = SCHEMES.flatMap((scheme) => [
  ...LANGUAGES.map((language) => ({ scheme, language })),
  { scheme, pattern: "**/citeplug.toml" },
]);

/** The LaTeX or BibTeX document that the author looks at, or looked at before turning to something beside it. */
export function inFront(): vscode.TextEditor | undefined {
  const editors = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors];
  return editors.find((editor) => editor !== undefined && isOurs(editor.document));
}

export function isOurs(document: vscode.TextDocument): boolean {
  return LANGUAGES.includes(document.languageId) && SCHEMES.includes(document.uri.scheme);
}

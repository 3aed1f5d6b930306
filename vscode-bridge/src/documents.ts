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

/** The document of a command: the one that it names, or the one in front. Where there is none, the author is told. */
export function documentOf(named?: vscode.Uri): vscode.Uri | undefined {
  const uri = named ?? inFront()?.document.uri;
  if (uri === undefined) {
    void vscode.window.showInformationMessage("Open a LaTeX file of your draft first.");
  }
  return uri;
}

/** The editor in front, if a paper can be cited in it. Where it cannot, the author is told. */
export function citingEditor(): vscode.TextEditor | undefined {
  const editor = inFront();
  if (editor !== undefined && editor.document.languageId !== "bibtex") {
    return editor;
  }
  void vscode.window.showInformationMessage("Open a LaTeX file and put the cursor where you want the citation.");
  return undefined;
}

export function isOurs(document: vscode.TextDocument): boolean {
  return LANGUAGES.includes(document.languageId) && SCHEMES.includes(document.uri.scheme);
}

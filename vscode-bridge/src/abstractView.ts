/** The view beneath the list of papers: authors, reasons and abstract of the one that is selected. */

import * as vscode from "vscode";

import type { Paper } from "./answers.js";
import { escaped } from "./escaping.js";
import { details } from "./shortlist.js";

const VIEW = "citeplug.abstract";
const ACTIONS: ReadonlyMap<string, string> = new Map([
  ["Pin", "citeplug.pinPaper"],
  ["Exclude", "citeplug.excludePaper"],
  ["Undo the choice", "citeplug.unchoosePaper"],
  ["Cite at the cursor", "citeplug.citePaper"],
  ["Open on arXiv", "citeplug.openPaper"],
]);
const STYLE = "body{padding:0 1em 1em;line-height:1.45}h3{font-size:1em;margin:.6em 0}p{margin:.4em 0}.about{opacity:.8}";

export class AbstractView implements vscode.Disposable, vscode.WebviewViewProvider {
  private readonly registered = vscode.window.registerWebviewViewProvider(VIEW, this);
  private shown: vscode.WebviewView | undefined;
  private paper: Paper | undefined;

  dispose(): void {
    this.registered.dispose();
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.shown = view;
    view.webview.options = { enableCommandUris: [...ACTIONS.values()] };
    view.onDidDispose(() => {
      this.shown = undefined;
    });
    this.show(this.paper);
  }

  /** Show what is known of the same paper now. */
  update(paper: Paper): void {
    if (paper.arxivId === this.paper?.arxivId) {
      this.show(paper);
    }
  }

  show(paper: Paper | undefined): void {
    this.paper = paper;
    if (this.shown !== undefined) {
      this.shown.webview.html = page(paper);
    }
  }
}

/** No script, and no address but of the actions: what a record says is other people's text. */
function page(paper: Paper | undefined): string {
  const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`;
  const [title = "", ...about] = (paper === undefined ? [] : details(paper)).map(escaped);
  const lines = (some: readonly string[]): string => some.map((line) => `<p class="about">${line}</p>`).join("");
  const first = 2 + (paper?.reasons.length ?? 0); // who wrote it, where it is, and why it is listed
  const body =
    paper === undefined
      ? "<p>Select a paper above to read its abstract. Pin it if the section must cite it, exclude it if it must not.</p>"
      : `<h3>${title}</h3>${lines(about.slice(0, first))}<p>${actions(paper)}</p><p>${escaped(paper.abstract)}</p>${lines(about.slice(first))}`;
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">${policy}<style>${STYLE}</style></head><body>${body}</body></html>`;
}

/** What can be done with the paper, as links. */
function actions(paper: Paper): string {
  const argument = encodeURIComponent(JSON.stringify([{ paper }]));
  const fits = (name: string): boolean =>
    paper.choice === undefined ? name !== "Undo the choice" : name !== "Pin" && name !== "Exclude";
  const shown = [...ACTIONS].filter(([name]) => fits(name));
  return shown.map(([name, command]) => `<a href="command:${command}?${argument}">${name}</a>`).join(" · ");
}

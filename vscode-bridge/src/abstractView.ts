/** The view beneath the list of papers: what the one that is selected brings, its abstract, and why it is listed. */

import * as vscode from "vscode";

import { byline, type Paper } from "./answers.js";
import { escaped } from "./escaping.js";
import { about, why } from "./shortlist.js";

const VIEW = "citeplug.abstract";
const NOTHING = "Select a paper above to read its abstract. Pin it if the section must cite it, exclude it if it must not.";
const ACTIONS: ReadonlyMap<string, string> = new Map([
  ["Pin", "citeplug.pinPaper"],
  ["Exclude", "citeplug.excludePaper"],
  ["Undo the choice", "citeplug.unchoosePaper"],
  ["Cite at the cursor", "citeplug.citePaper"],
  ["Open on arXiv", "citeplug.openPaper"],
]);
const STYLE =
  "body{padding:0 1em 1em;line-height:1.45}h3{font-size:1em;margin:.6em 0 .2em}p,ul{margin:.4em 0}ul{padding-left:1.2em}.about{opacity:.8}" +
  ".brings{border-left:3px solid var(--vscode-textLink-foreground);padding-left:.7em}";

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
  const body = paper === undefined ? `<p>${NOTHING}</p>` : whole(paper);
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">${policy}<style>${STYLE}</style></head><body>${body}</body></html>`;
}

/** What the paper brings first: by that one decides. */
function whole(paper: Paper): string {
  const { title, abstract, contribution } = paper;
  const by = [byline(paper.authors), about(paper)].filter(Boolean).join(" · ");
  const brings = contribution === "" || contribution === abstract ? "" : `<p class="brings">${escaped(contribution)}</p>`;
  const listed = why(paper).map((line) => `<li>${escaped(line)}</li>`);
  const head = `<h3>${escaped(title)}</h3><p class="about" title="${escaped(paper.authors.join(", "))}">${escaped(by)}</p>`;
  return `${head}<p>${actions(paper)}</p>${brings}<p>${escaped(abstract)}</p><ul class="about">${listed.join("")}</ul>`;
}

/** What can be done with the paper, as links. */
function actions(paper: Paper): string {
  const argument = encodeURIComponent(JSON.stringify([{ paper }]));
  const fits = (name: string): boolean =>
    paper.choice === undefined ? name !== "Undo the choice" : name !== "Pin" && name !== "Exclude";
  const shown = [...ACTIONS].filter(([name]) => fits(name));
  return shown.map(([name, command]) => `<a href="command:${command}?${argument}">${name}</a>`).join(" · ");
}

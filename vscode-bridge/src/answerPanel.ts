/** The panel in which papers are asked: the conversation, passages with what is quoted marked, and a field for a question. */

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";

import { escaped } from "./escaping.js";

const VIEW = "citeplug.answers";

/** What the author did in the panel; `data` are numbers and names, to be checked. */
export interface Act {
  act: string;
  data: Readonly<Record<string, string>>;
}

/** What the panel is to show: HTML at a place of it, a question in the field, whether one is being answered. */
export interface Shown {
  at?: string;
  html?: string;
  question?: string;
  focus?: boolean;
  status?: string;
  busy?: boolean;
}

export class AnswerPanel implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;

  constructor(
    private readonly media: vscode.Uri,
    private readonly did: (act: Act) => void,
  ) {}

  dispose(): void {
    this.panel?.dispose();
  }

  /** Show the panel beside the draft, with the focus in its field; `did` hears `ready` once it can show something. */
  open(title: string): void {
    if (this.panel !== undefined) {
      this.panel.title = title;
      this.panel.reveal();
      this.did({ act: "ready", data: {} });
      return;
    }
    const panel = vscode.window.createWebviewPanel(VIEW, title, vscode.ViewColumn.Beside, {
      enableScripts: true,
      localResourceRoots: [this.media],
      retainContextWhenHidden: true, // a question that is half written
    });
    this.panel = panel;
    panel.onDidDispose(() => {
      this.panel = undefined;
      this.did({ act: "cancel", data: {} });
    });
    panel.webview.onDidReceiveMessage((message: unknown) => {
      const data = Object.fromEntries(Object.entries(message ?? {}).filter((pair): pair is [string, string] => typeof pair[1] === "string"));
      this.did({ act: data["act"] ?? "", data });
    });
    panel.webview.html = page(panel.webview, this.media);
  }

  show(shown: Shown): void {
    void this.panel?.webview.postMessage(shown);
  }
}

/** No address but of the extension's own two files; what is put in later is escaped, and no script in it would run. */
function page(webview: vscode.Webview, media: vscode.Uri): string {
  const nonce = randomBytes(16).toString("hex");
  const address = (name: string): string => escaped(webview.asWebviewUri(vscode.Uri.joinPath(media, name)).toString());
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${escaped(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Ask the papers</title>
<link rel="stylesheet" href="${address("answers.css")}"></head>
<body><main><h1>Ask the papers</h1>
<div id="conversation"></div>
<form id="ask"><p id="status" role="status"></p>
<label for="question">Your question</label>
<textarea id="question" rows="2" maxlength="2000" required></textarea>
<div class="buttons"><button id="send">Ask</button><button type="button" id="cancel" class="second" data-act="cancel" hidden>Cancel</button>
<button type="button" class="second" data-act="new">New conversation</button></div></form></main>
<script nonce="${nonce}" src="${address("answers.js")}"></script></body></html>`;
}

/**
 * Beside the page, in a world of its own: hands messages on between the page's editor and the extension, and does what
 * needs the author's session: the download of the project, a click in the file tree, a new file.
 */

import type { FromContent, FromPage, ToContent } from "./messages.js";
import { choose, folderOf, pathOf } from "./tree.js";
import { textsIn } from "./zip.js";

const RETRY = 1_000; // ms
const OF_THE_PAGE: ReadonlySet<string> = new Set<FromPage["kind"]>(["opened", "changed", "complete", "hover", "picked", "applied", "closed"]);

let page: MessagePort | undefined;
let port: chrome.runtime.Port | undefined;
let opened: (FromPage & { kind: "opened" }) | undefined; // as it is now, for a worker that begins anew

window.addEventListener("message", function take(event) {
  const [given] = event.ports;
  if (event.source === window && event.data === "citeplug" && given !== undefined && page === undefined) {
    page = given;
    page.onmessage = ({ data }: MessageEvent<FromPage>): void => {
      if (OF_THE_PAGE.has(data.kind)) {
        hear(data);
      }
    };
    window.removeEventListener("message", take);
  }
});
connect();

function connect(): void {
  let connected: chrome.runtime.Port;
  try {
    connected = chrome.runtime.connect({ name: "page" });
  } catch {
    return; // the extension was removed or renewed: the page has to be loaded again
  }
  port = connected;
  connected.onMessage.addListener((message: ToContent) => {
    void take(message);
  });
  connected.onDisconnect.addListener(() => {
    port = undefined;
    setTimeout(connect, RETRY);
  });
  if (opened !== undefined) {
    announce(opened);
  }
}

function send(message: FromContent): void {
  port?.postMessage(message);
}

function hear(message: FromPage): void {
  if (message.kind === "opened") {
    opened = message;
    announce(message);
    return;
  }
  if (message.kind === "changed" && opened !== undefined) {
    let at = 0;
    const parts: string[] = [];
    for (const { from, to, insert } of message.changes) {
      parts.push(opened.text.slice(at, from), insert);
      at = to;
    }
    opened = { ...opened, text: parts.join("") + opened.text.slice(at), revision: message.revision };
  } else if (message.kind === "closed") {
    opened = undefined;
  }
  send(message);
}

function announce(message: FromPage & { kind: "opened" }): void {
  send({ kind: "path", path: pathOf(message.id) ?? "" });
  send(message);
}

async function take(message: ToContent): Promise<void> {
  if (!("path" in message)) {
    page?.postMessage(message);
    return;
  }
  const { number, path } = message;
  try {
    if (message.kind === "read") {
      send({ kind: "did", number, problem: "", files: [...(await download())] });
      return;
    }
    await (message.kind === "open" ? choose(path) : create(path));
    send({ kind: "did", number, problem: "" });
  } catch (error) {
    send({ kind: "did", number, problem: error instanceof Error ? error.message : String(error) });
  }
}

function projectAddress(): string {
  const id = /^\/project\/([0-9a-f]{24})(?:\/|$)/i.exec(window.location.pathname)?.[1];
  if (id === undefined) {
    throw new Error("no project is open");
  }
  return `/project/${id}`;
}

async function download(): Promise<Map<string, string>> {
  const response = await fetch(`${projectAddress()}/download/zip`, { credentials: "same-origin" });
  if (!response.ok) {
    const why = response.status === 429 ? "it was downloaded too often; wait a minute" : `error ${response.status}`;
    throw new Error(`the project could not be downloaded (${why})`);
  }
  return textsIn(await response.arrayBuffer());
}

/** Make an empty file; one that is there already is refused by Overleaf, and stays as it is. */
async function create(path: string): Promise<void> {
  const csrf = document.querySelector<HTMLMetaElement>('meta[name="ol-csrfToken"]')?.content ?? "";
  const response = await fetch(`${projectAddress()}/doc`, {
    method: "POST",
    credentials: "same-origin",
    headers: { "Content-Type": "application/json", "X-Csrf-Token": csrf },
    body: JSON.stringify({ name: path.slice(path.lastIndexOf("/") + 1), parent_folder_id: folderOf(path) }),
  });
  if (!response.ok) {
    throw new Error(`Overleaf did not make ${path} (error ${response.status})`);
  }
}

/**
 * Beside the page, in a world of its own: hands messages on between the page's editor and the extension, and does what
 * needs the author's session: the download of the project, a click in the file tree, a new file.
 */

import type { FromContent, FromPage, ToContent } from "./messages.js";
import { choose, folderOf, idOf, pathOf } from "./tree.js";
import { textsIn } from "./zip.js";

const RETRY = 1_000; // ms
const OF_THE_PAGE: ReadonlySet<string> = new Set<FromPage["kind"]>(["opened", "changed", "locked", "complete", "hover", "picked", "applied", "cursor", "closed"]);

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
document.addEventListener("DOMContentLoaded", () => {
  tellTheme();
  new MutationObserver(tellTheme).observe(document.body, { attributeFilter: ["data-theme"] });
});

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
  tellTheme();
  if (opened !== undefined) {
    announce(opened);
  }
}

/** Overleaf names its dark theme "default". */
function tellTheme(): void {
  const theme = (document.body as HTMLElement | null)?.dataset["theme"];
  if (theme !== undefined) {
    send({ kind: "theme", dark: theme !== "light" });
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
  } else if (message.kind === "locked" && opened !== undefined) {
    opened = { ...opened, readOnly: message.readOnly };
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
    await { open: choose, create, remove }[message.kind](path);
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
  const response = await reach(`${projectAddress()}/download/zip`);
  if (!response.ok) {
    const why = response.status === 429 ? "it was downloaded too often; wait a minute" : `error ${response.status}`;
    throw new Error(`the project could not be downloaded (${why})`);
  }
  return textsIn(await response.arrayBuffer());
}

/** Make an empty file; one that is there already is refused by Overleaf, and stays as it is. */
async function create(path: string): Promise<void> {
  const body = JSON.stringify({ name: path.slice(path.lastIndexOf("/") + 1), parent_folder_id: folderOf(path) });
  const response = await ask("POST", `${projectAddress()}/doc`, { "Content-Type": "application/json" }, body);
  if (!response.ok) {
    throw new Error(`Overleaf did not make ${path} (error ${response.status})`);
  }
}

/** Delete a file, as the file tree does; Overleaf's history keeps it. */
async function remove(path: string): Promise<void> {
  const response = await ask("DELETE", `${projectAddress()}/doc/${encodeURIComponent(idOf(path))}`);
  if (!response.ok) {
    throw new Error(`Overleaf did not delete ${path} (error ${response.status})`);
  }
}

function ask(method: string, address: string, headers: Record<string, string> = {}, body: string | null = null): Promise<Response> {
  const csrf = document.querySelector<HTMLMetaElement>('meta[name="ol-csrfToken"]')?.content ?? "";
  return reach(address, { method, headers: { ...headers, "X-Csrf-Token": csrf }, body });
}

async function reach(address: string, options: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(address, { credentials: "same-origin", ...options });
  } catch {
    throw new Error("Overleaf cannot be reached"); // the browser says "Failed to fetch"
  }
}

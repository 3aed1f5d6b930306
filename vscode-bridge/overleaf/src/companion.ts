/** The connection to the companion on this machine, `citeplug overleaf serve`, which speaks the language server protocol. */

import type { Link } from "./messages.js";

export const PORT = 23120; // as citeplug/cli/commands_overleaf.py has it
const REFUSED = 4401;
const ALIVE = 20_000; // ms; a worker that neither sends nor gets anything for 30 s is ended by the browser
const [FIRST_RETRY, LAST_RETRY] = [1_000, 30_000]; // ms

type Params = Record<string, unknown>;
export type Result = Record<string, unknown> | null;

export interface Listener {
  /** The server is ready for documents. */
  ready(): void;
  changed(): void;
  notified(method: string, params: Params): void;
  requested(method: string, params: Params): Promise<unknown>;
}

const CAPABILITIES = {
  general: { positionEncodings: ["utf-16"] },
  textDocument: {
    completion: { completionItem: { documentationFormat: ["plaintext"], labelDetailsSupport: true } },
    hover: { contentFormat: ["markdown"] },
    publishDiagnostics: {},
  },
  workspace: { applyEdit: true, workspaceEdit: { documentChanges: true, resourceOperations: ["create"] } },
  experimental: { citeplug: { readFile: true, namesEdits: true, listsMissing: true, rebases: true, asksToSend: true } },
};

/** What one browser knows of its companion. The token is out of reach of pages, and of scripts in them. */
interface Stored {
  token?: string;
  port?: number;
}

export class Companion {
  link: Link = "off";
  private socket: WebSocket | undefined;
  private readonly waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  private number = 0;
  private retry = FIRST_RETRY;
  private later: ReturnType<typeof setTimeout> | undefined;
  private wanted = true;

  constructor(private readonly listener: Listener) {}

  /** Connect, if it is not connected; with a code, as a browser that is to be let in. */
  async connect(code?: string): Promise<void> {
    if (!this.wanted || (code === undefined && (this.link === "on" || this.link === "connecting"))) {
      return;
    }
    clearTimeout(this.later);
    this.drop();
    this.set("connecting");
    const stored = await chrome.storage.local.get<Stored>(["token", "port"]);
    const typed = code === undefined ? undefined : /^\s*(?:(\d{4,5})-)?([a-z0-9]{4}[\s-]?[a-z0-9]{4})\s*$/i.exec(code);
    if (typed === null || (typed === undefined && stored.token === undefined)) {
      this.set(typed === null ? "malformed" : "unpaired");
      return;
    }
    const port = typed === undefined ? (stored.port ?? PORT) : Number(typed[1] ?? PORT);
    this.open(port, typed === undefined ? { token: stored.token } : { code: typed[2] });
  }

  close(): void {
    this.wanted = false;
    clearTimeout(this.later);
    this.drop();
  }

  request(method: string, params: Params): Promise<unknown> {
    if (this.link !== "on") {
      return Promise.reject(new Error("citeplug is not connected"));
    }
    return this.call(method, params);
  }

  private call(method: string, params: Params): Promise<unknown> {
    this.number += 1;
    const own = this.number;
    this.post({ id: own, method, params });
    return new Promise((resolve, reject) => {
      this.waiting.set(own, { resolve, reject });
    });
  }

  notify(method: string, params: Params): void {
    this.post({ method, params });
  }

  private open(port: number, greeting: Params): void {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
    this.socket = socket;
    let alive: ReturnType<typeof setInterval> | undefined;
    let greeted = false;
    socket.onopen = (): void => {
      socket.send(JSON.stringify(greeting));
      alive = setInterval(() => {
        socket.send(""); // Chromium counts messages
        void chrome.runtime.getPlatformInfo(); // Firefox counts calls of its interfaces
      }, ALIVE);
    };
    socket.onmessage = ({ data }: MessageEvent<unknown>): void => {
      if (this.socket !== socket || typeof data !== "string") {
        return;
      }
      const message = JSON.parse(data) as Params;
      if (greeted) {
        this.take(message);
        return;
      }
      greeted = true;
      this.begin(message, port).catch(() => undefined); // the connection was lost meanwhile
    };
    socket.onclose = ({ code }): void => {
      clearInterval(alive);
      if (this.socket === socket) {
        this.ended(code === REFUSED, greeted || "token" in greeting);
      }
    };
  }

  private async begin(greeting: Params, port: number): Promise<void> {
    if (typeof greeting["token"] === "string") {
      await chrome.storage.local.set({ token: greeting["token"], port });
    }
    await this.call("initialize", { capabilities: CAPABILITIES });
    this.notify("initialized", {});
    this.retry = FIRST_RETRY;
    this.link = "on"; // not before: no command overtakes the documents
    this.listener.ready();
    this.listener.changed();
  }

  private ended(refused: boolean, paired: boolean): void {
    this.drop();
    this.set(refused ? (paired ? "forgotten" : "refused") : paired ? "off" : "unanswered");
    if (!refused && paired && this.wanted) {
      this.later = setTimeout(() => void this.connect(), this.retry);
      this.retry = Math.min(2 * this.retry, LAST_RETRY);
    }
  }

  private drop(): void {
    const socket = this.socket;
    this.socket = undefined;
    socket?.close();
    for (const { reject } of this.waiting.values()) {
      reject(new Error("the connection to citeplug was lost"));
    }
    this.waiting.clear();
  }

  private set(link: Link): void {
    this.link = link;
    this.listener.changed();
  }

  private post(message: Params): void {
    if (this.socket?.readyState === WebSocket.OPEN) {
      this.socket.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
    }
  }

  private take(message: Params): void {
    const { id, method } = message;
    const params = (message["params"] ?? {}) as Params;
    if (typeof method !== "string") {
      const waiting = this.waiting.get(Number(id));
      this.waiting.delete(Number(id));
      const error = message["error"] as { message?: unknown } | undefined;
      if (error === undefined) {
        waiting?.resolve(message["result"]);
      } else {
        waiting?.reject(new Error(String(error.message)));
      }
    } else if (id === undefined) {
      this.listener.notified(method, params);
    } else {
      void this.answer(id, method, params);
    }
  }

  private async answer(id: unknown, method: string, params: Params): Promise<void> {
    try {
      this.post({ id, result: (await this.listener.requested(method, params)) ?? null });
    } catch (error) {
      this.post({ id, error: { code: -32603, message: error instanceof Error ? error.message : String(error) } });
    }
  }
}

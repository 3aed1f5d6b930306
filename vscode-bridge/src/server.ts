/** The server's life: found, started, stopped, started again. */

import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, type Middleware, State as Run } from "vscode-languageclient/node";

import { chosen } from "./chosen.js";
import { SELECTOR } from "./documents.js";
import { findServer, type Launch, type System } from "./finding.js";
import { ACCEPT, REJECT } from "./middleware.js";
import { configured } from "./options.js";
import { abilities, answerFiles } from "./reading.js";
import type { State } from "./state.js";

export class Server implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<State>();
  readonly onDidChange = this.changed.event;
  private current: State = { kind: "looking" };
  private running: LanguageClient | undefined;
  /** How the program is started, while its server runs. */
  launch: Launch | undefined;
  private turn: Promise<void> = Promise.resolve();

  constructor(
    private readonly system: System,
    private readonly log: vscode.LogOutputChannel,
    private readonly middleware: Middleware,
  ) {}

  get state(): State {
    return this.current;
  }

  /** The client, while the server runs. */
  get client(): LanguageClient | undefined {
    return this.running?.state === Run.Running ? this.running : undefined;
  }

  /** Restart the server, after what is under way has ended. */
  restart(): Promise<void> {
    return this.inTurn(async () => {
      await this.halt();
      if (!vscode.workspace.isTrusted) {
        this.become({ kind: "untrusted" });
        return;
      }
      this.become({ kind: "looking" });
      const found = await findServer(await chosen(), this.system);
      if (found.kind === "found") {
        await this.begin(found);
      } else if (found.kind === "wrong") {
        this.become({ kind: "problem", message: `${found.setting}: ${found.why}` });
      } else {
        this.become({ kind: "missing", why: found.why });
      }
    });
  }

  stop(): Promise<void> {
    return this.inTurn(() => this.halt());
  }

  /** Tell the server that settings have changed. */
  async configure(): Promise<void> {
    await this.client?.sendNotification("workspace/didChangeConfiguration", { settings: configured() });
  }

  dispose(): void {
    this.changed.dispose();
  }

  private inTurn(work: () => Promise<void>): Promise<void> {
    this.turn = this.turn.then(work).catch((error: unknown) => {
      this.become({ kind: "problem", message: error instanceof Error ? error.message : String(error) });
    });
    return this.turn;
  }

  private async begin(launch: Launch): Promise<void> {
    this.become({ kind: "starting" });
    this.launch = launch;
    const args = [...launch.args, "lsp"];
    this.log.info(`starting ${[launch.command, ...args].join(" ")}`);
    const options: LanguageClientOptions = {
      documentSelector: SELECTOR,
      outputChannel: this.log,
      traceOutputChannel: this.log,
      initializationOptions: configured(),
      // Hovers hold other people's text: of all commands they run only those that decide about a sentence.
      markdown: { isTrusted: { enabledCommands: [ACCEPT, REJECT] }, supportHtml: false },
      connectionOptions: { maxRestartCount: 3 },
      middleware: this.middleware,
      initializationFailedHandler: () => false,
    };
    const run = { command: launch.command, args, options: { cwd: this.system.home, shell: false } };
    const client = new LanguageClient("citeplug", "citeplug", run, options);
    client.registerFeature(abilities);
    answerFiles(client);
    this.running = client;
    const idle: State = { kind: "idle", version: launch.version, from: launch.command };
    client.onDidChangeState(({ newState }) => {
      if (this.running !== client) {
        return;
      }
      if (newState === Run.Running) {
        this.become(idle);
      } else if (newState === Run.Stopped) {
        this.become({ kind: "problem", message: "The server has stopped. See the log for the reason." });
      }
    });
    try {
      await client.start();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.log.error(message);
      this.become({ kind: "problem", message: "The server did not start. See the log for the reason." });
    }
  }

  private async halt(): Promise<void> {
    const client = this.running;
    this.running = undefined;
    this.launch = undefined;
    try {
      await client?.dispose();
    } catch (error) {
      this.log.warn(`the server did not shut down cleanly: ${String(error)}`);
    }
  }

  private become(state: State): void {
    this.current = state;
    this.changed.fire(state);
  }
}

/** Asking the server, with its progress shown. */

import * as vscode from "vscode";
import { ExecuteCommandRequest, WorkDoneProgress } from "vscode-languageclient/node";

import { harmless, knows, tooOld } from "./saying.js";
import type { Server } from "./server.js";

export interface Told {
  /** What the author reads while it goes on. */
  report(message: string, percentage: number | undefined): void;
  /** A line of what is written. */
  text?(line: string): void;
  cancellation: vscode.CancellationToken;
}

let asked = 0;

/**
 * What a command of the server gives; undefined where none runs, it is too old for the command, or the author cancelled.
 * What went wrong has been said then.
 */
export async function ask(server: Server, command: string, argument: object, told?: Told): Promise<unknown> {
  const client = server.client;
  if (client === undefined) {
    await vscode.commands.executeCommand("citeplug.showMenu");
    return undefined;
  }
  const said = client.initializeResult;
  if (!knows(said?.capabilities.executeCommandProvider?.commands, command)) {
    void vscode.window.showWarningMessage(tooOld(said?.serverInfo?.version ?? ""));
    return undefined;
  }
  asked += 1;
  const token = `citeplug-${asked}`;
  const listener = client.onProgress(WorkDoneProgress.type, token, (step) => {
    if (step.kind === "report") {
      told?.report(step.message ?? "", step.percentage);
    }
  });
  const lines = client.onNotification("citeplug/text", (said: { token?: unknown; text?: unknown }) => {
    if (said.token === token && typeof said.text === "string") {
      told?.text?.(said.text);
    }
  });
  try {
    const whole = { command, arguments: [{ ...argument, token }] };
    const answer: Promise<unknown> = client.sendRequest(ExecuteCommandRequest.type, whole, told?.cancellation);
    // The server writes nothing once it is told to stop; nobody waits for it to say so.
    return await Promise.race([answer, ...(told === undefined ? [] : [cancelled(told.cancellation)])]);
  } catch (error) {
    if (told?.cancellation.isCancellationRequested !== true) {
      void vscode.window.showErrorMessage(harmless(`citeplug: ${error instanceof Error ? error.message : String(error)}`));
    }
    return undefined;
  } finally {
    listener.dispose();
    lines.dispose();
  }
}

function cancelled(token: vscode.CancellationToken): Promise<undefined> {
  return new Promise((resolve) => {
    token.onCancellationRequested(() => {
      resolve(undefined);
    });
  });
}

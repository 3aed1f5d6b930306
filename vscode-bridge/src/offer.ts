/** The offer to install citeplug. Nothing is run before the author clicks. */

import { spawn } from "node:child_process";
import * as vscode from "vscode";

import { text } from "./chosen.js";
import type { System } from "./finding.js";
import { canBeInstalled, type Installer, installers } from "./installing.js";

const CHOOSE = "Choose the Program …";

/** Offer what can be done about a server that is missing; resolves to true when there is something to start. */
export async function offer(why: readonly string[], system: System, log: vscode.LogOutputChannel): Promise<boolean> {
  const from = text("installFrom");
  const ways = canBeInstalled(from) ? await installers(from, system) : [];
  const buttons = new Map(ways.map((way) => [`Install with ${way.name}`, way]));
  for (const line of why) {
    log.info(line);
  }
  const message =
    ways.length > 0
      ? "The citeplug program was not found on this machine."
      : "The citeplug program was not found on this machine, and neither were uv and pipx, which could install it.";
  const answer = await vscode.window.showInformationMessage(message, ...buttons.keys(), CHOOSE);
  if (answer === CHOOSE) {
    return await choose();
  }
  const way = answer === undefined ? undefined : buttons.get(answer);
  return way !== undefined && (await install(way, log));
}

async function choose(): Promise<boolean> {
  const files = await vscode.window.showOpenDialog({ canSelectMany: false, title: "The citeplug program" });
  const file = files?.[0];
  if (file === undefined) {
    return false;
  }
  await vscode.workspace.getConfiguration("citeplug").update("path", file.fsPath, vscode.ConfigurationTarget.Global);
  return true;
}

async function install(way: Installer, log: vscode.LogOutputChannel): Promise<boolean> {
  const line = [way.command, ...way.args].join(" ");
  const detail = `This runs:\n\n${line}\n\nIt downloads citeplug and the libraries that it needs, about 700 MB.`;
  if ((await vscode.window.showWarningMessage("Install citeplug?", { modal: true, detail }, "Install")) !== "Install") {
    return false;
  }
  log.info(`running ${line}`);
  log.show(true);
  const title = `Installing citeplug with ${way.name}`;
  const done = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    (_, token) => run(way, log, token),
  );
  if (!done) {
    void vscode.window.showErrorMessage("citeplug was not installed. See the log for the reason.");
  }
  return done;
}

function run(way: Installer, log: vscode.LogOutputChannel, token: vscode.CancellationToken): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(way.command, way.args, { shell: false, windowsHide: true, stdio: ["ignore", "pipe", "pipe"] });
    const listener = token.onCancellationRequested(() => child.kill());
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (some: string) => {
        log.info(some.trimEnd());
      });
    }
    child.on("error", (error) => {
      log.error(error.message);
      resolve(false);
    });
    child.on("close", (code) => {
      listener.dispose();
      resolve(code === 0);
    });
  });
}

/** The citeplug program, run once for one task, and stopped when the author says so. */

import { spawn } from "node:child_process";
import type { CancellationToken } from "vscode";

import type { Launch } from "./finding.js";
import { Lines, type Step } from "./progress.js";

export interface Ended {
  /** undefined: it could not be started, or was stopped */
  code: number | undefined;
  stdout: string;
  stderr: string;
}

export function runProgram(
  launch: Launch,
  words: readonly string[],
  home: string,
  report: (step: Step) => void,
  token: CancellationToken,
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(launch.command, [...launch.args, ...words], {
      cwd: home,
      env: { ...process.env, CITEPLUG_PROGRESS: "json", PYTHONUTF8: "1" },
      shell: false,
      windowsHide: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const lines = new Lines();
    let stdout = "";
    let ended = false;
    const end = (code: number | null, stderr: string): void => {
      if (!ended) {
        ended = true;
        listener.dispose();
        resolve({ code: code ?? undefined, stdout, stderr });
      }
    };
    // Killed, not asked: it has written nothing, and is not to write anything.
    const listener = token.onCancellationRequested(() => child.kill("SIGKILL"));
    child.stdout.setEncoding("utf8").on("data", (some: string) => {
      stdout += some;
    });
    child.stderr.setEncoding("utf8").on("data", (some: string) => {
      lines.take(some).forEach(report);
    });
    child.on("error", (error) => {
      end(null, error.message);
    });
    child.on("close", (code) => {
      end(code, lines.rest);
    });
  });
}

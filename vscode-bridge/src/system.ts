/** The machine that VS Code runs on. */

import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { homedir } from "node:os";

import type { Ran, System } from "./finding.js";

const PATIENCE = 20_000; // milliseconds; a first import of Python may have to compile

export function thisSystem(): System {
  const home = homedir();
  return {
    platform: process.platform === "win32" || process.platform === "darwin" ? process.platform : "linux",
    env: process.env,
    home,
    async isProgram(file: string): Promise<boolean> {
      try {
        await access(file, constants.X_OK);
        return (await stat(file)).isFile();
      } catch {
        return false;
      }
    },
    run: (file, args) =>
      new Promise<Ran>((resolve) => {
        execFile(file, args, { cwd: home, timeout: PATIENCE, windowsHide: true }, (error, stdout) => {
          const code = error === null ? 0 : typeof error.code === "number" ? error.code : undefined;
          resolve({ code, stdout });
        }).stdin?.end();
      }),
  };
}

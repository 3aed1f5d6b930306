/** The example project, copied so that each scenario has its own. */

import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const PROGRAM = required("CITEPLUG_E2E_PROGRAM");
/** The example with its section, and as it was before that. */
export const WRITTEN = required("CITEPLUG_E2E_PROJECT");
export const DRAFT = required("CITEPLUG_E2E_DRAFT");

export function project(example = WRITTEN) {
  const root = mkdtempSync(join(tmpdir(), "citeplug-paper-"));
  const folder = join(root, "paper");
  cpSync(example, folder, { recursive: true });
  return { folder, draft: join(folder, "main.tex"), remove: () => rmSync(root, { recursive: true, force: true }) };
}

function required(name) {
  const value = process.env[name];
  if (value === undefined) {
    throw new Error(`${name} is not set; tests/vscode sets it`);
  }
  return value;
}

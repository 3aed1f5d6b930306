/** Which citeplug is started. Nothing here touches the machine but through `System`. */

import * as path from "node:path";

import { type Choice, expand } from "./choice.js";

/** The first version whose language server speaks as docs/lsp.md says. */
export const MINIMUM = "0.1.0";

const PROBE = "import citeplug, citeplug.lsp; print(citeplug.__version__)";
// -P: what lies in the current folder is not imported.
const ISOLATED = "-P";

export interface Ran {
  /** The exit status; undefined where the program could not be started, or was stopped. */
  code: number | undefined;
  stdout: string;
}

export interface System {
  platform: "linux" | "darwin" | "win32";
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  /** Whether a file is there that can be run. */
  isProgram(file: string): Promise<boolean>;
  /** Run a program, without a shell and outside of the workspace; never rejects. */
  run(file: string, args: readonly string[]): Promise<Ran>;
}

/** How citeplug is run: `args` come before its own words. `from` is the setting or the place that led to it. */
export interface Launch {
  command: string;
  args: string[];
  version: string;
  from: "path" | "interpreter" | "PATH";
}

/** `missing`: there is none to be found, so one may be installed; `wrong`: what was chosen cannot be used. */
export type Found =
  | ({ kind: "found" } & Launch)
  | { kind: "missing"; why: string[] }
  | { kind: "wrong"; setting: "citeplug.path" | "citeplug.interpreter"; why: string };

/**
 * Look for the server: the path that is set; the chosen Python, if it imports a citeplug that will do; `citeplug` on
 * PATH, or where uv and pipx put programs.
 */
export async function findServer(choice: Choice, system: System): Promise<Found> {
  if (choice.path !== "") {
    return await byPath(choice, system);
  }
  const why: string[] = [];
  if (choice.importStrategy === "fromEnvironment") {
    if (choice.interpreter !== "") {
      const found = await byInterpreter(expand(choice.interpreter, choice, system), system);
      return typeof found === "string" ? { kind: "wrong", setting: "citeplug.interpreter", why: found } : found;
    }
    if (choice.pythonExtension !== undefined) {
      const found = await byInterpreter(choice.pythonExtension, system);
      if (typeof found !== "string") {
        return found;
      }
      why.push(found);
    }
  }
  for (const program of programs("citeplug", system)) {
    if (!(await system.isProgram(program))) {
      continue;
    }
    const version = await versionOf(program, ["--version"], system);
    if (version !== undefined && isCompatible(version)) {
      return { kind: "found", command: program, args: [], version, from: "PATH" };
    }
    why.push(unfit(program, version));
  }
  return { kind: "missing", why };
}

async function byPath(choice: Choice, system: System): Promise<Found> {
  const program = expand(choice.path, choice, system);
  const wrong = (why: string): Found => ({ kind: "wrong", setting: "citeplug.path", why });
  if (!pathsOf(system).isAbsolute(program)) {
    return wrong(`${program} is not an absolute path`);
  }
  if (!(await system.isProgram(program))) {
    return wrong(`${program} does not exist or is not a program`);
  }
  const version = await versionOf(program, ["--version"], system);
  if (version === undefined || !isCompatible(version)) {
    return wrong(unfit(program, version));
  }
  return { kind: "found", command: program, args: [], version, from: "path" };
}

async function byInterpreter(python: string, system: System): Promise<Found | string> {
  if (!pathsOf(system).isAbsolute(python)) {
    return `${python} is not an absolute path`;
  }
  if (!(await system.isProgram(python))) {
    return `${python} does not exist or is not a program`;
  }
  const version = await versionOf(python, [ISOLATED, "-c", PROBE], system);
  if (version === undefined || !isCompatible(version)) {
    return version === undefined ? `citeplug is not installed in ${python}` : unfit(python, version);
  }
  return { kind: "found", command: python, args: [ISOLATED, "-m", "citeplug"], version, from: "interpreter" };
}

/** Where a program of that name may lie, in the order in which it is looked for. */
export function programs(name: string, system: System): string[] {
  const paths = pathsOf(system);
  const windows = system.platform === "win32";
  const file = windows ? `${name}.exe` : name;
  const search = variable("PATH", system) ?? "";
  // A relative folder of PATH would be one of the workspace.
  const folders = search.split(windows ? ";" : ":").filter((folder) => paths.isAbsolute(folder));
  // uv and pipx put programs there. An editor that was started from a dock may not have it on its PATH.
  for (const own of ["UV_TOOL_BIN_DIR", "PIPX_BIN_DIR", "XDG_BIN_HOME"]) {
    folders.push(variable(own, system) ?? "");
  }
  folders.push(paths.join(system.home, ".local", "bin"));
  if (system.platform === "darwin") {
    folders.push("/opt/homebrew/bin", "/usr/local/bin");
  }
  const found = folders.filter((folder) => paths.isAbsolute(folder)).map((folder) => paths.join(folder, file));
  return [...new Set(found)];
}

/** Whether a version is at least `MINIMUM`. */
export function isCompatible(version: string): boolean {
  const [given, wanted] = [numbers(version), numbers(MINIMUM)];
  for (const [place, number] of wanted.entries()) {
    const other = given[place] ?? 0;
    if (other !== number) {
      return other > number;
    }
  }
  return true;
}

async function versionOf(program: string, args: readonly string[], system: System): Promise<string | undefined> {
  const ran = await system.run(program, args);
  const version = /(?:^|version )(\d+\.\d+(?:\.\d+)?\S*)\s*$/m.exec(ran.stdout);
  return ran.code === 0 ? version?.[1] : undefined;
}

function unfit(program: string, version: string | undefined): string {
  return version === undefined
    ? `${program} does not report a version`
    : `${program} is version ${version}, but ${MINIMUM} or newer is needed`;
}

function numbers(version: string): number[] {
  return version.split(".").map((part) => Number.parseInt(part, 10) || 0);
}

function pathsOf(system: System): path.PlatformPath {
  return system.platform === "win32" ? path.win32 : path.posix;
}

/** An environment variable; Windows cares for no case. */
function variable(name: string, system: System): string | undefined {
  if (system.platform !== "win32") {
    return system.env[name];
  }
  const found = Object.keys(system.env).find((each) => each.toUpperCase() === name);
  return found === undefined ? undefined : system.env[found];
}

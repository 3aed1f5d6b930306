/** By which program citeplug can be installed here. */

import { programs, type System } from "./finding.js";

export interface Installer {
  name: "uv" | "pipx";
  command: string;
  args: string[];
}

/** The installers that are there, the better one first; `from` is a package's name, or a path. */
export async function installers(from: string, system: System): Promise<Installer[]> {
  const found: Installer[] = [];
  for (const [name, args] of [
    ["uv", ["tool", "install", "--python", ">=3.11", from]],
    ["pipx", ["install", from]],
  ] as const) {
    for (const command of programs(name, system)) {
      if (await system.isProgram(command)) {
        found.push({ name, command, args: [...args] });
        break;
      }
    }
  }
  return found;
}

/** Whether something can be given to an installer: a name or a path, and no option of its. */
export function canBeInstalled(from: string): boolean {
  return from !== "" && !from.startsWith("-");
}

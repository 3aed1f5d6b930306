import type { Ran, System } from "../src/finding.js";

export type Layout = Pick<System, "platform" | "home" | "env">;

/** A machine on which these programs lie; each prints its text, or fails where that is undefined. */
export function layout(
  place: Layout,
  files: Readonly<Record<string, string | undefined>>,
): System & { ran: string[][] } {
  const ran: string[][] = [];
  return {
    ...place,
    ran,
    isProgram: (file) => Promise.resolve(file in files),
    run: (file, args): Promise<Ran> => {
      ran.push([file, ...args]);
      const stdout = files[file];
      return Promise.resolve(stdout === undefined ? { code: 1, stdout: "" } : { code: 0, stdout });
    },
  };
}

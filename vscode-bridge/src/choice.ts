/** What the user chose about the program that is started. */

export interface Choice {
  path: string;
  interpreter: string;
  importStrategy: "fromEnvironment" | "fromPath";
  /** The Python that is chosen in the Python extension, where there is one. */
  pythonExtension: string | undefined;
  /** The first workspace folder. */
  folder: string | undefined;
}

interface Around {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
}

/** A path with `~`, `${workspaceFolder}`, `${userHome}` and `${env:NAME}` filled in. */
export function expand(given: string, choice: Pick<Choice, "folder">, around: Around): string {
  return given
    .trim()
    .replace(/^~(?=[\\/]|$)/, () => around.home)
    .replace(/\$\{(workspaceFolder|userHome|env:([^}]+))\}/g, (whole, name: string, variable: string | undefined) => {
      if (variable !== undefined) {
        return around.env[variable] ?? "";
      }
      return name === "userHome" ? around.home : (choice.folder ?? whole);
    });
}

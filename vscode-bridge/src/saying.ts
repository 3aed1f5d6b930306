/** What is said in the editor's notifications. */

/** Text of a server's: the editor makes `[text](command:...)` in a notification a link that runs a command. */
export function harmless(text: string): string {
  return text.replaceAll("](", "]\u2060(");
}

/** That a server does not know a command of this extension's, and what to do. */
export function tooOld(version: string): string {
  const name = ["citeplug", harmless(version)].filter((part) => part !== "").join(" ");
  return `${name} is too old for this. Update it (uv tool upgrade citeplug, or pipx upgrade citeplug), and restart the server.`;
}

/** Whether a server said in `initialize` that it knows a command. */
export function knows(commands: readonly string[] | undefined, command: string): boolean {
  return commands?.includes(command) === true;
}

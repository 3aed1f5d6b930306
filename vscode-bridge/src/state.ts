/** What the extension is doing, and how the status bar says it. */

export type State =
  | { kind: "untrusted" }
  | { kind: "looking" }
  | { kind: "missing"; why: string[] }
  | { kind: "problem"; message: string }
  | { kind: "starting" }
  | { kind: "idle"; version: string; from: string };

/** What is being done for the author. */
export interface Work {
  title: string;
  stage: string;
  /** It goes on when the author has decided. */
  waits?: boolean;
}

export interface Shown {
  text: string;
  tooltip: string;
  warning: boolean;
}

/** The status bar's words for a state, and for what is under way; plain text throughout. */
export function show(state: State, work?: Work): Shown {
  if (work !== undefined) {
    const stage = work.stage === "" ? work.title : work.stage;
    const icon = work.waits === true ? "$(eye)" : "$(loading~spin)";
    return { text: `${icon} citeplug: ${withoutIcons(stage)}`, tooltip: work.title, warning: false };
  }
  switch (state.kind) {
    case "untrusted":
      return { text: "$(shield) citeplug", tooltip: "Starts when you trust this workspace.", warning: false };
    case "looking":
    case "starting":
      return { text: "$(loading~spin) citeplug", tooltip: "citeplug is starting.", warning: false };
    case "missing":
      return {
        text: "$(warning) citeplug",
        tooltip: ["The citeplug program was not found.", ...state.why].join("\n"),
        warning: true,
      };
    case "problem":
      return { text: "$(warning) citeplug", tooltip: state.message, warning: true };
    case "idle":
      return { text: "$(book) citeplug", tooltip: `citeplug ${state.version}, ${state.from}`, warning: false };
  }
}

/** The status bar makes pictures of `$(name)`; what comes from elsewhere is shown as it is. */
function withoutIcons(text: string): string {
  return text.replaceAll("$(", "$ (");
}

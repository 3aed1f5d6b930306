/** What is between the editor and the server. */

import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";

import { applying } from "./edits.js";
import { configured } from "./options.js";

/** What a click tells a command: the document, and the rest. */
export interface Clicked {
  uri: vscode.Uri | undefined;
  given: Readonly<Record<string, unknown>>;
}

/** Marks a sentence as accepted, and takes one out of the section. */
export const ACCEPT = "citeplug.server.accept";
export const REJECT = "citeplug.server.reject";

const ACCEPTED = "✓";

/** Commands of the server that a click runs, and what is done in their place: the author sees what comes of them. */
export type Shown = Readonly<Record<string, (clicked: Clicked) => Promise<void>>>;

/**
 * `lenses` hears that the editor asks for what is above a document: then the section, or a decision on it, may be new. `named` hears
 * where ids in plans end that have a name beside them. `isRead` tells whether the source of what stands there is in view.
 */
export function middleware(
  shown: Shown,
  lenses: () => void,
  named: (document: vscode.TextDocument, ends: readonly vscode.Position[]) => void,
  isRead: (document: vscode.TextDocument, position: vscode.Position) => boolean,
): Middleware {
  return {
    provideCodeLenses: (document, token, next) => {
      lenses();
      return next(document, token);
    },
    // A hover on a sentence would hide the lines above it, to say what the view of its source says.
    provideHover: async (document, position, token, next) => {
      const hover = await next(document, position, token);
      const isOfSentence = hover?.contents.some((each) => each instanceof vscode.MarkdownString && each.value.includes(`command:${REJECT}`));
      return isOfSentence === true && isRead(document, position) ? undefined : hover;
    },
    // A light bulb lies on the text: it is for problems. Who opens the menu at any place has all that can be done there.
    provideCodeActions: (document, range, context, token, next) =>
      context.triggerKind === vscode.CodeActionTriggerKind.Automatic && context.diagnostics.length === 0 ? [] : next(document, range, context, token),
    // What is accepted has its mark beside the line. Other hints are the names of papers, each behind an id of a plan.
    provideInlayHints: async (document, range, token, next) => {
      const hints = (await next(document, range, token))?.filter(({ label }) => label !== ACCEPTED);
      named(document, hints?.map(({ position }) => position) ?? []);
      hints?.forEach((hint) => {
        hint.paddingLeft = false; // it stands in the place of the id
      });
      return hints;
    },
    executeCommand: (command, args, next): vscode.ProviderResult<unknown> => {
      const ours = shown[command];
      return ours === undefined ? next(command, args) : ours(clicked(args[0]));
    },
    workspace: {
      handleApplyEdit: applying,
      configuration: async (params, token, next) => {
        const answers: unknown = await next(params, token);
        return params.items.map((item, number): unknown =>
          item.section === "citeplug" ? configured() : Array.isArray(answers) ? answers[number] : null,
        );
      },
    },
  };
}

function clicked(argument: unknown): Clicked {
  const { uri, ...given } = typeof argument === "object" && argument !== null ? (argument as Record<string, unknown>) : {};
  return { uri: typeof uri === "string" ? vscode.Uri.parse(uri) : undefined, given };
}

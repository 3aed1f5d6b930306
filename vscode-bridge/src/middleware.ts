/** What stands between the editor and the server. */

import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";

import { configured } from "./options.js";

/** Commands of the server that a click runs, and what is done in their place: the author sees what comes of them. */
export type Shown = Readonly<Record<string, (document: vscode.Uri | undefined) => Promise<void>>>;

export function middleware(shown: Shown): Middleware {
  return {
    executeCommand: (command, args, next): vscode.ProviderResult<unknown> => {
      const ours = shown[command];
      return ours === undefined ? next(command, args) : ours(documentOf(args));
    },
    workspace: {
      configuration: async (params, token, next) => {
        const answers: unknown = await next(params, token);
        return params.items.map((item, number): unknown =>
          item.section === "citeplug" ? configured() : Array.isArray(answers) ? answers[number] : null,
        );
      },
    },
  };
}

function documentOf(args: readonly unknown[]): vscode.Uri | undefined {
  const argument = args[0];
  return typeof argument === "object" && argument !== null && "uri" in argument && typeof argument.uri === "string"
    ? vscode.Uri.parse(argument.uri)
    : undefined;
}

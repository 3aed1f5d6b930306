/** What stands between the editor and the server. */

import type { Middleware } from "vscode-languageclient/node";

import { configured } from "./options.js";

export function middleware(): Middleware {
  return {
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

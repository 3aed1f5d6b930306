/** How long it takes from opening a folder to the first underlined citation, as JSON: one object for each run. */

import { readFileSync, writeFileSync } from "node:fs";
import { PROGRAM, project } from "./project.mjs";
import { LONG, open } from "./workbench.mjs";

for (let run = 0; run < Number(process.argv[2] ?? 5); run += 1) {
  const here = project();
  const text = readFileSync(here.draft, "utf8");
  writeFileSync(here.draft, text.replace("Graph neural networks look", "Graph \\cite{nobody2000} networks look"));
  const editor = await open(here.folder, { file: here.draft, settings: { "citeplug.path": PROGRAM } });
  const since = () => (Date.now() - editor.started) / 1000;
  try {
    await editor.page.locator(".view-line").first().waitFor({ timeout: LONG });
    const text = since();
    await editor.page.locator(".squiggly-error").first().waitFor({ timeout: LONG });
    console.log(JSON.stringify({ text, diagnostic: since() }));
  } finally {
    await editor.close();
    here.remove();
  }
}

/** Search of the catalogue as one types; the paper that is picked is cited at the cursor, and gets its entry. */

import * as vscode from "vscode";

import { type Found, readFound } from "./answers.js";
import { ask } from "./asking.js";
import { citingEditor } from "./documents.js";
import type { Server } from "./server.js";

const PAUSE = 150; // ms without a key before the catalogue is asked

interface Item extends vscode.QuickPickItem {
  paper: Found;
}

/** Cite what is picked; with a key that is `cited` and defined nowhere, give the paper's entry that key. */
export async function searchPapers(server: Server, cited?: string): Promise<void> {
  const editor = citingEditor();
  if (editor === undefined) {
    return;
  }
  const uri = editor.document.uri.toString();
  const { line, character } = editor.selection.active;
  const paper = await pick(server, uri, cited ?? "");
  if (paper !== undefined && cited !== undefined) {
    await ask(server, "citeplug.server.addEntry", { uri, arxiv_id: paper.arxivId, key: cited });
  } else if (paper !== undefined) {
    await ask(server, "citeplug.server.insertCitation", { uri, arxiv_id: paper.arxivId, line, character });
  }
}

function pick(server: Server, uri: string, cited: string): Promise<Found | undefined> {
  const box = vscode.window.createQuickPick<Item>();
  box.title = cited === "" ? "Search Papers: Enter Cites One at the Cursor" : `Which paper is ${cited}?`;
  box.placeholder = "Words of title, abstract or authors, or a year";
  box.matchOnDetail = true;
  let timer: NodeJS.Timeout | undefined;
  const search = async (text: string): Promise<void> => {
    const answer = text.trim() === "" ? undefined : await ask(server, "citeplug.server.search", { uri, text });
    if (box.value === text) {
      box.items = readFound(answer, text).map(item);
      box.busy = false;
    }
  };
  return new Promise((resolve) => {
    box.onDidChangeValue((text) => {
      clearTimeout(timer);
      box.busy = true;
      timer = setTimeout(() => void search(text), PAUSE);
    });
    box.onDidAccept(() => {
      resolve(box.selectedItems[0]?.paper);
      box.hide();
    });
    box.onDidHide(() => {
      clearTimeout(timer);
      resolve(undefined);
      box.dispose();
    });
    box.show();
    box.value = wordsOf(cited);
  });
}

/** The words of a key such as kipf2017semi. */
function wordsOf(key: string): string {
  return key.match(/\p{L}+|\d+/gu)?.join(" ") ?? "";
}

/** `alwaysShow`: a paper on the topic need not have the words that were typed. */
function item(paper: Found): Item {
  return { label: paper.title, detail: [paper.by, paper.about].filter(Boolean).join(" · "), alwaysShow: true, paper };
}

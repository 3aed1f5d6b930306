/** What the panel shows before there is a project to work in: access to the page, and the pairing. */

import { button, command, element, paragraph, row, section, textIn } from "./elements.js";
import type { Link } from "./messages.js";

const SITE = "https://www.overleaf.com/*";
const UNPAIRED: Partial<Record<Link, string>> = {
  malformed: "That is not a code: codes look like ABCD-EFGH, some with a number before them.",
  unanswered: "citeplug is not running, or the code is of an earlier start. Start it, and type the code that it prints:",
  refused: "That code is wrong, or was used already. Ask for a new one:",
  forgotten: "citeplug does not know this browser any more. Ask for a new code, and type it here:",
};

let typedCode = "";

/** What to do where the tab has no project that citeplug sees. */
export function away(tab: number, allowed: () => void): HTMLElement {
  const made = element("div");
  const reload = (): HTMLElement =>
    button("Load the page again", () => {
      void chrome.tabs.reload(tab);
    });
  void chrome.permissions.contains({ origins: [SITE] }).then(async (isAllowed) => {
    if (!isAllowed) {
      const allow = button("Allow www.overleaf.com", () => {
        void chrome.permissions.request({ origins: [SITE] }).then((granted) => {
          if (granted) {
            allowed();
          }
        });
      }, "primary");
      made.append(paragraph("Your browser does not let citeplug into www.overleaf.com yet."), row(allow), paragraph("Then load the project's page again.", "small"));
      return;
    }
    const { url = "" } = await chrome.tabs.get(tab).catch((): { url?: string } => ({})); // it may be closed
    const isProject = /^https?:\/\/[^/]+\/project\/[0-9a-f]{24}/i.test(url); // the browser tells it of pages that are allowed
    made.append(paragraph(isProject ? "This page was open before citeplug was." : "Open a project on Overleaf in this window."), ...(isProject ? [row(reload())] : []));
  });
  return made;
}

/** What to do where nothing answers at the port of the pairing. */
export function offline(again: () => void): HTMLElement {
  const parts = [command("citeplug overleaf serve"), row(button("Try again", again, "primary")), paragraph("The panel goes on by itself once it runs. Your text stays in Overleaf; nothing is lost.", "small")];
  return section("citeplug is not running", paragraph("Start it in a terminal:"), ...parts);
}

/** A form for the code; `pair` gets what was typed. */
export function pairing(link: Link, pair: (code: string) => void): HTMLElement[] {
  const field = element("input", { id: "code", autocomplete: "off", spellcheck: "false" });
  const form = element("form");
  (field as HTMLInputElement).value = typedCode;
  field.addEventListener("input", () => (typedCode = (field as HTMLInputElement).value));
  form.append(field, button("Pair", undefined, "primary"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    pair((field as HTMLInputElement).value);
  });
  const isFirst = link === "unpaired";
  const start = command(link === "refused" || link === "forgotten" ? "citeplug overleaf serve --pair" : "citeplug overleaf serve");
  const code = (text: string): HTMLElement => textIn("label", text, { for: "code" });
  return [
    textIn("h2", "Pair this browser with citeplug"),
    ...(isFirst
      ? [
          paragraph("citeplug works on your own machine, in a terminal."),
          paragraph("1. Install it, once, in the folder of its source:"), command("pipx install '.[web]'"),
          paragraph("2. Start it:"), start,
          code("3. Type the code that it prints:"),
        ]
      : [paragraph(UNPAIRED[link] ?? "", "problem"), start, code("Code from the terminal")]),
    form,
    paragraph("The text of the project goes to that program, and no further unless you allow it here.", "small"),
    ...(isFirst ? [paragraph("Without pipx, see docs/install.md in that folder.", "small")] : []),
  ];
}

/** Why nothing is written, by the path of the open document. */
export function unwritable(path: string): HTMLElement {
  const why = path === "" ? "citeplug cannot write: Overleaf's editor shows no document yet, or lets no extension in." : "You may only read this project.";
  return paragraph(`${why} What citeplug makes can be copied and downloaded.`, "small");
}

export function ownServer(): HTMLElement {
  const field = element("input", { type: "url", placeholder: "https://overleaf.example.org", "aria-label": "Address of your server" }) as HTMLInputElement;
  const form = element("form", { class: "own" });
  form.append(field, button("Allow"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (URL.canParse(field.value)) {
      void chrome.permissions.request({ origins: [`${new URL(field.value).origin}/*`] });
    }
  });
  return section("A server of your own", paragraph("citeplug works on www.overleaf.com, and on servers that you allow here.", "small"), form);
}

/** Parts of the panel. What comes from a paper, a page or citeplug is set as text. */

export function element(name: string, attributes: Record<string, string> = {}): HTMLElement {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  return made;
}

export function textIn(name: string, text: string, attributes: Record<string, string> = {}): HTMLElement {
  const made = element(name, attributes);
  made.textContent = text;
  return made;
}

export function paragraph(text: string, name = ""): HTMLElement {
  return textIn("p", text, name === "" ? {} : { class: name });
}

/** A stretch of a quotation; `marked`: its words are in the sentence, too. */
export interface Part {
  readonly text: string;
  readonly marked: boolean;
}

/** What a sentence rests on. A `summary` is in others' words than the paper's: no quotation. */
export interface Source {
  readonly name: string;
  readonly place: string;
  readonly parts: readonly Part[];
  readonly summary?: boolean;
  readonly arxiv?: string; // its id, which the name links to
}

/** The words of a paper, in quotation marks, and below them which and where. */
export function quotation({ name, place, parts, summary = false, arxiv }: Source): HTMLElement {
  const [link, beside] = [arxiv === undefined ? name : textLink(name, `https://arxiv.org/abs/${arxiv}`), summary ? "summary" : place];
  const source = paragraph("", "small");
  source.append(link, name !== "" && beside !== "" ? ` · ${beside}` : beside);
  const shared = parts.some(({ marked }) => marked) ? " The marked words are in the sentence, too." : "";
  const made = element("div", { class: "quotation" });
  const from = [name, place].filter(Boolean).join(", ");
  const quote = element("blockquote", { title: `${summary ? `From a summary of ${name}, not in its own words` : `Word for word from ${from}`}.${shared}` });
  const words = parts.map(({ text, marked }) => (marked ? textIn("mark", text) : text));
  quote.append(...(summary ? words : ["“", ...words, "”"]));
  made.append(quote, source);
  return made;
}

/** A word on the standing of what it is beside. */
export function chip(text: string, name: string): HTMLElement {
  return textIn("span", text, { class: name });
}

/** A label and its lines; nothing without lines. */
export function listed(label: string, lines: readonly string[]): HTMLElement[] {
  const list = element("ul");
  list.append(...lines.map((line) => textIn("li", sentence(line))));
  return lines.length === 0 ? [] : [textIn("h3", label), list];
}

/** `text` with "1 finding" or "2 findings" in it. */
export function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

export function marked(name: "ins" | "del", text: string): HTMLElement[] {
  return text === "" ? [] : [textIn(name, text)];
}

export function row(...parts: HTMLElement[]): HTMLElement {
  const made = element("div", { class: "row" });
  made.append(...parts);
  return made;
}

export function section(title: string, ...parts: HTMLElement[]): HTMLElement {
  const made = element("section", { "aria-label": title });
  made.append(textIn("h2", title), ...parts);
  return made;
}

export function button(label: string, act?: () => void, name = ""): HTMLButtonElement {
  const made = textIn("button", label, { type: act === undefined ? "submit" : "button", ...(name === "" ? {} : { class: name }) }) as HTMLButtonElement;
  if (act !== undefined) {
    made.addEventListener("click", act);
  }
  return made;
}

const SAID = 2_000; // ms

/** Copies what `text` gives, and says that it did, or why not. */
export function copy(text: string | (() => Promise<string>), label = "Copy", name = ""): HTMLElement {
  return doing(label, async () => {
    await navigator.clipboard.writeText(typeof text === "string" ? text : await text());
    return "Copied";
  }, name);
}

/** A button that waits for its work, and says beside it why that failed; for a while it bears what the work gives. */
export function doing(label: string, work: () => Promise<string>, name = ""): HTMLElement {
  const own = button(label, () => {
    own.disabled = true;
    own.parentElement?.querySelector(".failure")?.remove();
    work()
      .then((outcome) => {
        own.textContent = outcome;
        setTimeout(() => (own.textContent = label || own.textContent), SAID);
      })
      .catch((error: unknown) => {
        own.after(problem(error, "failure"));
      })
      .finally(() => (own.disabled = false));
  }, name);
  return own;
}

/** An error as a sentence. */
export function problem(error: unknown, name = ""): HTMLElement {
  const text = error instanceof Error ? error.message : String(error);
  const made = element("div", { class: `problem ${name}`.trim() });
  const commands = [...text.matchAll(/'(citeplug [^']+)'/g)].map(([, line = ""]) => command(line));
  made.append(paragraph(`${sentence(text)}${/[.!?]$/.test(text) ? "" : "."}`), ...commands);
  return made;
}

export function sentence(text: string): string {
  return text.replace(/^(?!arXiv)./, (letter) => letter.toUpperCase());
}

/** A command for the terminal. */
export function command(line: string): HTMLElement {
  return row(textIn("code", line), copy(line));
}

export function download(path: string, text: string): HTMLElement {
  return button("Download", () => {
    const link = element("a", { download: path.slice(path.lastIndexOf("/") + 1) }) as HTMLAnchorElement;
    link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    link.click();
    URL.revokeObjectURL(link.href);
  });
}

export function asking(label: string, placeholder: string, value: string, ask: (text: string) => void): HTMLFormElement {
  const field = element("input", { placeholder, "aria-label": placeholder, value }) as HTMLInputElement;
  const form = element("form") as HTMLFormElement;
  form.append(field, button(label));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (field.value.trim() !== "") {
      field.blur();
      ask(field.value.trim());
    }
  });
  return form;
}

export function textLink(text: string, address: string): HTMLElement {
  return textIn("a", text, { href: address, target: "_blank", rel: "noreferrer" });
}

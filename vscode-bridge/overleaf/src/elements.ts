/** Parts of the panel. What comes from a paper, a page or citeplug is set as text. */

export function element(name: string, attributes: Record<string, string> = {}): HTMLElement {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  return made;
}

export function paragraph(text: string, name = ""): HTMLElement {
  const made = element("p", name === "" ? {} : { class: name });
  made.textContent = text;
  return made;
}

export function code(text: string): HTMLElement {
  const made = element("code");
  made.textContent = text;
  return made;
}

export function quotation(text: string, source: string): HTMLElement {
  const made = element("blockquote");
  made.textContent = text;
  made.append(paragraph(source, "small"));
  return made;
}

export function marked(name: "ins" | "del", text: string): HTMLElement[] {
  if (text === "") {
    return [];
  }
  const made = element(name);
  made.textContent = text;
  return [made];
}

export function row(...parts: HTMLElement[]): HTMLElement {
  const made = element("div", { class: "row" });
  made.append(...parts);
  return made;
}

export function section(title: string, ...parts: HTMLElement[]): HTMLElement {
  const made = element("section", { "aria-label": title });
  const heading = element("h2");
  heading.textContent = title;
  made.append(heading, ...parts);
  return made;
}

export function button(label: string, act?: () => void, name = ""): HTMLButtonElement {
  const made = element("button", { type: act === undefined ? "submit" : "button", ...(name === "" ? {} : { class: name }) }) as HTMLButtonElement;
  made.textContent = label;
  if (act !== undefined) {
    made.addEventListener("click", act);
  }
  return made;
}

export function copy(text: string, label = "Copy"): HTMLElement {
  return button(label, () => {
    void navigator.clipboard.writeText(text);
  });
}

export function download(path: string, text: string): HTMLElement {
  return button("Download", () => {
    const link = element("a", { download: path.slice(path.lastIndexOf("/") + 1) }) as HTMLAnchorElement;
    link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    link.click();
    URL.revokeObjectURL(link.href);
  });
}

export function asking(label: string, placeholder: string, ask: (text: string) => void): HTMLElement {
  const field = element("input", { placeholder, "aria-label": placeholder }) as HTMLInputElement;
  const form = element("form");
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
  const link = element("a", { href: address, target: "_blank", rel: "noreferrer" });
  link.textContent = text;
  return link;
}

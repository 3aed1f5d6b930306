// Keys, and forms that do not load the whole page again. Without this file every form works all the same.
"use strict";

const PARTS = ["head", "said", "error", "main"];
const LOOK = 3000; // milliseconds between two looks at the files
let work = Promise.resolve(); // one step after the other, however fast the keys come
let selected = null;

function swap(text, address) {
  const page = new DOMParser().parseFromString(text, "text/html");
  const open = [...document.querySelectorAll("details[id][open]")].map((each) => each.id);
  const at = [window.scrollX, window.scrollY];
  for (const part of PARTS) {
    const [now, then] = [document.getElementById(part), page.getElementById(part)];
    if (part === "said") {
      now.textContent = then.textContent; // the same element, so that a reader says it
    } else {
      now.replaceWith(document.adoptNode(then));
    }
  }
  for (const id of open) {
    document.getElementById(id)?.setAttribute("open", "");
  }
  document.title = page.title;
  window.scrollTo({ left: at[0], top: at[1], behavior: "instant" });
  if (address) {
    history.replaceState(null, "", address);
  }
  show();
}

function show() {
  const now = document.querySelector(".sentence.selected");
  if (now && now.id !== selected) {
    now.scrollIntoView({ block: "nearest" });
  }
  selected = now?.id ?? null;
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.hidden = !navigator.clipboard;
  }
}

async function load(address, form) {
  const reply = await fetch(address, { method: form ? "POST" : "GET", body: form, mode: "same-origin" });
  if (!(reply.headers.get("content-type") ?? "").startsWith("text/html")) {
    throw new Error(await reply.text());
  }
  swap(await reply.text(), reply.ok ? reply.url : null);
}

function step(action) {
  work = work.then(action).catch((error) => {
    document.getElementById("said").textContent = `This did not work: ${error.message}. Load the page again.`;
  });
}

function send(form, button) {
  const fields = new URLSearchParams(new FormData(form));
  if (button?.name) {
    fields.set(button.name, button.value);
  }
  return load(button?.getAttribute("formaction") ?? form.getAttribute("action"), fields);
}

document.addEventListener("submit", (event) => {
  event.preventDefault();
  const { target, submitter } = event;
  const key = submitter?.dataset.key;
  step(async () => {
    await send(target, submitter);
    if (key) {
      focus();
    }
  });
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("a.words, a.other");
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0) {
    event.preventDefault();
    step(async () => {
      await load(link.getAttribute("href"));
      focus();
    });
  }
  const copy = event.target.closest("[data-copy]");
  if (copy) {
    navigator.clipboard.writeText(document.getElementById(copy.dataset.copy).value).then(() => {
      document.getElementById("said").textContent = "Copied.";
    });
  }
});

function focus() {
  document.querySelector(".sentence.selected .words")?.focus({ preventScroll: true });
}

async function go(by) {
  const all = [...document.querySelectorAll("a.words")];
  const next = all[all.findIndex((each) => each.hasAttribute("aria-current")) + by];
  if (next) {
    await load(next.getAttribute("href"));
    focus();
  }
}

async function press(key) {
  if (key === "j" || key === "k") {
    return go(key === "j" ? 1 : -1);
  }
  const control = document.querySelector(`[data-key="${key}"]:not(:disabled)`);
  if (!control) {
    return undefined;
  }
  if (control.tagName === "SUMMARY") {
    control.parentElement.open = true;
    document.getElementById("edit").focus();
    return undefined;
  }
  await send(control.form, control);
  return focus();
}

document.addEventListener("keydown", (event) => {
  const writing = event.target.closest("input, textarea, select");
  if (writing && event.key === "Escape") {
    writing.blur();
  }
  if (!writing && !event.ctrlKey && !event.metaKey && !event.altKey && !event.repeat && "jkareu".includes(event.key)) {
    event.preventDefault();
    step(() => press(event.key));
  }
});

// What the editor, the watcher or another tab writes appears, unless something is being written here.
setInterval(() => {
  const writing = [...document.querySelectorAll("textarea:not([readonly]), input:not([type=hidden])")].some(
    (each) => each.value !== each.defaultValue,
  );
  if (!writing && !document.activeElement?.closest("input, textarea") && document.querySelector(".columns")) {
    step(async () => {
      const reply = await fetch("/stamp", { mode: "same-origin" });
      if (reply.ok && (await reply.text()) !== document.getElementById("head").dataset.stamp) {
        await load(location.pathname + location.search);
      }
    });
  }
}, LOOK);

show();

// Keys, and forms that do not load the whole page again. Without this file every form works all the same.
"use strict";

const STAYS = ["held"]; // of the elements of a page
const HEARD = ["said", "stage"]; // the same element stays, so that a reader says its new text
const BASE = document.body.dataset.base; // of the addresses of this project
const LOOK = 3000; // milliseconds between two looks at the files
const NARROW = window.matchMedia("(max-width: 700px)"); // as in review.css
const FIELDS = "textarea:not([readonly]), input:not([type=hidden])";
let work = Promise.resolve(); // one step after the other, however fast the keys come
let selected = null;
let opening = false; // an editor is about to open: what is typed is for it

const isUnsaved = (field) => field.value !== field.defaultValue;

// Forms that are in use, or have text that is not saved; `sent` is one whose text is on its way.
function held(sent) {
  return [...document.forms].filter((form) => {
    const fields = [...form.querySelectorAll(FIELDS)];
    const isOnItsWay = form === sent?.form && sent.text === written(form);
    return !isOnItsWay && fields.some((field) => isUnsaved(field) || field === document.activeElement);
  });
}

const written = (form) => String(new URLSearchParams(new FormData(form)));

// What a form is about: its address and what it says of its place.
function identity(form) {
  const said = [...form.querySelectorAll("input[type=hidden]")].filter((each) => !["token", "at"].includes(each.name));
  return JSON.stringify([form.getAttribute("action"), ...said.map((each) => [each.name, each.value])]);
}

const CONTROLS = "a[href], button:not(:disabled), summary, input:not([type=hidden]), textarea, select";

// Where the focus is: its control's number in the innermost element with an id, of those around it, from within.
function focused() {
  const places = [];
  for (let place = document.activeElement?.closest("[id]"); place; place = place.parentElement?.closest("[id]")) {
    const controls = [...place.querySelectorAll(CONTROLS)];
    places.push([place.id, place.nextElementSibling?.id, Math.max(controls.indexOf(document.activeElement), 0)]);
  }
  return places;
}

// The control at that place, or the next one, once the elements are new; it was lost with the old ones.
function refocus(places) {
  if (document.activeElement !== document.body) {
    return;
  }
  for (const [id, next, number] of places) {
    const place = document.getElementById(id);
    const controls = [...(place ?? document.getElementById(next))?.querySelectorAll(CONTROLS) ?? []];
    const control = controls[place ? Math.min(number, controls.length - 1) : 0];
    control?.focus({ preventScroll: true });
    if (document.activeElement !== document.body) {
      return;
    }
  }
}

// Put the elements of a page, or of a part of it, in the places of the old ones. Forms that are held go with what is in
// them to their places in the new elements; an element with one that has none there stays, and false is returned.
function swap(text, address, sent, quietly) {
  const page = new DOMParser().parseFromString(text, "text/html");
  const parts = [...page.body.children].filter(({ id }) => id && !STAYS.includes(id));
  const there = new Map([...page.forms].map((form) => [identity(form), form]));
  const places = parts.map((part) => document.getElementById(part.id));
  const pairs = held(sent)
    .filter((form) => places.some((place) => place?.contains(form)))
    .map((form) => [form, there.get(identity(form))]);
  const left = pairs.filter(([, place]) => !place).map(([form]) => form);
  if (left.length && quietly) {
    return false;
  }
  const { activeElement } = document;
  const caret = activeElement?.matches(FIELDS) ? [activeElement.selectionStart, activeElement.selectionEnd] : null;
  const hadFocus = focused();
  const isSaved = (details) => details.matches(".editor") && details.contains(sent?.form ?? null);
  const open = [...document.querySelectorAll("details[id][open]")].filter((each) => !isSaved(each)).map((each) => each.id);
  const at = [window.scrollX, window.scrollY];
  const ofPlan = document.querySelector(".plan")?.scrollTop ?? 0;
  for (const [form, place] of left.length ? [] : pairs) {
    place.replaceWith(document.adoptNode(form));
  }
  near.clear();
  for (const [number, then] of parts.entries()) {
    const now = places[number];
    if (HEARD.includes(then.id)) {
      if (now.textContent !== then.textContent) {
        now.replaceChildren(...then.childNodes);
        now.getAnimations().forEach((each) => each.play()); // which takes it away after a while
      }
    } else if (then.id === "lost") {
      now.append(...then.childNodes); // until the page is left
    } else if (!left.some((form) => now?.contains(form))) {
      now?.replaceWith(document.adoptNode(then));
    }
  }
  for (const id of open) {
    document.getElementById(id)?.setAttribute("open", "");
  }
  if (left.length) {
    document.getElementById("head").dataset.stamp = ""; // it is shown as it is now once nothing is held
    document.getElementById("held").hidden = false;
    return false;
  }
  if (caret && document.contains(activeElement)) {
    activeElement.focus({ preventScroll: true });
    if (caret[0] !== null) { // a choice or a file has none
      activeElement.setSelectionRange(...caret);
    }
  }
  document.getElementById("held").hidden = true;
  document.title = page.title || document.title;
  window.scrollTo({ left: at[0], top: at[1], behavior: "instant" });
  document.querySelector(".plan")?.scrollTo({ top: ofPlan, behavior: "instant" });
  if (address) {
    history.replaceState(null, "", address);
  }
  show();
  refocus(hadFocus);
  return true;
}

const idle = window.requestIdleCallback ?? setTimeout;

function show() {
  for (const field of document.querySelectorAll("[data-now]")) {
    const { value } = field; // typed, and refused: not saved
    field.defaultValue = field.dataset.now;
    field.value = value;
    delete field.dataset.now;
  }
  if (location.search.includes("done=")) {
    const address = new URL(location);
    address.searchParams.delete("done");
    history.replaceState(null, "", address);
  }
  const now = document.querySelector(".sentence.selected");
  if (now && now.id !== selected) {
    if (selected || location.hash || now.getBoundingClientRect().bottom > 0.85 * window.innerHeight) { // the page begins at its head
      now.scrollIntoView({ block: "nearest" });
    }
    const [plan, own] = [".plan", ".plan .selected"].map((place) => document.querySelector(place));
    if (own && plan.scrollHeight > plan.clientHeight) { // it scrolls by itself, where it stands beside the text
      plan.scrollTop = Math.min(own.offsetTop, Math.max(plan.scrollTop, own.offsetTop + own.offsetHeight - plan.clientHeight));
    }
  }
  selected = now?.id ?? null;
  for (const field of selected ? document.querySelectorAll("input[name=at]") : []) {
    field.value = selected;
  }
  idle(() => (asked = asked.then(getNear).catch(() => undefined)));
  document.dispatchEvent(new Event("shown"));
  layOut();
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.hidden = !navigator.clipboard;
  }
  showSheet();
}

// What stays beside the text begins below the head and the bar, however many rows these have; the marks of sentences
// that begin in one line stand side by side in the margin.
function layOut() {
  for (const name of ["head", "bar"]) {
    const part = document.querySelector(`#${name}, .${name}`);
    const height = part && getComputedStyle(part).position === "sticky" ? part.offsetHeight : 0;
    document.documentElement.style.setProperty(`--${name}`, `${height}px`);
  }
  const marks = [...document.querySelectorAll(".sentence .mark")];
  const tops = marks.map((mark) => mark.getBoundingClientRect().top);
  let shift = 0;
  for (const [number, mark] of marks.entries()) {
    shift = Math.abs(tops[number] - tops[number - 1]) < 4 ? shift - 1 : 0;
    mark.style.translate = shift ? `${shift}em` : "";
  }
}

window.addEventListener("resize", layOut);
document.addEventListener("toggle", ({ target }) => {
  layOut();
  if (target.matches(".editor[open]") && NARROW.matches) {
    showSheet(true); // which has the sources beside the words that are typed
  }
}, true);

// On a telephone a sentence that is out of sight is not decided on: the bar offers to show it.
const watch = new IntersectionObserver(
  (seen) => document.body.classList.toggle("unseen", !seen.at(-1).isIntersecting),
  { rootMargin: "-32px 0px -120px" }, // a line, and the bar below
);

// On a telephone the source lies at the foot of the screen: its buttons alone, or half of the screen below its sentence.
function showSheet(isOpen = document.body.classList.contains("sheet-open")) {
  const now = document.querySelector(".sentence.selected");
  if (document.body.classList.toggle("sheet-open", isOpen) && NARROW.matches) {
    now?.scrollIntoView({ block: "nearest" });
  }
  const count = document.querySelector("[data-count]");
  if (count) {
    const all = [...document.querySelectorAll(".sentence")];
    const number = all.indexOf(now) + 1;
    count.textContent = `${number}/${all.length}`;
    document.querySelector("[data-show]").textContent = `Show sentence ${number}`;
    watch.disconnect();
    if (now) {
      watch.observe(now);
    }
  }
  for (const button of document.querySelectorAll(".sheet button")) {
    button.hidden = false;
  }
  const button = document.querySelector("[data-sheet]");
  if (button) {
    button.textContent = isOpen ? "Back to the text" : "Source";
    button.setAttribute("aria-expanded", isOpen);
  }
}

async function load(address, form, sent, quietly) {
  // The same sentence stays selected: then what has changed of the section is enough.
  const isSame = (form || quietly) && document.querySelector(".columns");
  const headers = isSame ? { "citeplug-shown": document.getElementById("head").dataset.stamp } : {};
  const reply = await fetch(address, { method: form ? "POST" : "GET", body: form, mode: "same-origin", headers });
  if (!(reply.headers.get("content-type") ?? "").startsWith("text/html")) {
    throw new Error(await reply.text());
  }
  // An answer to a form that leads nowhere is of the page that is shown.
  return swap(await reply.text(), reply.ok && (!form || reply.redirected) ? reply.url : null, sent, quietly);
}

function step(action) {
  document.body.classList.add("busy"); // shown if it lasts
  const one = (work = work.then(action).catch((error) => {
    document.getElementById("said").textContent =
      `This did not work: ${error.message}. Copy what you typed, and load the page again.`;
  }));
  one.then(() => one === work && document.body.classList.remove("busy"));
}

function send(form, button) {
  const given = new FormData(form);
  const fields = form.enctype === "multipart/form-data" ? given : new URLSearchParams(given);
  if (button?.name) {
    fields.set(button.name, button.value);
  }
  const address = button?.getAttribute("formaction") ?? form.getAttribute("action");
  if (form.method === "get") {
    return load(`${address}?${fields}`, undefined, { form, text: written(form) });
  }
  // A button beside the field, such as Delete, sends no words.
  return load(address, fields, button?.hasAttribute("formaction") ? null : { form, text: written(form) });
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
  const link = event.target.closest("a.words, a.other, a.jump");
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0) {
    event.preventDefault();
    step(async () => {
      await look(link.matches(".jump") ? nextFresh(link) : link);
      showSheet(NARROW.matches);
      focus();
    });
  }
  const button = event.target.closest("[data-sheet], [data-go], [data-show]");
  if (button?.matches("[data-show]")) {
    document.querySelector(".sentence.selected").scrollIntoView({ block: "center" });
  } else if (button?.dataset.go) {
    step(() => go(Number(button.dataset.go)));
  } else if (button) {
    showSheet(!document.body.classList.contains("sheet-open"));
  }
  const line = event.target.closest(".lines > li > a, a.cancel");
  if (line && !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0) {
    event.preventDefault();
    const [address, place] = line.getAttribute("href").replace(/at=[^&#]*/, `at=${selected ?? ""}`).split("#");
    line.closest("li").querySelector("form")?.reset();
    step(async () => {
      await load(address);
      document.getElementById(place)?.querySelector("textarea, a")?.focus({ preventScroll: true });
    });
  }
  const copy = event.target.closest("[data-copy]");
  if (copy) {
    const text = copy.dataset.text ?? document.getElementById(copy.dataset.copy).value;
    navigator.clipboard.writeText(text).then(() => {
      document.getElementById("said").textContent = copy.dataset.text ? `Copied: ${text}` : "Copied.";
    });
  }
});

function focus() {
  if (document.activeElement?.matches(FIELDS)) {
    return;
  }
  const place = document.querySelector(".sheet-open [data-sheet]") ?? document.querySelector(".sentence.selected .words");
  place?.focus({ preventScroll: true });
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
    opening = false;
    return undefined;
  }
  await send(control.form, control);
  return focus();
}

document.addEventListener("keydown", (event) => {
  const writing = event.target.closest("input, textarea, select");
  if (writing && event.key === "Escape") {
    writing.blur();
  } else if (event.key === "Escape") {
    showSheet(false);
  }
  if (!writing && !event.ctrlKey && !event.metaKey && !event.altKey && !event.repeat && "jkareu".includes(event.key)) {
    event.preventDefault();
    if (opening) {
      return;
    }
    opening = event.key === "e";
    step(() => press(event.key).finally(() => (opening = false)));
  }
});

// Cancel: what was typed goes, and what it was typed in closes.
document.addEventListener("reset", (event) => {
  const details = event.target.closest("details");
  if (details) {
    details.open = false;
    details.querySelector("summary").focus({ preventScroll: true });
  }
});

// Titles of papers like what is typed where one is chosen.
let typing = null;
document.addEventListener("input", ({ target }) => {
  if (target.matches?.("[list=titles]")) {
    clearTimeout(typing);
    typing = setTimeout(async () => {
      const reply = await fetch(`${BASE}/titles?q=${encodeURIComponent(target.value)}`, { mode: "same-origin" });
      const page = new DOMParser().parseFromString(reply.ok ? await reply.text() : "", "text/html");
      document.getElementById("titles")?.replaceChildren(...page.querySelectorAll("option"));
    }, 200);
  }
});

// What the editor, the watcher or another tab writes appears, unless something is being written here.
async function refresh() {
  if (held().length || !document.querySelector(".columns")) {
    return;
  }
  const reply = await fetch(`${BASE}/stamp`, { mode: "same-origin" });
  if (reply.ok && (await reply.text()) !== document.getElementById("head").dataset.stamp) {
    await load(selected ? `${BASE}/?at=${selected}` : location.pathname + location.search, undefined, null, true);
  }
}

setInterval(() => step(refresh), LOOK);

document.getElementById("unsaved").addEventListener("click", () => {
  [...document.querySelectorAll(FIELDS)].find(isUnsaved)?.focus();
});

document.getElementById("discard").addEventListener("click", () => {
  held().forEach((form) => form.reset());
  step(() => load(location.pathname + location.search));
});

window.addEventListener("beforeunload", (event) => {
  if ([...document.querySelectorAll(FIELDS)].some(isUnsaved) || document.querySelector("#lost section")) {
    event.preventDefault();
  }
});

show();

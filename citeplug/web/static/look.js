// Going from sentence to sentence: what the page shows of those around the selected one is there before it is asked for.
"use strict";

const near = new Map(); // what the page shows of the sentences around the selected one, by their names
let asked = Promise.resolve(); // for these

// Ask for what the page shows of the sentences around the selected one, so that a key need not wait for it.
async function getNear() {
  const names = [...document.querySelectorAll(".sentence")].map(({ id }) => id);
  const here = names.indexOf(selected);
  if (here >= 0 && [names[here - 1], names[here + 1]].some((name) => name && !near.has(name))) {
    const reply = await fetch(`${BASE}/?at=${selected}&near=1`, { mode: "same-origin" });
    const page = new DOMParser().parseFromString(await reply.text(), "text/html");
    for (const each of reply.ok ? page.querySelectorAll("template[data-at]") : []) {
      near.set(each.dataset.at, each.content);
    }
  }
}

// The part that the page shows of a sentence, for when it is looked at again.
function partFrom(item, source, stamp) {
  const [part, list, copy] = [document.createDocumentFragment(), document.createElement("ol"), item.cloneNode(true)];
  const sources = source.cloneNode(true);
  sources.querySelector(".editor")?.removeAttribute("open");
  list.dataset.stamp = stamp;
  list.append(copy);
  part.append(list, sources);
  return part;
}

async function getPart(address) {
  const reply = await fetch(address, { mode: "same-origin" });
  return new DOMParser().parseFromString(reply.ok ? await reply.text() : "", "text/html");
}

// Look at another sentence: what the page shows of it is put in alone, unless text is held or the files have changed.
async function look(link) {
  const address = link.getAttribute("href");
  const fragment = address.split("#")[1];
  const item = document.getElementById(fragment);
  const before = document.querySelector(".sentence.selected");
  if (!item || item === before || held().length) {
    return load(address);
  }
  if (!near.has(fragment)) {
    await asked;
  }
  const part = near.get(fragment) ?? (await getPart(`${address.split("#")[0]}&part=1`));
  near.delete(fragment);
  const head = document.getElementById("head");
  if (part.querySelector("ol")?.dataset.stamp !== head.dataset.stamp || part.querySelector("li")?.id !== item.id) {
    return load(address);
  }
  const source = document.getElementById("source");
  if (before) {
    near.set(before.id, partFrom(before, source, head.dataset.stamp));
  }
  before?.classList.remove("selected");
  before?.querySelector(".words").removeAttribute("aria-current");
  item.replaceWith(document.adoptNode(part.querySelector("li")));
  source.replaceWith(document.adoptNode(part.querySelector("#source")));
  const paragraph = fragment.slice(0, fragment.lastIndexOf("."));
  for (const each of document.querySelectorAll(".paragraphs > li")) {
    each.classList.toggle("selected", each.id === `in-plan-${paragraph}`);
  }
  document.getElementById("said").textContent = "";
  history.replaceState(null, "", address);
  return show();
}

async function go(by) {
  const all = [...document.querySelectorAll("a.words")];
  const next = all[all.findIndex((each) => each.hasAttribute("aria-current")) + by];
  if (next) {
    await look(next);
    focus();
  }
}

// The next sentence that the last run wrote, or the first after the last one.
function nextFresh(link) {
  const now = document.querySelector(".sentence.selected");
  const all = [...document.querySelectorAll(".sentence.fresh")];
  const isAfter = (item) => now?.compareDocumentPosition(item) & Node.DOCUMENT_POSITION_FOLLOWING;
  return (all.find(isAfter) ?? all[0])?.querySelector(".words") ?? link;
}

// While a sentence is typed, its words that are not in its source.
let comparing = null;
function compareWords({ target }) {
  const form = target.closest?.("form");
  const place = form?.querySelector("[data-unsourced]");
  if (place) {
    clearTimeout(comparing);
    comparing = setTimeout(async () => {
      const { value } = form.elements.new;
      const page = await getPart(`${BASE}/words?${new URLSearchParams({ at: selected, new: value })}`);
      if (value === form.elements.new.value) {
        place.replaceChildren(...page.body.childNodes);
      }
    }, 200);
  }
}

document.addEventListener("input", compareWords);
document.addEventListener("reset", compareWords);

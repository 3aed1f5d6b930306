// Paragraphs and lines of the plan, moved by dragging, and files that are dropped. Without this file buttons do it all.
"use strict";

let dragged = null;

function addHandles() {
  for (const item of document.querySelectorAll("[data-move]")) {
    if (!item.querySelector(":scope > .handle") && item.parentElement.querySelectorAll(":scope > [data-move]").length > 1) {
      const handle = document.createElement("span");
      handle.className = "handle";
      handle.draggable = true;
      handle.title = "Drag to move";
      handle.setAttribute("aria-hidden", "true"); // the buttons are for who does not see it
      item.prepend(handle);
    }
  }
}

const siblings = (item) => [...item.parentElement.querySelectorAll(":scope > [data-move]")];
const isBelowMiddle = (item, event) => {
  const { top, height } = item.getBoundingClientRect();
  return event.clientY > top + height / 2;
};

// The item of the same list that the pointer is over.
function itemUnder(event) {
  const item = dragged && event.target.closest?.("[data-move]");
  const found = item && siblings(dragged).find((each) => each.contains(item));
  return found ?? null;
}

function showDrop(item, below) {
  for (const each of document.querySelectorAll(".drop-above, .drop-below")) {
    each.classList.remove("drop-above", "drop-below");
  }
  if (item && item !== dragged) {
    item.classList.add(below ? "drop-below" : "drop-above");
  }
}

// Put an item in front of `next`, or behind all others: what its form says of it, and its new place.
function putBefore(item, next) {
  const { token, at, p } = Object.fromEntries(new FormData(item.closest(".paragraphs > li").querySelector("form")));
  const { number, was } = item.dataset;
  const others = siblings(item).filter((each) => each !== item);
  const fields =
    item.dataset.move === "move"
      ? { p, before: next ? new FormData(next.querySelector("form")).get("p") : "" }
      : { p, number, was, to: next ? others.indexOf(next) + 1 : others.length + 1 };
  step(() => load(`${BASE}/${item.dataset.move}`, new URLSearchParams({ token, at, ...fields })));
}

document.addEventListener("dragstart", (event) => {
  if (event.target.classList?.contains("handle")) {
    dragged = event.target.parentElement;
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", "");
    event.dataTransfer.setDragImage(dragged, 8, 8);
  }
});

function accept(event) {
  const item = itemUnder(event);
  showDrop(item, item && isBelowMiddle(item, event));
  if (item) {
    event.preventDefault();
    event.dataTransfer.dropEffect = "move";
  }
}

document.addEventListener("dragenter", accept);
document.addEventListener("dragover", accept);

// Files: all of the field's frame takes them, and what was dropped is sent.
const frame = (event) => (event.dataTransfer?.types.includes("Files") ? event.target.closest?.(".drop") : null);

document.addEventListener("dragover", (event) => {
  const over = frame(event);
  for (const each of document.querySelectorAll(".drop")) {
    each.classList.toggle("over", each === over);
  }
  if (over) {
    event.preventDefault();
  }
});

document.addEventListener("drop", (event) => {
  const over = frame(event);
  if (over) {
    event.preventDefault();
    over.classList.remove("over");
    const field = over.querySelector("input");
    field.files = event.dataTransfer.files;
    field.form.requestSubmit();
    return;
  }
  const item = itemUnder(event);
  if (!item) {
    return;
  }
  event.preventDefault();
  const all = siblings(dragged);
  const next = all[all.indexOf(item) + (isBelowMiddle(item, event) ? 1 : 0)] ?? null;
  if (next !== dragged && all[all.indexOf(dragged) + 1] !== (next ?? undefined)) {
    putBefore(dragged, next);
  }
});

document.addEventListener("dragend", () => {
  dragged = null;
  showDrop(null);
});

document.addEventListener("shown", addHandles);
addHandles();

// The panel of answers: shows what the extension renders, and tells it what the author clicks and asks.
"use strict";

const editor = acquireVsCodeApi();
const field = document.getElementById("question");
const [send, cancel] = [document.getElementById("send"), document.getElementById("cancel")];

window.addEventListener("message", ({ data }) => {
  if (data.question !== undefined) {
    field.value = data.question;
  }
  if (data.focus) {
    field.focus();
  }
  if (data.busy !== undefined) {
    send.disabled = data.busy;
    cancel.hidden = !data.busy;
  }
  if (data.status !== undefined) {
    document.getElementById("status").textContent = data.status;
  }
  const place = document.getElementById(data.at);
  if (place) {
    place.innerHTML = data.html; // escaped by the extension; the page's policy lets nothing in it act
    (data.at === "conversation" ? place.lastElementChild : place)?.scrollIntoView({ block: "nearest" });
  }
});

document.addEventListener("click", ({ target }) => {
  const button = target.closest("button[data-act]");
  if (button?.getAttribute("aria-expanded") === "true") {
    button.setAttribute("aria-expanded", "false");
    document.getElementById(button.dataset.at).replaceChildren();
  } else if (button) {
    if (button.hasAttribute("aria-expanded")) {
      button.setAttribute("aria-expanded", "true");
    }
    editor.postMessage({ ...button.dataset });
  }
});

function ask() {
  if (!send.disabled && field.value.trim() !== "") {
    editor.postMessage({ act: "ask", question: field.value });
  }
}

document.getElementById("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  ask();
});

field.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    ask();
  }
});

editor.postMessage({ act: "ready" });

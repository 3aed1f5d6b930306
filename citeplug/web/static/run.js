// The stages of a run as they come, and the page of its result at its end. Without this file the progress page loads itself again.
"use strict";

let stages = null;

function listen() {
  if (document.getElementById("run").dataset.state !== "on") {
    stages?.close();
    stages = null;
    return;
  }
  stages ??= new EventSource(`${BASE}/run/events`);
  stages.onmessage = (event) => {
    const { state, words, done, total, left, asks, page } = JSON.parse(event.data);
    const isAsking = document.getElementById("run").dataset.asks === "yes";
    if (state === "on" && asks !== isAsking) {
      stages.close();
      stages = null;
      step(() => load(location.pathname + location.search));
      return;
    }
    if (state !== "on") {
      stages.close();
      stages = null;
      step(() => load(location.pathname === `${BASE}/run` ? page : location.pathname + location.search));
      return;
    }
    const stage = document.getElementById("stage");
    if (stage.textContent !== words) {
      stage.textContent = words;
    }
    const remaining = document.getElementById("left");
    if (remaining) {
      remaining.textContent = left;
    }
    const bar = document.querySelector("#run progress");
    if (bar && total) {
      bar.max = total;
      bar.value = done;
    } else {
      bar?.removeAttribute("value");
    }
  };
}

document.addEventListener("shown", listen);
listen();

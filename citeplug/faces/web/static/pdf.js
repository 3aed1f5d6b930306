// A page of a PDF with the quotation marked. Without this file the page has a link to the PDF.
import { getDocument, GlobalWorkerOptions, TextLayer } from "./pdfjs/pdf.min.mjs";

GlobalWorkerOptions.workerSrc = new URL("./pdfjs/pdf.worker.min.mjs", import.meta.url).href;

const SHORTEST = 12; // letters of a quotation that is looked for
const WIDEST = 1100; // CSS pixels
const MOST_PIXELS = 16e6; // of a picture, however large the page says it is
const place = document.getElementById("pdf");
const sheet = document.getElementById("pdf-page");
const said = document.getElementById("pdf-said");
const buttons = Object.fromEntries(["before", "after", "quoted"].map((name) => [name, document.getElementById(`pdf-${name}`)]));
let work = Promise.resolve(); // one page after the other, however fast the clicks come
let shown = 0;
let marked = null; // the page with the quotation, and its stretch there

// Letters, digits and signs of mathematics alone, each with its place: lines break, and letters join, as they like.
function folded(texts) {
  const letters = [];
  const places = [];
  texts.forEach((text, item) => {
    let at = 0;
    for (const letter of text) {
      for (const part of letter.normalize("NFKD").toLowerCase()) {
        if (/[\p{L}\p{N}\p{Sm}]/u.test(part)) {
          letters.push(part);
          places.push([item, at, at + letter.length]);
        }
      }
      at += letter.length;
    }
  });
  return { letters, places };
}

const textsOf = async (page) => (await page.getTextContent()).items.filter((each) => each.str !== undefined).map((each) => each.str);

// The quotation's stretch on a page: for each item of text its first and last place; null if it is not there.
function stretchIn(texts, quote) {
  const { letters, places } = folded(texts);
  const start = starts(letters, quote);
  if (start < 0) {
    return null;
  }
  const stretch = new Map();
  for (const [item, from, to] of places.slice(start, start + quote.length)) {
    stretch.set(item, [stretch.get(item)?.[0] ?? from, to]);
  }
  return stretch;
}

function starts(letters, quote) {
  const last = letters.length - quote.length;
  for (let at = 0; at <= last; at += 1) {
    if (quote.every((letter, number) => letters[at + number] === letter)) {
      return at;
    }
  }
  return -1;
}

// The page that is cited first, then the others.
async function find(pdf, cited) {
  const quote = folded([place.dataset.quote]).letters;
  if (quote.length < SHORTEST) {
    return null;
  }
  const numbers = Array.from({ length: pdf.numPages }, (_, number) => number + 1);
  for (const number of cited ? [cited, ...numbers.filter((each) => each !== cited)] : numbers) {
    const stretch = stretchIn(await textsOf(await pdf.getPage(number)), quote);
    if (stretch) {
      return { number, stretch };
    }
  }
  return null;
}

async function show(pdf, number) {
  const page = await pdf.getPage(number);
  const whole = page.getViewport({ scale: 1 });
  const scale = Math.min(place.clientWidth - 2, WIDEST) / whole.width;
  const viewport = page.getViewport({ scale });
  const pixels = Math.min(window.devicePixelRatio, Math.sqrt(MOST_PIXELS / (viewport.width * viewport.height)));
  const canvas = document.createElement("canvas");
  canvas.width = Math.floor(viewport.width * pixels);
  canvas.height = Math.floor(viewport.height * pixels);
  canvas.setAttribute("aria-hidden", "true");
  await page.render({ canvas, viewport, transform: [pixels, 0, 0, pixels, 0, 0] }).promise;
  const container = document.createElement("div");
  container.className = "textLayer";
  sheet.style.width = `${viewport.width}px`;
  sheet.style.height = `${viewport.height}px`;
  sheet.style.setProperty("--total-scale-factor", scale);
  sheet.replaceChildren(canvas, container);
  const layer = new TextLayer({ textContentSource: await page.getTextContent(), container, viewport });
  await layer.render();
  place.append(...document.querySelectorAll("body > .hiddenCanvasElement")); // with which PDF.js measures fonts
  if (marked?.number === number) {
    mark(layer.textDivs);
  }
  shown = number;
  sheet.dataset.page = number;
  buttons.before.disabled = number === 1;
  buttons.after.disabled = number === pdf.numPages;
  buttons.quoted.hidden = !marked || marked.number === number;
  const found = marked ? `the quotation is marked on page ${marked.number}` : "the quotation was not found in it";
  said.textContent = `Page ${number} of ${pdf.numPages}; ${found}.`;
}

function mark(divs) {
  for (const [item, [from, to]] of marked.stretch) {
    const text = divs[item]?.textContent ?? "";
    const stretch = document.createElement("mark");
    stretch.textContent = text.slice(from, to);
    divs[item]?.replaceChildren(text.slice(0, from), stretch, text.slice(to));
  }
  sheet.querySelector("mark")?.scrollIntoView({ block: "center", behavior: "instant" });
}

async function open() {
  place.hidden = false;
  const url = place.dataset.file;
  // What a PDF brings with it is drawn, and not run.
  const options = { isEvalSupported: false, enableXfa: false, useWasm: false, disableRange: true, stopAtErrors: false };
  const pdf = await getDocument({ url, ...options }).promise;
  const cited = Number(place.dataset.page);
  const first = cited >= 1 && cited <= pdf.numPages ? cited : null;
  marked = await find(pdf, first);
  const turn = (number) => () => {
    work = work.then(() => show(pdf, number())).catch(failed);
  };
  buttons.before.addEventListener("click", turn(() => Math.max(1, shown - 1)));
  buttons.after.addEventListener("click", turn(() => Math.min(pdf.numPages, shown + 1)));
  buttons.quoted.addEventListener("click", turn(() => marked.number));
  await show(pdf, marked?.number ?? first ?? 1);
}

function failed(error) {
  said.textContent = `The PDF cannot be shown here (${error.message}). Open it alone.`;
}

open().catch(failed);

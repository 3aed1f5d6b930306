// A page of a PDF with the quotation marked. Without this file the page has a link to the PDF.
import { getDocument, GlobalWorkerOptions, TextLayer } from "./pdfjs/pdf.min.mjs";

GlobalWorkerOptions.workerSrc = new URL("./pdfjs/pdf.worker.min.mjs", import.meta.url).href;

const SHORTEST = 12; // letters of a quotation that is looked for, and of its part on each of two pages
const MOST_BETWEEN = 1000; // letters of footnotes, running heads and captions between the parts, on each page
const WIDEST = 1100; // CSS pixels
const MOST_PIXELS = 16e6; // of a picture, however large the page says it is
const place = document.getElementById("pdf");
const sheet = document.getElementById("pdf-page");
const said = document.getElementById("pdf-said");
const buttons = Object.fromEntries(["before", "after", "quoted"].map((name) => [name, document.getElementById(`pdf-${name}`)]));
let work = Promise.resolve(); // one page after the other, however fast the clicks come
let shown = 0;
let marked = new Map(); // the pages with the quotation, and its stretch on each

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

// For each item of text its first and last place in the letters from `start` to `end`.
function stretchOf(places, start, end) {
  const stretch = new Map();
  for (const [item, from, to] of places.slice(start, end)) {
    stretch.set(item, [stretch.get(item)?.[0] ?? from, to]);
  }
  return stretch;
}

// How many letters of the quotation are on a page from `at` on; backwards, how many of its last ones are before `at`.
function length(letters, at, quote, step = 1) {
  const first = step > 0 ? 0 : quote.length - 1;
  let count = 0;
  while (count < quote.length && letters[at + step * count] === quote[first + step * count]) {
    count += 1;
  }
  return count;
}

function onOnePage({ letters, places }, quote) {
  const start = letters.findIndex((_, at) => length(letters, at, quote) === quote.length);
  return start < 0 ? null : stretchOf(places, start, start + quote.length);
}

// The quotation's stretch on a page and that on the next one, if it begins on the one and ends on the other.
function onTwoPages(page, next, quote) {
  const begins = page.letters.map((_, at) => length(page.letters, at, quote));
  const ends = next.letters.slice(0, MOST_BETWEEN + quote.length).map((_, at) => length(next.letters, at, quote, -1));
  for (let start = page.letters.length - 1; start >= 0; start -= 1) {
    const count = begins[start];
    const rest = quote.length - count;
    const isNear = page.letters.length - start - count <= MOST_BETWEEN;
    const end = ends.findIndex((found, at) => found >= rest && at - rest < MOST_BETWEEN);
    if (count >= SHORTEST && rest >= SHORTEST && isNear && end >= 0) {
      return [stretchOf(page.places, start, start + count), stretchOf(next.places, end + 1 - rest, end + 1)];
    }
  }
  return null;
}

// The page that is cited first, then the others; then each with the next one. Of a book no more than two are in memory.
async function find(pdf, cited) {
  const quote = folded([place.dataset.quote]).letters;
  if (quote.length < SHORTEST) {
    return new Map();
  }
  const read = async (number) => folded(await textsOf(await pdf.getPage(number)));
  const numbers = Array.from({ length: pdf.numPages }, (_, number) => number + 1);
  for (const number of cited ? [cited, ...numbers.filter((each) => each !== cited)] : numbers) {
    const stretch = onOnePage(await read(number), quote);
    if (stretch) {
      return new Map([[number, stretch]]);
    }
  }
  let before = null;
  for (const number of numbers) {
    const page = await read(number);
    const stretches = before && onTwoPages(before, page, quote);
    if (stretches) {
      return new Map(stretches.map((stretch, at) => [number - 1 + at, stretch]));
    }
    before = page;
  }
  return new Map();
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
  if (marked.has(number)) {
    mark(layer.textDivs, marked.get(number));
  }
  shown = number;
  sheet.dataset.page = number;
  buttons.before.disabled = number === 1;
  buttons.after.disabled = number === pdf.numPages;
  buttons.quoted.hidden = !marked.size || marked.has(number);
  const pages = [...marked.keys()].join(" and ");
  const found = pages ? `the quotation is marked on page${marked.size > 1 ? "s" : ""} ${pages}` : "the quotation was not found in it";
  said.textContent = `Page ${number} of ${pdf.numPages}; ${found}.`;
}

function mark(divs, stretch) {
  for (const [item, [from, to]] of stretch) {
    const text = divs[item]?.textContent ?? "";
    const words = document.createElement("mark");
    words.textContent = text.slice(from, to);
    divs[item]?.replaceChildren(text.slice(0, from), words, text.slice(to));
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
  buttons.quoted.addEventListener("click", turn(() => [...marked.keys()][0]));
  await show(pdf, [...marked.keys()][0] ?? first ?? 1);
}

function failed(error) {
  said.textContent = `The PDF cannot be shown here (${error.message}). Open it alone.`;
}

open().catch(failed);

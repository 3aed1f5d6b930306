/** A screenshot as a PNG of 256 colours, a third of its size: a page has few, and shades of them at the edges of letters. */

import { crc32, deflateSync } from "node:zlib";

const SHADES = 5; // bits of each channel by which colours are counted

/** The picture anew; `page` is any page, whose browser reads it. */
export async function withPalette(page, png) {
  const { width, height, palette, pixels } = await page.evaluate(reduce, [png.toString("base64"), SHADES]);
  const rows = Buffer.alloc((width + 1) * height); // each begins with its filter: none
  const from = Buffer.from(pixels, "base64");
  for (let y = 0; y < height; y += 1) {
    from.copy(rows, y * (width + 1) + 1, y * width, (y + 1) * width);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8); // eight bits, of a palette
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  const parts = [["IHDR", header], ["PLTE", Buffer.from(palette)], ["IDAT", deflateSync(rows, { level: 9 })], ["IEND", Buffer.alloc(0)]];
  return Buffer.concat([signature, ...parts.map(([name, data]) => chunk(name, data))]);
}

function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

/** In the browser: the 256 colours of most pixels, and for each pixel the nearest of them. */
async function reduce([png, bits]) {
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
  const { width, height } = image;
  const context = new OffscreenCanvas(width, height).getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  const shade = (at) => [0, 1, 2].reduce((sum, channel) => (sum << bits) | (data[at + channel] >> (8 - bits)), 0);
  const counts = new Map();
  for (let at = 0; at < data.length; at += 4) {
    const known = counts.get(shade(at)) ?? { pixels: 0, exact: new Map() };
    const colour = data.slice(at, at + 3).join();
    known.pixels += 1;
    known.exact.set(colour, (known.exact.get(colour) ?? 0) + 1);
    counts.set(shade(at), known);
  }
  const most = [...counts.values()].sort((one, other) => other.pixels - one.pixels).slice(0, 256);
  const palette = most.map(({ exact }) => [...exact].sort((one, other) => other[1] - one[1])[0][0].split(",").map(Number));
  const nearest = new Map();
  let pixels = "";
  for (let at = 0; at < data.length; at += 4) {
    const name = shade(at);
    if (!nearest.has(name)) {
      const away = palette.map((colour) => colour.reduce((sum, value, channel) => sum + (value - data[at + channel]) ** 2, 0));
      nearest.set(name, away.indexOf(Math.min(...away)));
    }
    pixels += String.fromCharCode(nearest.get(name));
  }
  return { width, height, palette: palette.flat(), pixels: btoa(pixels) };
}

/** Builds the extension for Chromium and for Firefox into dist/, and a zip of each; with --tests its unit tests. */

import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { crc32, deflateRawSync } from "node:zlib";
import { build } from "esbuild";

const HERE = dirname(fileURLToPath(import.meta.url));
const DIST = join(HERE, "dist");
const BROWSERS = {
  chromium: {
    minimum_chrome_version: "116",
    permissions: ["storage", "scripting", "sidePanel"],
    background: { service_worker: "background.js" },
    side_panel: { default_path: "panel.html" },
  },
  firefox: {
    background: { scripts: ["background.js"] },
    sidebar_action: { default_panel: "panel.html", default_title: "citeplug", default_icon: "icons/48.png", open_at_install: false },
    browser_specific_settings: {
      gecko: { id: "overleaf@citeplug", strict_min_version: "128.0", data_collection_permissions: { required: ["none"] } },
    },
  },
};

if (process.argv.includes("--tests")) {
  const entryPoints = readdirSync(join(HERE, "test")).map((name) => join(HERE, "test", name));
  rmSync(join(HERE, "dist-test"), { recursive: true, force: true });
  await build({ entryPoints, bundle: true, outdir: join(HERE, "dist-test"), outExtension: { ".js": ".cjs" }, platform: "node", format: "cjs", sourcemap: "inline", logLevel: "warning" });
} else {
  rmSync(DIST, { recursive: true, force: true });
  for (const [browser, own] of Object.entries(BROWSERS)) {
    const folder = join(DIST, browser);
    await build({
      entryPoints: ["background", "content", "hook", "panel"].map((name) => join(HERE, "src", `${name}.ts`)),
      bundle: true,
      outdir: folder,
      platform: "browser",
      target: ["chrome116", "firefox128"],
      format: "iife",
      charset: "utf8",
      logLevel: "warning",
    });
    cpSync(join(HERE, "static"), folder, { recursive: true });
    cpSync(join(HERE, "..", "LICENSE"), join(folder, "LICENSE"));
    const manifest = { ...JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")), ...own };
    writeFileSync(join(folder, "manifest.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
    writeFileSync(join(DIST, `citeplug-overleaf-${browser}.zip`), zip(folder));
  }
}

/** A zip whose bytes depend on the files alone: in order of their names, of one date. */
function zip(folder) {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .sort();
  const [locals, directory] = [[], []];
  let offset = 0;
  for (const name of names) {
    const data = readFileSync(join(folder, name));
    const packed = deflateRawSync(data, { level: 9 });
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x0800, 2); // names in UTF-8
    common.writeUInt16LE(8, 4);
    common.writeUInt16LE(0x21, 8); // 1980-01-01
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, Buffer.from(name), packed]);
    const entry = Buffer.alloc(14);
    entry.writeUInt32LE(offset, 10);
    directory.push(Buffer.from("PK\x01\x02\x14\x00", "latin1"), common, entry, Buffer.from(name));
    locals.push(local);
    offset += local.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(names.length, 8);
  end.writeUInt16LE(names.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, entries, end]);
}

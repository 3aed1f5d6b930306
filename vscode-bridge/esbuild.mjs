/** Bundles the extension, or with --tests its unit tests, and writes what else the package holds: licences, its README. */

import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const ALLOWED = new Set(["MIT", "ISC", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "0BSD"]);
const tests = process.argv.includes("--tests");
const folder = tests ? "dist-test" : "dist";
const entryPoints = tests
  ? readdirSync("test").filter((name) => name.endsWith(".test.ts")).map((name) => join("test", name))
  : ["src/extension.ts"];

rmSync(folder, { recursive: true, force: true });
const result = await build({
  entryPoints,
  bundle: true,
  outdir: folder,
  outExtension: tests ? { ".js": ".cjs" } : {},
  platform: "node",
  target: "node20",
  format: "cjs",
  external: ["vscode"],
  minify: !tests,
  sourcemap: tests ? "inline" : false,
  metafile: true,
  logLevel: "warning",
});

if (!tests) {
  const packages = new Set(
    Object.keys(result.metafile.inputs).flatMap((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []),
  );
  const notices = [...packages].sort().map((place) => {
    const { name, version, license } = JSON.parse(readFileSync(join(place, "package.json"), "utf8"));
    if (!ALLOWED.has(license)) {
      throw new Error(`${name} ${version} is licensed ${license}, which the extension cannot carry`);
    }
    const file = readdirSync(place).find((each) => /^licen[sc]e/i.test(each));
    if (file === undefined) {
      throw new Error(`${name} ${version} has no licence file`);
    }
    return `${name} ${version} (${license})\n\n${readFileSync(join(place, file), "utf8").trim()}\n`;
  });
  writeFileSync(join(folder, "THIRD-PARTY-NOTICES.txt"), notices.join(`\n${"-".repeat(72)}\n\n`));
  // The pictures are larger than the extension, and the editor shows none that lie beside a README.
  writeFileSync(join(folder, "README.md"), readFileSync("README.md", "utf8").replaceAll(/^!\[.*\]\(images\/.*\)\n\n/gm, ""));
}

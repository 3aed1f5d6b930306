import assert from "node:assert/strict";
import { it } from "node:test";

import { canBeInstalled, installers } from "../src/installing.js";
import { layout } from "./layout.js";

it("uv comes before pipx, each with the words that it is told", async () => {
  const system = layout(
    { platform: "linux", home: "/home/ada", env: { PATH: "/usr/bin" } },
    { "/usr/bin/pipx": "", "/home/ada/.local/bin/uv": "" },
  );
  assert.deepEqual(await installers("citeplug", system), [
    { name: "uv", command: "/home/ada/.local/bin/uv", args: ["tool", "install", "--python", ">=3.11", "citeplug"] },
    { name: "pipx", command: "/usr/bin/pipx", args: ["install", "citeplug"] },
  ]);
  assert.deepEqual(system.ran, []);
});

it("a machine without either has none", async () => {
  const system = layout({ platform: "win32", home: "C:\\Users\\ada", env: { Path: "C:\\Tools" } }, {});
  assert.deepEqual(await installers("citeplug", system), []);
});

it("an option is nothing to install", () => {
  assert.ok(canBeInstalled("citeplug"));
  assert.ok(canBeInstalled("/home/ada/citeplug"));
  assert.ok(!canBeInstalled("--index-url=https://example.org"));
  assert.ok(!canBeInstalled(""));
});

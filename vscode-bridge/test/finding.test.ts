import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { Choice } from "../src/choice.js";
import { findServer, isCompatible, programs } from "../src/finding.js";
import { type Layout, layout } from "./layout.js";

const NOTHING: Choice = {
  path: "",
  interpreter: "",
  importStrategy: "fromEnvironment",
  pythonExtension: undefined,
  folder: undefined,
};

const LINUX: Layout = {
  platform: "linux",
  home: "/home/ada",
  env: { PATH: "/usr/local/bin:/usr/bin" },
};
const MAC: Layout = { platform: "darwin", home: "/Users/ada", env: { PATH: "/usr/bin:/bin" } };
const WINDOWS: Layout = {
  platform: "win32",
  home: "C:\\Users\\ada",
  env: { Path: "C:\\Windows\\System32;C:\\Tools" },
};

describe("citeplug.path", () => {
  it("wins over everything else", async () => {
    const system = layout(LINUX, { "/opt/citeplug": "citeplug, version 0.1.0", "/usr/bin/citeplug": "citeplug, version 0.2.0" });
    const found = await findServer({ ...NOTHING, path: "/opt/citeplug", interpreter: "/usr/bin/python3" }, system);
    assert.deepEqual(found, { kind: "found", command: "/opt/citeplug", args: [], version: "0.1.0", from: "path" });
  });

  it("that leads nowhere is told, and nothing else is started in its place", async () => {
    const system = layout(LINUX, { "/usr/bin/citeplug": "citeplug, version 0.1.0" });
    const found = await findServer({ ...NOTHING, path: "/opt/citeplug" }, system);
    assert.equal(found.kind, "wrong");
    assert.deepEqual(system.ran, []);
  });

  it("may name the home, the workspace folder and the environment", async () => {
    const system = layout(WINDOWS, { "C:\\Users\\ada\\env\\Scripts\\citeplug.exe": "citeplug, version 0.1.0" });
    const found = await findServer({ ...NOTHING, path: "~\\env\\Scripts\\citeplug.exe" }, system);
    assert.equal(found.kind, "found");
    const mac = layout({ ...MAC, env: { VENV: "env" } }, { "/work/env/bin/citeplug": "citeplug, version 0.1.0" });
    const path = "${workspaceFolder}/${env:VENV}/bin/citeplug";
    assert.equal((await findServer({ ...NOTHING, path, folder: "/work" }, mac)).kind, "found");
  });

  it("that is relative is not looked for in the workspace", async () => {
    const system = layout(LINUX, { citeplug: "citeplug, version 0.1.0" });
    assert.equal((await findServer({ ...NOTHING, path: "citeplug" }, system)).kind, "wrong");
    assert.deepEqual(system.ran, []);
  });

  it("to a program that is too old is told", async () => {
    const system = layout(LINUX, { "/opt/citeplug": "citeplug, version 0.0.9" });
    const found = await findServer({ ...NOTHING, path: "/opt/citeplug" }, system);
    assert.ok(found.kind === "wrong" && found.why.includes("0.0.9"));
  });
});

describe("a chosen Python", () => {
  for (const [place, python] of [
    [LINUX, "/home/ada/paper/.venv/bin/python"],
    [MAC, "/Users/ada/paper/.venv/bin/python"],
    [WINDOWS, "C:\\Users\\ada\\paper\\.venv\\Scripts\\python.exe"],
  ] as const) {
    it(`that has citeplug runs it, on ${place.platform}`, async () => {
      const system = layout(place, { [python]: "0.1.0\n" });
      const found = await findServer({ ...NOTHING, pythonExtension: python }, system);
      assert.deepEqual(found, {
        kind: "found",
        command: python,
        args: ["-P", "-m", "citeplug"],
        version: "0.1.0",
        from: "interpreter",
      });
    });
  }

  it("never imports what lies in the current folder", async () => {
    const system = layout(LINUX, { "/usr/bin/python3": "0.1.0" });
    await findServer({ ...NOTHING, interpreter: "/usr/bin/python3" }, system);
    assert.deepEqual(system.ran.map((line) => line.slice(0, 2)), [["/usr/bin/python3", "-P"]]);
  });

  it("without citeplug leaves the turn to PATH, if the Python extension chose it", async () => {
    const system = layout(LINUX, { "/usr/bin/python3": undefined, "/usr/bin/citeplug": "citeplug, version 0.1.0" });
    const found = await findServer({ ...NOTHING, pythonExtension: "/usr/bin/python3" }, system);
    assert.ok(found.kind === "found" && found.from === "PATH");
  });

  it("without citeplug is told, if the setting chose it", async () => {
    const system = layout(LINUX, { "/usr/bin/python3": undefined, "/usr/bin/citeplug": "citeplug, version 0.1.0" });
    const found = await findServer({ ...NOTHING, interpreter: "/usr/bin/python3" }, system);
    assert.deepEqual(found, {
      kind: "wrong",
      setting: "citeplug.interpreter",
      why: "citeplug is not installed in /usr/bin/python3",
    });
  });

  it("is not asked when the program on PATH is wanted", async () => {
    const system = layout(LINUX, { "/usr/bin/python3": "0.1.0", "/usr/bin/citeplug": "citeplug, version 0.1.0" });
    const choice: Choice = { ...NOTHING, pythonExtension: "/usr/bin/python3", importStrategy: "fromPath" };
    const found = await findServer(choice, system);
    assert.ok(found.kind === "found" && found.command === "/usr/bin/citeplug");
    assert.deepEqual(system.ran, [["/usr/bin/citeplug", "--version"]]);
  });
});

describe("PATH", () => {
  it("is searched in its order, past a program that is too old", async () => {
    const system = layout(LINUX, {
      "/usr/local/bin/citeplug": "citeplug, version 0.0.1",
      "/usr/bin/citeplug": "citeplug, version 1.0.0",
    });
    const found = await findServer(NOTHING, system);
    assert.ok(found.kind === "found" && found.command === "/usr/bin/citeplug");
  });

  it("is searched for an .exe on Windows, whatever case its name has", async () => {
    const system = layout(WINDOWS, { "C:\\Tools\\citeplug.exe": "citeplug, version 0.1.0" });
    const found = await findServer(NOTHING, system);
    assert.ok(found.kind === "found" && found.command === "C:\\Tools\\citeplug.exe");
  });

  it("gives no folder of the workspace", () => {
    const places = programs("citeplug", layout({ ...LINUX, env: { PATH: ".:bin::/usr/bin" } }, {}));
    assert.deepEqual(places, ["/usr/bin/citeplug", "/home/ada/.local/bin/citeplug"]);
  });

  it("is not needed for what uv and pipx installed", async () => {
    for (const [place, program] of [
      [LINUX, "/home/ada/.local/bin/citeplug"],
      [MAC, "/Users/ada/.local/bin/citeplug"],
      [MAC, "/opt/homebrew/bin/citeplug"],
      [WINDOWS, "C:\\Users\\ada\\.local\\bin\\citeplug.exe"],
      [{ ...LINUX, env: { UV_TOOL_BIN_DIR: "/srv/tools" } }, "/srv/tools/citeplug"],
      [{ ...LINUX, env: { PIPX_BIN_DIR: "/srv/pipx" } }, "/srv/pipx/citeplug"],
    ] as const) {
      const found = await findServer(NOTHING, layout(place, { [program]: "citeplug, version 0.1.0" }));
      assert.ok(found.kind === "found" && found.command === program, program);
    }
  });
});

it("a machine without citeplug is told so, and nothing was run", async () => {
  for (const place of [LINUX, MAC, WINDOWS]) {
    const system = layout(place, {});
    assert.deepEqual(await findServer(NOTHING, system), { kind: "missing", why: [] });
    assert.deepEqual(system.ran, []);
  }
});

it("a program of that name that is another's is passed over", async () => {
  const system = layout(LINUX, { "/usr/bin/citeplug": "usage: citeplug FILE" });
  const found = await findServer(NOTHING, system);
  assert.deepEqual(found, { kind: "missing", why: ["/usr/bin/citeplug does not report a version"] });
});

it("versions are compared by number", () => {
  for (const version of ["0.1.0", "0.1.1", "0.10.0", "1.0", "0.1.0.dev3"]) {
    assert.ok(isCompatible(version), version);
  }
  for (const version of ["0.0.9", "0.0", "0"]) {
    assert.ok(!isCompatible(version), version);
  }
});

"""The extension built from its source, and what a real VS Code needs to run it."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import citeplug.demo

ROOT = Path(__file__).parents[2]
BRIDGE = ROOT / "vscode-bridge"
DEMO = Path(citeplug.demo.__file__).parent

needs_node = pytest.mark.skipif(
    shutil.which("npm") is None or not (BRIDGE / "node_modules" / ".installed").is_file(),
    reason="npm is not installed, or 'make vscode-tests' was not run",
)
needs_editor = pytest.mark.skipif(
    shutil.which("chromium") is None or not (BRIDGE / "e2e" / "node_modules" / ".installed").is_file(),
    reason="chromium is not installed, or 'make vscode-tests' was not run",
)


@dataclass(frozen=True)
class Example:
    """The example project with its section, a program that reaches no other machine, and the program's home."""

    folder: Path
    program: Path
    home: Path


def npm(*words: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["npm", "run", "--silent", *words],
        cwd=BRIDGE,
        env={**os.environ, **(env or {})},
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
        timeout=600,
    )


@pytest.fixture(scope="session")
def vsix() -> Path:
    """The packaged extension: what is tested is what is shipped."""
    done = npm("package")
    assert done.returncode == 0, done.stdout + done.stderr
    return BRIDGE / "citeplug.vsix"


@pytest.fixture(scope="session")
def example(tmp_path_factory: pytest.TempPathFactory) -> Example:
    root = tmp_path_factory.mktemp("vscode")
    home, folder = root / "home", root / "paper"
    home.mkdir()
    shutil.copytree(DEMO / "example", folder)
    lines = (DEMO / "library.jsonl").read_text("utf-8").splitlines(keepends=True)
    cited = [line for line in lines if line.startswith(('{"id": "1706.02216"', '{"id": "1710.10903"'))]
    (root / "some.jsonl").write_text("".join(dict.fromkeys([*cited, *lines[:20]])), "utf-8")
    program = root / "citeplug"
    program.write_text(f'#!/bin/sh\ncd "{ROOT}" && exec "{sys.executable}" -m tests.only_loopback "$@"\n', "utf-8")
    program.chmod(0o755)
    for words in (
        ["index", "add", str(root / "some.jsonl"), "-q"],
        ["related", str(folder / "main.tex"), "--offline", "--insert", "--breadth", "4", "-q"],
    ):
        subprocess.run([program, *words], env={**os.environ, "CITEPLUG_HOME": str(home)}, check=True)
    return Example(folder, program, home)

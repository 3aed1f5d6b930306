"""The extension built from its source, one beside it, an example for a real VS Code to open, and a second try."""

import itertools
import json
import os
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

import citeplug.demo
from citeplug.records.dialogue import Request
from citeplug.sources.snapshot import SnapshotReader
from tests.harness.arxiv_server import ArxivServer
from tests.harness.model_server import Answer, ModelServer
from tests.harness.openai_server import OpenAIServer
from tests.harness.scripted_models import honest, read_prompt

ROOT = Path(__file__).parents[2]
BRIDGE = ROOT / "vscode-bridge"
DEMO = Path(citeplug.demo.__file__).parent

_CITED = ("1706.02216", "1710.10903", "1907.10903")


@dataclass(frozen=True)
class Example:
    """The example project with its section, a program that reaches no other machine, and the program's home."""

    folder: Path
    program: Path
    home: Path

    def environment(self, vsix: Path) -> dict[str, str]:
        """What the scripts in `vscode-bridge/e2e` are told."""
        return {
            **os.environ,
            "CITEPLUG_VSIX": str(vsix),
            "CITEPLUG_HOME": str(self.home),
            "CITEPLUG_E2E_PROGRAM": str(self.program),
            "CITEPLUG_E2E_PROJECT": str(self.folder),
            "CITEPLUG_E2E_DRAFT": str(DEMO / "example"),
        }


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


def make_vsix() -> Path:
    """The packaged extension: what is tested is what is shipped."""
    done = npm("package")
    assert done.returncode == 0, done.stdout + done.stderr
    return BRIDGE / "citeplug.vsix"


def make_overleaf_vsix(package: Path) -> Path:
    """An extension whose file system is as Overleaf Workshop's is."""
    with ZipFile(package, "w") as archive:
        for file in sorted((BRIDGE / "e2e" / "overleaf").iterdir()):
            archive.write(file, f"extension/{file.name}")
    return package


def make_example(root: Path) -> Example:
    home, folder = root / "home", root / "paper"
    home.mkdir()
    shutil.copytree(DEMO / "example", folder)
    lines = (DEMO / "library.jsonl").read_text("utf-8").splitlines(keepends=True)
    cited = [line for line in lines if line.startswith(tuple(f'{{"id": "{each}"' for each in _CITED))]
    (root / "some.jsonl").write_text("".join(dict.fromkeys([*cited, *lines[:20]])), "utf-8")
    program = root / "citeplug"
    program.write_text(
        f'#!/bin/sh\ncd "{ROOT}" && exec "{sys.executable}" -m tests.harness.only_loopback "$@"\n', "utf-8"
    )
    program.chmod(0o755)
    for words in (
        ["index", "add", str(root / "some.jsonl"), "-q"],
        ["related", str(folder / "main.tex"), "--offline", "--insert", "--breadth", "4", "-q"],
    ):
        subprocess.run([program, *words], env={**os.environ, "CITEPLUG_HOME": str(home)}, check=True)
    return Example(folder, program, home)


@contextmanager
def first_papers(home: Path) -> Iterator[tuple[ArxivServer, dict[str, str]]]:
    """The replica of arXiv with the library's papers, and a data directory with none of them; what leads there."""
    with ArxivServer(*SnapshotReader(DEMO / "library.jsonl")).serve() as server:
        yield server, {"CITEPLUG_HOME": str(home), "CITEPLUG_ARXIV_URL": server.url, "CITEPLUG_ARXIV_DELAY": "0"}


@contextmanager
def slow_model(service: type[ModelServer] = OpenAIServer, slower: float = 0.01) -> Iterator[dict[str, str]]:
    """A model server on this machine that tells the truth, each answer `slower` seconds later; what leads there."""
    numbers = itertools.count(1)

    def say(request: Request) -> Answer:
        return Answer(json.dumps(honest(read_prompt(request))), pause=slower * next(numbers))

    with service(say).serve() as server:
        # By another name of this machine, of which citeplug cannot know that it is one: it asks before it sends.
        yield {name: value.replace("127.0.0.1", "127.1") for name, value in server.environment().items()}


def play_twice(scenario: str, once: Callable[[], subprocess.CompletedProcess[str]]) -> None:
    """A browser and an editor are many processes: what fails once is tried again, and reported as a warning."""
    first = once()
    if first.returncode == 0:
        return
    second = once()
    assert second.returncode == 0, f"{first.stdout}{first.stderr}\n\nAgain:\n{second.stdout}{second.stderr}"
    warnings.warn(f"{scenario} passed the second time; the first:\n{first.stdout}{first.stderr}", stacklevel=2)

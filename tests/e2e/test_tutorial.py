"""The commands of docs/tutorial.md, run one after the other as a reader would."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

import citeplug.demo
from citeplug.latex.project import read_draft
from citeplug.records.paper import Paper
from tests.e2e.test_arxiv import library
from tests.harness.arxiv_server import ArxivServer, paper

EXAMPLE = Path(citeplug.demo.__file__).parent / "example"
TUTORIAL = Path(__file__).parents[2] / "docs" / "tutorial.md"


def commands() -> Iterator[list[str]]:
    for block in re.findall(r"^```console\n(.*?)^```", TUTORIAL.read_text("utf-8"), re.MULTILINE | re.DOTALL):
        # What is printed stands below each.
        yield from (shlex.split(line[2:]) for line in block.splitlines() if line.startswith("$ "))


def cited_papers() -> Iterator[Paper]:
    """Records of what the example cites and its library does not have."""
    known = {each.id.value for each in library()}
    for entry in read_draft(EXAMPLE / "main.tex").entries:
        if entry.arxiv_id and entry.arxiv_id not in known:
            names = [" ".join(reversed(name.split(", "))) for name in entry.fields["author"].split(" and ")]
            year = date(int(entry.fields["year"]), 1, 1)
            title = re.sub("[{}]", "", entry.fields["title"])
            yield paper(entry.arxiv_id, title, authors=tuple(names), published=year, updated=year)


@pytest.mark.slow
@pytest.mark.own_interpreter
def test_every_command_of_the_tutorial(arxiv_server: ArxivServer, tmp_path: Path) -> None:
    arxiv_server.add(*library(), *cited_papers())
    env = {**os.environ, "CITEPLUG_ARXIV_URL": arxiv_server.url, "CITEPLUG_ARXIV_DELAY": "0"}
    env["CITEPLUG_HOME"] = str(tmp_path / "home")
    folder = tmp_path
    said = {}
    for words in commands():
        if words[0] == "cd":
            folder = folder / words[1]
            continue
        assert words[0] == "citeplug"
        done = subprocess.run(
            [sys.executable, "-m", "citeplug", *words[1:]],
            cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
        # The example's bibliography has nothing wrong, and a diff of nothing is no failure.
        assert done.returncode == 0, f"citeplug {' '.join(words[1:])}\n{done.stdout}\n{done.stderr}"
        said[words[2] if words[1] == "section" else words[1]] = done.stdout + done.stderr
    assert "added" in said["start"]
    assert "\\input{related}" in (folder / "main.tex").read_text("utf-8")
    assert "% citeplug" not in said["strip"]

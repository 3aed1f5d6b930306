"""One server for the tests of a module: each works on a project of its own."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

import citeplug.demo
from tests.editor.editor import Editor, environment, start

DEMO = Path(citeplug.demo.__file__).parent

# A made-up paper that has appeared in a journal.
PUBLISHED = {
    "id": "2001.00001",
    "authors": "Ada Author, Bo Writer",
    "title": "Tides in Small Harbours of the Northern Seas",
    "categories": "physics.ao-ph",
    "abstract": "Tide gauges of small harbours are compared.",
    "journal-ref": "J. Comput. Phys. 401 (2020) 109020",
    "doi": "10.1016/j.jcp.2019.109020",
    "versions": [{"version": "v1", "created": "2020-01-02"}],
    "update_date": "2020-01-02",
}


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A user's data directory with a part of the demo's library taken in: embedding all of it takes its time."""
    home = tmp_path_factory.mktemp("library")
    lines = (DEMO / "library.jsonl").read_text("utf-8").splitlines(keepends=True)
    some = [line for line in lines if "1907.10903" in line] + lines[:12]
    (home / "some.jsonl").write_text("".join([*some, json.dumps(PUBLISHED)]), "utf-8")
    _citeplug(home, "index", "add", str(home / "some.jsonl"), "-q")
    return home


@pytest.fixture(scope="session")
def written(library: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the example project, its section written and put in; to be copied, not changed."""
    folder = tmp_path_factory.mktemp("written") / "project"
    shutil.copytree(DEMO / "example", folder)
    _citeplug(library, "related", str(folder / "main.tex"), "--offline", "--insert", "--breadth", "12", "-q")
    return folder


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def editor(tmp_path_factory: pytest.TempPathFactory, library: Path) -> AsyncIterator[Editor]:
    async with start(tmp_path_factory.mktemp("workspace"), library) as editor:
        yield editor


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def own(tmp_path_factory: pytest.TempPathFactory, library: Path) -> AsyncIterator[Editor]:
    """A server with a data directory of its own, so that what is left in it can be seen."""
    home = tmp_path_factory.mktemp("home") / "own"
    shutil.copytree(library, home, symlinks=True)
    async with start(tmp_path_factory.mktemp("workspace"), home) as editor:
        yield editor


def _citeplug(home: Path, *words: str) -> None:
    subprocess.run([sys.executable, "-m", "citeplug", *words], env=environment(home), check=True, cwd=os.curdir)

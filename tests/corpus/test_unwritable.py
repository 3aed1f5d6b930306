"""A corpus in a folder that cannot be written is searched all the same."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from citeplug.adapters.chroma import ChromaStore
from citeplug.corpus.index import Corpus
from citeplug.records.paper import Filter
from tests.corpus.records import make_paper
from tests.corpus.stores import WordModel

PAPERS = 600
READ = """
import sys
from pathlib import Path
from citeplug.adapters.chroma import ChromaStore
from citeplug.corpus.index import Corpus
from citeplug.errors import StoreBroken
from citeplug.records.paper import Filter
from citeplug.records.paper import Filter
from tests.corpus.records import make_paper
from tests.corpus.stores import WordModel
home = Path(sys.argv[1])
corpus = Corpus(home, WordModel, lambda model: ChromaStore(home, model))
query = corpus.embed(["word3. about word3"])[0]
print(corpus.lexical("word3", 1, Filter())[0][0], "1801.00003" in dict(corpus.nearest(query, 9, Filter())))
print(len(corpus.vectors([f"1801.{number:05d}" for number in range(600)])), corpus.info()["embedded"])
try:
    corpus.add_papers([make_paper("1706.03762")])
except StoreBroken as error:
    print(error)
corpus.close()
"""
# Without its capabilities even root may only do what the permissions say.
POWERLESS = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]


def text(number: int) -> dict[str, str]:
    return {"title": f"word{number}", "abstract": f"about word{number}"}


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A corpus of which all but ten papers have a vector, closed, in folders that cannot be written."""
    place = tmp_path / "home"
    corpus = Corpus(place, WordModel, lambda model: ChromaStore(place, model))
    corpus.add_papers([make_paper(f"1801.{number:05d}", **text(number)) for number in range(PAPERS)])
    corpus.vectors([f"1801.{number:05d}" for number in range(PAPERS - 10)])
    corpus.lexical("word3", 1, Filter())
    corpus.close()
    folders = [place, *(path for path in place.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o555)
    yield place
    for folder in folders:
        folder.chmod(0o755)


def powerless(*command: str) -> "subprocess.CompletedProcess[str]":
    prefix = POWERLESS if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    return subprocess.run(
        [*prefix, *command], capture_output=True, text=True, cwd=Path(__file__).parents[2], timeout=240
    )


@pytest.mark.optional
def test_what_cannot_be_written_is_searched_and_compared_one_by_one(home: Path) -> None:
    if os.name != "posix" or (os.geteuid() == 0 and shutil.which("setpriv") is None):
        pytest.skip("this system cannot keep root from writing")
    if powerless(sys.executable, "-c", "open(__import__('sys').argv[1], 'w')", str(home / "x")).returncode == 0:
        pytest.skip("this system does not keep root from writing")
    done = powerless(sys.executable, "-c", READ, str(home))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "1801.00003 True",
        f"{PAPERS} {PAPERS - 10}",
        f"{home / 'corpus' / 'catalogue.sqlite3'} cannot be written",
    ]
    assert "what is computed now is not kept" in done.stderr
    assert "Traceback" not in done.stderr

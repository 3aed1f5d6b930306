"""A corpus in a folder that cannot be written is searched all the same."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from citeplug.corpus.index import Corpus
from citeplug.corpus.vectors.chroma import ChromaStore
from citeplug.records.paper import Filter
from tests.corpus.records import make_paper
from tests.corpus.stores import WordModel
from tests.harness.powerless import powerless, read_only

pytestmark = pytest.mark.slow

PAPERS = 600
READ = """
import sys
from pathlib import Path
from citeplug.corpus.vectors.chroma import ChromaStore
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
    with read_only(place):
        yield place


@pytest.mark.optional
def test_what_cannot_be_written_is_searched_and_compared_one_by_one(home: Path) -> None:
    done = powerless(sys.executable, "-c", READ, home)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "1801.00003 True",
        f"{PAPERS} {PAPERS - 10}",
        f"{home / 'corpus' / 'catalogue.sqlite3'} cannot be written",
    ]
    assert "new vectors are not kept" in done.stderr
    assert "Traceback" not in done.stderr

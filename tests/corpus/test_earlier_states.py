"""Catalogues that earlier states of citeplug made are opened, completed and searched, and nothing in them is lost.

`earlier/` has them as `sqlite3 catalogue.sqlite3 .dump` prints them: the first catalogue, the first with the author's
library and vectors, and one with citations. Of the demo's records two were left in.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from citeplug.corpus.index import Corpus
from citeplug.errors import StoreBroken
from citeplug.protocols import Vectors
from citeplug.records.paper import Filter
from tests.corpus.stores import MemoryStore

EARLIER = sorted((Path(__file__).parent / "earlier").glob("*.sql"))
IDS = ["1709.09994", "1802.03480"]


class Unasked:
    """The model that the vectors are of; it is not to embed anything."""

    name, dimensions = "all-MiniLM-L6-v2/onnx-int8", 384

    def embed(self, texts: Sequence[str]) -> Vectors:
        raise AssertionError(texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        raise AssertionError(texts)


@pytest.fixture
def restore(tmp_path: Path) -> Callable[[Path], Path]:
    """Make the catalogue of a dump; returns its home."""

    def made(dump: Path) -> Path:
        file = tmp_path / "corpus" / "catalogue.sqlite3"
        file.parent.mkdir()
        with closing(sqlite3.connect(file)) as db:
            db.executescript(dump.read_text("utf-8"))
        return tmp_path

    return made


@contextmanager
def opened(home: Path) -> Iterator[Corpus]:
    with closing(Corpus(home, embedder=Unasked, store=lambda model: MemoryStore())) as corpus:
        yield corpus


@pytest.mark.parametrize("dump", EARLIER, ids=lambda dump: dump.stem)
def test_its_records_are_found_by_id_by_title_and_by_words(dump: Path, restore: Callable[[Path], Path]) -> None:
    home = restore(dump)
    for _ in range(2):
        with opened(home) as corpus:
            assert sorted(corpus.papers(IDS)) == IDS
            assert corpus.by_title("GraphVAE: Towards generation of small graphs", 1)[0].id.value == IDS[1]
            assert corpus.lexical("premise selection for theorem proving", 1, Filter())[0][0] == IDS[0]
            assert corpus.info()["topics_damage"] is None and corpus.graph.verify() == []


def test_its_library_and_vectors_are_kept(restore: Callable[[Path], Path]) -> None:
    with opened(restore(Path(__file__).parent / "earlier" / "library_and_vectors.sql")) as corpus:
        assert corpus.library.entries(["lib:own2020"])["lib:own2020"].key == "own2020"
        assert corpus.vectors(IDS).keys() == set(IDS)
        assert corpus.unembedded(10) == ["lib:own2020"]


def test_its_citations_are_kept(restore: Callable[[Path], Path]) -> None:
    with opened(restore(Path(__file__).parent / "earlier" / "citations.sql")) as corpus:
        assert corpus.graph.references(IDS) == {IDS[1]: (IDS[0],)}


def test_where_it_cannot_be_written_the_error_says_who_can(
    restore: Callable[[Path], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    home = restore(Path(__file__).parent / "earlier" / "records.sql")
    monkeypatch.setattr("citeplug.corpus.database._connect", read_only)
    with pytest.raises(StoreBroken, match="older citeplug, and cannot be written") as refused, opened(home):
        pass
    assert "index info" in refused.value.hint


def test_one_of_a_newer_citeplug_is_refused_and_nothing_in_it_is_touched(restore: Callable[[Path], Path]) -> None:
    home = restore(Path(__file__).parent / "earlier" / "citations.sql")
    with opened(home) as corpus:
        corpus.papers(IDS)
    with closing(sqlite3.connect(home / "corpus" / "catalogue.sqlite3")) as db:
        db.execute("PRAGMA user_version = 99")
    before = {file: file.read_bytes() for file in home.rglob("*") if file.is_file()}
    with pytest.raises(StoreBroken, match="newer citeplug") as refused, opened(home):
        pass
    assert "update citeplug" in refused.value.hint
    assert {file: file.read_bytes() for file in home.rglob("*") if file.is_file()} == before


def read_only(path: Path) -> tuple[sqlite3.Connection, bool]:
    db = sqlite3.connect(f"{path.as_uri()}?immutable=1", isolation_level=None, check_same_thread=False, uri=True)
    return db, True

"""What can be off between the catalogue and what is derived from it is found, told and mended."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from citeplug.corpus.index import Corpus
from citeplug.corpus.lexical.index import NAME, LexicalIndex
from citeplug.corpus.locking import exclusive
from citeplug.corpus.vectors.store import StoreDamaged
from citeplug.errors import StoreBusy
from citeplug.records.paper import Filter
from tests.corpus.records import make_paper, make_record, write_snapshot
from tests.corpus.stores import MemoryStore, WordModel


@pytest.fixture(autouse=True)
def every_vector_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """The store is written for a single new vector, as it is for the 500th of a real corpus."""
    monkeypatch.setattr("citeplug.corpus.vectors.paper_vectors._FEW", 1)


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def corpus(tmp_path: Path, store: MemoryStore) -> Iterator[Corpus]:
    """Forty records, ten of them with vectors that are in the store."""
    made = Corpus(tmp_path / "home", WordModel, lambda model: store)
    made.add([write_snapshot(tmp_path / "a.jsonl", [make_record(number) for number in range(40)])])
    made.vectors([f"1801.{number:05d}" for number in range(10)])
    assert len(store.kept) == 10
    yield made
    made.close()


def off(corpus: Corpus, repair: bool = True) -> dict[tuple[str, str], int]:
    report = corpus.verify(repair)
    assert report.sound == (repair or not report.problems)
    return {(problem.part, problem.kind): problem.count for problem in report.problems}


def change(corpus: Corpus, statement: str, *values: object) -> None:
    with corpus._database.reading() as db:
        db.execute(statement, values)


def mended(corpus: Corpus, *expected: tuple[str, str, int]) -> None:
    """The same is found without repair, then with it, and nothing after it."""
    wanted = {(part, kind): count for part, kind, count in expected}
    assert off(corpus, repair=False) == wanted
    assert off(corpus) == wanted
    assert off(corpus) == {}


def test_a_sound_corpus_is_sound(corpus: Corpus) -> None:
    report = corpus.verify(repair=False)
    assert (report.records, report.vectors, report.problems) == (40, 10, ())


def test_an_empty_one_too(tmp_path: Path) -> None:
    empty = Corpus(tmp_path, WordModel, lambda model: MemoryStore())
    assert off(empty) == {}
    empty.close()


def test_rows_that_the_lexical_index_lacks_or_has_too_many_are_found(corpus: Corpus) -> None:
    change(corpus, "DELETE FROM papers WHERE id = '1801.00020'")
    mended(corpus, ("lexical", "extra", 1))
    generation = corpus._database.generation
    corpus.add_papers([make_paper()])
    # The mark says that it is in, and it is not: as after a disk that lost a write.
    change(corpus, "UPDATE derived SET generation = ? WHERE name = ?", generation + 1, NAME)
    mended(corpus, ("lexical", "missing", 1))
    assert corpus.lexical("transformer", 5, Filter())


def test_a_lexical_index_that_is_behind_is_brought_up_to_date(corpus: Corpus) -> None:
    corpus.add_papers([make_paper()])
    mended(corpus, ("lexical", "behind", 1))


def test_a_damaged_or_missing_lexical_index_is_built_anew(corpus: Corpus, tmp_path: Path) -> None:
    state = corpus.catalogue.derived(NAME)
    assert state is not None
    place = tmp_path / "home" / "corpus" / "lexical" / state.build
    (place / "meta.json").write_bytes(b"{")
    mended(corpus, ("lexical", "damaged", 1))
    change(corpus, "DELETE FROM derived WHERE name = ?", NAME)
    shutil.rmtree(tmp_path / "home" / "corpus" / "lexical")
    fresh = LexicalIndex(corpus.catalogue, tmp_path / "home" / "corpus" / "lexical")
    mended(corpus, ("lexical", "missing", 40))
    assert fresh.rows() == 40


def test_a_store_is_made_to_hold_what_the_catalogue_holds(corpus: Corpus, store: MemoryStore) -> None:
    (key, vector) = store.kept.pop("1801.00001")
    mended(corpus, ("store", "missing", 1))
    store.kept["9999.99999"] = (key, vector)
    mended(corpus, ("store", "extra", 1))
    assert sorted(store.kept) == [f"1801.{number:05d}" for number in range(10)]
    found = corpus.nearest(corpus.vectors(["1801.00001"])["1801.00001"], 1, Filter())
    assert found[0][0] == "1801.00001"


def test_a_vector_that_another_process_computes_meanwhile_is_not_lost(
    corpus: Corpus, store: MemoryStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    del store.kept["1801.00001"]
    other = Corpus(tmp_path / "home", WordModel, lambda model: MemoryStore())
    count = store.count

    def while_counting() -> int:
        other.vectors(["1801.00030"], seconds=60)
        return count()

    monkeypatch.setattr(store, "count", while_counting)
    assert off(corpus) == {("store", "missing"): 1}
    monkeypatch.undo()
    corpus.vectors(["1801.00031"])
    assert "1801.00030" in store.kept
    other.close()


def test_a_damaged_store_is_filled_anew(corpus: Corpus, store: MemoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    count, damaged = store.count, True

    def broken() -> int:
        if damaged:
            raise StoreDamaged("torn")
        return count()

    def clear() -> None:
        nonlocal damaged
        damaged = False
        store.kept.clear()

    monkeypatch.setattr(store, "count", broken)
    monkeypatch.setattr(store, "clear", clear)
    store.kept["1801.00001"] = ("old", store.kept["1801.00001"][1])
    mended(corpus, ("store", "damaged", 1))
    assert store.kept["1801.00001"][0] != "old"


def test_nothing_is_checked_while_an_update_runs(corpus: Corpus, tmp_path: Path) -> None:
    with exclusive(tmp_path / "home" / "corpus" / "job.lock"), pytest.raises(StoreBusy, match="updating"):
        corpus.verify(repair=True)

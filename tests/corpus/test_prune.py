"""What nobody needs is counted first, and goes when asked; records only by a filter."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from citeplug.corpus.index import Corpus
from citeplug.corpus.prune import Pruned, PruneRequest
from citeplug.errors import UsageError
from citeplug.records.paper import ArxivId, Filter
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
    """Forty records (cs.DS and stat.ML by turns), ten of them with vectors."""
    made = Corpus(tmp_path / "home", WordModel, lambda model: store)
    made.add([write_snapshot(tmp_path / "a.jsonl", [make_record(number) for number in range(40)])], complete=True)
    made.vectors([f"1801.{number:05d}" for number in range(10)])
    yield made
    made.close()


def counts(pruned: list[Pruned]) -> dict[str, int]:
    return {each.part: each.count for each in pruned}


def both_ways(corpus: Corpus, request: PruneRequest) -> dict[str, int]:
    """What a dry run says; then it is done, and says the same."""
    said = counts(corpus.prune(request, dry_run=True))
    assert counts(corpus.prune(request, dry_run=True)) == said
    assert counts(corpus.prune(request, dry_run=False)) == said
    assert counts(corpus.prune(PruneRequest(), dry_run=True)) == {}
    return said


def test_nothing_goes_where_all_is_needed(corpus: Corpus) -> None:
    assert both_ways(corpus, PruneRequest()) == {}
    assert (corpus.records, corpus.info()["vectors"]) == (40, {"words": 10})


def test_vectors_of_texts_that_no_paper_has_go(corpus: Corpus) -> None:
    corpus.vectors_of([make_paper("1901.00001", title="From elsewhere")])
    changed = make_record(3, title="Another title altogether")
    corpus.add_papers([make_paper("1801.00003", title=str(changed["title"]), updated=date(2019, 1, 1))])
    assert both_ways(corpus, PruneRequest()) == {"vectors": 2}
    assert corpus.info()["vectors"] == {"words": 9}


def test_old_folders_go(corpus: Corpus, tmp_path: Path) -> None:
    for name in ("lexical/lexical-1-old", "chroma/abc.old-17"):
        place = tmp_path / "home" / "corpus" / name
        place.mkdir(parents=True)
        (place / "data").write_bytes(b"x" * 1000)
    (pruned,) = corpus.prune(PruneRequest(), dry_run=True)
    assert (pruned.count, pruned.bytes) == (2, 2000)
    assert both_ways(corpus, PruneRequest()) == {"folders": 2}
    assert corpus.lexical("linear time", 100, Filter())


def test_records_go_only_by_a_filter_and_take_what_is_derived_with_them(corpus: Corpus, store: MemoryStore) -> None:
    # Of the ten with vectors five are in stat.ML; a dry run does not yet see these without a paper.
    request = PruneRequest(records=Filter(categories=("stat",)))
    assert counts(corpus.prune(request, dry_run=True)) == {"records": 20}
    assert counts(corpus.prune(request, dry_run=False)) == {"records": 20, "vectors": 5}
    assert corpus.records == 20
    assert len(corpus.lexical("linear time", 100, Filter())) == 20
    assert sorted(store.kept) == [f"1801.{number:05d}" for number in range(1, 10, 2)]
    assert not corpus.complete_for(ArxivId("1801.00002"))
    assert corpus.verify(repair=False).problems == ()


def test_both_conditions_have_to_hold(corpus: Corpus) -> None:
    request = PruneRequest(records=Filter(date(2018, 1, 5), ("stat.ML",)))
    gone = counts(corpus.prune(request, dry_run=False))["records"]
    assert 0 < gone < 20
    assert corpus.records == 40 - gone


def test_the_vectors_of_a_model_go_when_it_is_named(corpus: Corpus, store: MemoryStore) -> None:
    with pytest.raises(UsageError, match="no vector"):
        corpus.prune(PruneRequest(models=("letters",)), dry_run=False)
    assert counts(corpus.prune(PruneRequest(models=("words",)), dry_run=True)) == {"model": 10}
    assert counts(corpus.prune(PruneRequest(models=("words",)), dry_run=False)) == {"model": 10}
    assert (corpus.info()["models"], store.kept) == ([], {})


def test_the_room_is_given_back(corpus: Corpus, tmp_path: Path) -> None:
    many = [make_paper(f"1902.{number:05d}", abstract="word " * 500) for number in range(500)]
    corpus.add_papers(many)
    folder = tmp_path / "home" / "corpus"
    before = sum(file.stat().st_size for file in folder.glob("catalogue.sqlite3*"))
    corpus.prune(PruneRequest(records=Filter(date(2018, 1, 1))), dry_run=False)
    assert sum(file.stat().st_size for file in folder.glob("catalogue.sqlite3*")) < before / 4

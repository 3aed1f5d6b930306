"""A second model's vectors, beside those that papers are found with."""

import logging
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from citeplug.corpus.index import Corpus
from citeplug.corpus.vectors.text_vectors import SecondModel
from citeplug.errors import ModelUnavailable, StoreBroken
from citeplug.protocols import Rescorer, Vectors
from citeplug.records.paper import LIBRARY, ArxivId, Filter, Paper
from citeplug.related.retrieve.candidates import search
from tests.corpus.records import make_paper
from tests.corpus.stores import MemoryStore, WordModel

PAPERS = [
    make_paper(f"1801.{number:05d}", title=f"On problem {number}", abstract=f"We solve it, {number}.")
    for number in range(1, 41)
]
IDS = [paper.id.value for paper in PAPERS]


class SlowModel(WordModel):
    """Counts how often it was asked, for the vectors of papers and for those of queries."""

    def __init__(self) -> None:
        super().__init__("large")
        self.batches: list[int] = []
        self.queries = 0
        self.now = 0.0  # seconds: each text takes one

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.batches.append(len(texts))
        self.now += len(texts)
        self.texts += texts
        return super().embed_queries(texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        self.queries += 1
        return super().embed_queries(texts)


@pytest.fixture
def model() -> SlowModel:
    return SlowModel()


@pytest.fixture
def stores() -> list[str]:
    """The models of which a store was opened."""
    return []


@pytest.fixture
def corpus(tmp_path: Path, model: SlowModel, stores: list[str]) -> Iterator[Corpus]:
    def store(name: str) -> MemoryStore:
        stores.append(name)
        return MemoryStore()

    opened = Corpus(tmp_path / "home", WordModel, store, lambda: model)
    opened.add_papers(PAPERS)
    yield opened
    opened.close()


def second(corpus: Corpus) -> SecondModel:
    assert corpus.rescorer is not None
    return corpus.rescorer


def test_a_corpus_has_no_second_model_unless_one_is_named(tmp_path: Path) -> None:
    corpus = Corpus(tmp_path, WordModel, lambda name: MemoryStore())
    assert corpus.rescorer is None
    corpus.close()


def test_its_vectors_are_computed_once_and_kept(corpus: Corpus, model: SlowModel) -> None:
    rescorer: Rescorer = second(corpus)
    first = rescorer.cosines("on problem 7", PAPERS)
    assert set(first) == set(IDS)
    assert model.queries == 1
    assert max(first, key=lambda value: first[value]) == "1801.00007"
    assert rescorer.cosines("on problem 7", PAPERS) == first
    assert len(model.texts) == len(PAPERS)
    assert model.queries == 1  # the same question, as of a section that is made again
    assert corpus.info()["vectors"]["large"] == len(PAPERS)


def test_there_is_no_store_of_them(corpus: Corpus, stores: list[str]) -> None:
    assert search("on problem 7", corpus, Filter(), 5)
    assert stores == ["words"]
    assert not corpus.verify(repair=False).problems


def test_papers_that_are_not_in_the_catalogue_are_scored_and_remembered(corpus: Corpus, model: SlowModel) -> None:
    live = [
        replace(PAPERS[0], id=ArxivId("2101.00001", 1), title="A live paper"),
        Paper(
            ArxivId(f"{LIBRARY}knuth"),
            "A work of the library",
            "",
            ("D. Knuth",),
            PAPERS[0].published,
            PAPERS[0].published,
        ),
    ]
    assert set(second(corpus).cosines("a live paper", live)) == {"2101.00001", f"{LIBRARY}knuth"}
    second(corpus).cosines("another question", live)
    assert len(model.texts) == 2


def test_another_model_that_has_taken_its_name_is_told(corpus: Corpus, model: SlowModel) -> None:
    second(corpus).cosines("on problem 7", PAPERS)
    model.dimensions = 256
    with pytest.raises(ModelUnavailable, match="512 dimensions, but it now gives 256"):
        second(corpus).cosines("another question", PAPERS)


def test_without_time_only_what_is_known_is_scored(corpus: Corpus, model: SlowModel) -> None:
    assert second(corpus).cosines("on problem 7", PAPERS, 0.0) == {}
    assert second(corpus).unscored == len(PAPERS)
    assert model.queries == 0  # to load a model takes seconds: not for nothing
    second(corpus).cosines("on problem 7", PAPERS[:3])
    assert second(corpus).unscored == 0
    assert set(second(corpus).cosines("on problem 7", PAPERS, 0.0)) == set(IDS[:3])


def test_what_did_not_fit_is_scored_next_time(
    corpus: Corpus, model: SlowModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = SimpleNamespace(monotonic=lambda: model.now)
    monkeypatch.setattr("citeplug.corpus.vectors.text_vectors.time", clock)
    monkeypatch.setattr("citeplug.corpus.vectors.text_vectors.time", clock)
    scored: list[int] = []
    while not scored or scored[-1] < len(PAPERS):
        scored.append(len(second(corpus).cosines("on problem 7", PAPERS, 6.0)))
    assert scored[:3] == [6, 12, 18]
    assert len(model.texts) == len(PAPERS)
    assert model.batches[0] == 1  # until it is known how fast it is


def test_without_a_bound_texts_of_like_length_are_embedded_together(corpus: Corpus, model: SlowModel) -> None:
    papers = [replace(paper, abstract="word " * (row * 37 % 40)) for row, paper in enumerate(PAPERS)]
    told: list[tuple[int, int]] = []
    second(corpus).cosines("word", papers, None, lambda done, total: told.append((done, total)))
    assert [len(text) for text in model.texts] == sorted(len(text) for text in model.texts)
    assert told[0] == (0, 40)
    assert told[-1] == (40, 40)
    assert max(model.batches) <= 16


def test_on_a_full_disk_the_scores_are_there_all_the_same(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    rescorer = second(corpus)

    def full(*_: object) -> Vectors:
        raise StoreBroken("the disk is full", "free some space")

    monkeypatch.setattr("citeplug.corpus.vectors.table.VectorTable.put", full)
    with caplog.at_level(logging.WARNING):
        found = rescorer.cosines("on problem 7", PAPERS)
    assert len(found) == len(PAPERS)
    assert all(math.isfinite(cosine) for cosine in found.values())
    assert "not kept" in caplog.text

"""Retrieval over the real corpus: SQLite, tantivy, Chroma and MiniLM."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from citeplug.corpus.index import Corpus
from citeplug.corpus.vectors.chroma import ChromaStore
from citeplug.corpus.vectors.embedders import open_embedder
from citeplug.protocols import Vectors
from citeplug.records.paper import Filter
from citeplug.related.retrieve.candidates import search
from tests.related.retrieve.memory_index import paper

pytestmark = pytest.mark.slow

CATS = paper("1901.00001", "Feline nutrition", "Domestic cats thrive on meat and need taurine.")
QUESTION = "What should my kitten eat?"
OTHERS = [
    paper("1902.00001", "Graph attention", "Nodes attend to their neighbours in a graph."),
    paper("1903.00001", "Eating disorders of kittens in comics", "A kitten that should eat, as drawn by artists."),
    paper("1904.00001", "Neutron stars", "Mass and radius of compact stars from x-ray bursts."),
    paper("1905.00001", "Speech synthesis", "Vocoders that run in real time on small devices."),
]
ALL = [CATS, *OTHERS]


class WatchedStore(ChromaStore):
    """Chroma, and what its nearest neighbours were."""

    def __init__(self, home: Path, model: str) -> None:
        super().__init__(home, model)
        self.answered: list[str] = []

    def nearest(self, vector: Vectors, k: int, version: str, rows: int) -> list[tuple[str, str | None, float]]:
        answer = super().nearest(vector, k, version, rows)
        self.answered += [value for value, _, _ in answer]
        return answer


@pytest.fixture(autouse=True)
def however_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask the store for few rows too, which would be compared one by one otherwise."""
    monkeypatch.setattr("citeplug.corpus.vectors.paper_vectors._FEW", 0)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with five papers, all embedded and handed to Chroma."""
    folder = tmp_path_factory.mktemp("corpus")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("citeplug.corpus.vectors.paper_vectors._FEW", 0)
        corpus = _open(folder)[0]
        corpus.add_papers(ALL)
        corpus.vectors([one.id.value for one in ALL])
        corpus.close()
    return folder


@pytest.fixture
def watched(home: Path) -> Iterator[tuple[Corpus, list[WatchedStore]]]:
    corpus, stores = _open(home)
    yield corpus, stores
    corpus.close()


def _open(home: Path) -> tuple[Corpus, list[WatchedStore]]:
    stores: list[WatchedStore] = []

    def store(model: str) -> WatchedStore:
        stores.append(WatchedStore(home, model))
        return stores[-1]

    return Corpus(home, embedder=lambda: open_embedder(None), store=store), stores


def test_a_paper_that_shares_no_word_with_the_question_is_found_through_chromas_neighbours(
    watched: tuple[Corpus, list[WatchedStore]],
) -> None:
    corpus, stores = watched
    assert CATS.id.value not in [value for value, _ in corpus.lexical(QUESTION, 10, Filter())]
    found = {c.paper.id.value: c for c in search(QUESTION, corpus, Filter(), 3)}
    assert found[CATS.id.value].found_by == ("dense",)
    assert found[CATS.id.value].paper == CATS
    assert CATS.id.value in stores[0].answered


def test_the_paper_of_both_words_and_meaning_comes_first(watched: tuple[Corpus, list[WatchedStore]]) -> None:
    best = search("attention over the neighbours of graph nodes", watched[0], Filter(), 5)[0]
    assert best.paper.title == "Graph attention"
    assert best.found_by == ("lexical", "dense")
    assert 0.5 < best.similarity <= 1


def test_what_another_process_embedded_is_found_by_a_reader_that_was_open_before(home: Path) -> None:
    corpus, _ = _open(home)
    question = "How do magma chambers erupt?"
    try:
        search(question, corpus, Filter(), 5)
        script = (
            "import sys; from pathlib import Path; from tests.related.retrieve import test_with_the_corpus as t;"
            "from tests.related.retrieve.memory_index import paper;"
            "c, _ = t._open(Path(sys.argv[1]));"
            "c.add_papers([paper('1906.00001', 'Volcanic activity', 'Lava flows on Etna.')]);"
            "c.vectors(['1906.00001']); c.close()"
        )
        subprocess.run([sys.executable, "-c", script, str(home)], check=True, cwd=Path(__file__).parents[3])
        found = {c.paper.id.value: c for c in search(question, corpus, Filter(), 5)}
        assert found["1906.00001"].found_by == ("dense",)
    finally:
        corpus.close()

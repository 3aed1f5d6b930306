"""The same draft, catalogue and model give the same shortlist, whatever was run before: real Chroma, real MiniLM."""

from datetime import date
from pathlib import Path

import pytest

import citeplug.demo
from citeplug.corpus.index import Corpus
from citeplug.corpus.records_by_id import Lookup
from citeplug.corpus.vectors.background import EmbedRequest
from citeplug.corpus.vectors.chroma import ChromaStore
from citeplug.corpus.vectors.embedders import open_embedder
from citeplug.records.draft import Draft
from citeplug.records.outcome import Dense, Options
from citeplug.related.progress import Progress, Tools
from citeplug.related.ranking import rank_papers
from tests.related.retrieve.drafts import draft

pytestmark = pytest.mark.slow

RECORDS = next(Path(citeplug.demo.__file__).parent.glob("*.jsonl"))
DRAFTS = (
    draft(
        "Filters on graphs",
        "We learn localised convolutions on irregular graphs, to label the nodes of a citation net.",
    ),
    draft(
        "Vectors of nodes", "Random walks over a large social network give each node an embedding that keeps nearness."
    ),
    draft(
        "Networks for molecules",
        "Messages pass between atoms, so that a network predicts the properties of a molecule.",
    ),
)

Chosen = list[tuple[str, float]]


@pytest.fixture(autouse=True)
def as_if_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred records as if they were too many to embed: each draft looks at a few of them."""
    monkeypatch.setattr("citeplug.related.retrieve.candidates.WHOLE", 0)
    monkeypatch.setattr("citeplug.related.retrieve.candidates.SIDE_DEPTH", 5)
    monkeypatch.setattr("citeplug.related.retrieve.stages.LONG_ENOUGH", 20)
    monkeypatch.setattr("citeplug.related.retrieve.stages.SIDE_DEPTH", 5)
    monkeypatch.setattr(
        "citeplug.corpus.vectors.paper_vectors._FEW", 0
    )  # Chroma is asked, and not passed over for so few


def _corpus(home: Path) -> Corpus:
    corpus = Corpus(home, lambda: open_embedder(None), lambda model: ChromaStore(home, model))
    corpus.add([RECORDS])
    return corpus


def _choose(corpus: Corpus, draft: Draft, dense: Dense = "candidates") -> Chosen:
    lookup = Lookup(corpus, None, corpus.complete_for)
    tools, progress = Tools(corpus, lookup, dense=dense), Progress(lambda stage, done, total: None)
    ranking = rank_papers(draft, Options(breadth=4), tools, before=date.max, progress=progress)
    return [(item.paper.id.value, item.score) for item in ranking.papers[: ranking.wanted]]


def _alone(home: Path, draft: Draft, dense: Dense) -> Chosen:
    corpus = _corpus(home)
    try:
        return _choose(corpus, draft, dense)
    finally:
        corpus.close()


@pytest.mark.parametrize("dense", ["candidates", "all-candidates"])
def test_what_else_was_run_or_embedded_changes_no_shortlist(
    dense: Dense, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citeplug.related.retrieve.stages.EMBEDDED", 0)
    alone = [_alone(tmp_path / str(number), draft, dense) for number, draft in enumerate(DRAFTS)]
    for name, order in (("forwards", (0, 1, 2)), ("backwards", (2, 1, 0))):
        corpus = _corpus(tmp_path / name)
        for number in order:
            assert _choose(corpus, DRAFTS[number], dense) == alone[number], f"{name}: {number}"
        corpus.close()
        corpus = _corpus(tmp_path / name)
        corpus.embed_rest(EmbedRequest())
        assert corpus.info()["embedded"] == corpus.records
        assert [_choose(corpus, draft, dense) for draft in DRAFTS] == alone
        corpus.close()


def test_consulting_the_whole_collection_shows_what_was_embedded_meanwhile(tmp_path: Path) -> None:
    corpus = _corpus(tmp_path)
    before = [_choose(corpus, draft, "whole") for draft in DRAFTS]
    corpus.embed_rest(EmbedRequest())
    assert [_choose(corpus, draft, "whole") for draft in DRAFTS] != before
    corpus.close()

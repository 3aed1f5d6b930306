"""What a language model's own query finds is in the longlist: real Chroma, real MiniLM, a model by a script."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

import citeplug.demo
from citeplug.corpus.index import Corpus
from citeplug.corpus.records_by_id import Lookup
from citeplug.corpus.vectors.chroma import ChromaStore
from citeplug.corpus.vectors.embedders import open_embedder
from citeplug.records.outcome import Options
from citeplug.related.progress import Progress, Tools
from citeplug.related.retrieve.longlist import make_longlist
from citeplug.related.retrieve.stages import find_candidates, make_queries
from tests.harness.scripted_models import ScriptedModel
from tests.related.retrieve.drafts import draft

pytestmark = pytest.mark.slow

RECORDS = next(Path(citeplug.demo.__file__).parent.glob("*.jsonl"))
NODES = draft("Vectors of nodes", "Random walks over a large social network give each node an embedding.")
THEOREMS, TRAFFIC = "1905.10006", "1905.05717"  # far from that, by words and by meaning


@pytest.fixture
def corpus(tmp_path: Path, fresh_home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Corpus]:
    """The demo's records, as if they were too many to look at all of them."""
    monkeypatch.setattr("citeplug.related.retrieve.candidates.WHOLE", 0)
    opened = Corpus(tmp_path, lambda: open_embedder(None), lambda model: ChromaStore(tmp_path, model))
    opened.add([RECORDS])
    yield opened
    opened.close()


def _longlisted(corpus: Corpus, *queries: str, breadth: int = 4) -> set[str]:
    asked = {"queries": [{"query": text, "facet": "f", "reason": "r"} for text in queries]}
    model = ScriptedModel(lambda seen, request: asked) if queries else None
    lookup = Lookup(corpus, None, corpus.complete_for)
    tools, progress = Tools(corpus, lookup, model=model), Progress(lambda stage, done, total: None)
    options = Options(breadth=breadth)
    made = make_queries(NODES, options, tools, progress, date.max)
    found = find_candidates(made, NODES, options, tools, before=date.max, progress=progress)
    longlist = make_longlist(found.papers, found.vectors, found.words, options, found.cited)
    assert len(longlist.papers) + len(longlist.others) == 3 * breadth
    return {each.paper.id.value for each in (*longlist.papers, *longlist.others)}


def test_what_only_the_models_own_query_finds_is_longlisted(corpus: Corpus) -> None:
    assert not _longlisted(corpus) & {THEOREMS, TRAFFIC}
    found = _longlisted(corpus, "theorem proving in higher-order logic", "traffic signal control")
    assert {THEOREMS, TRAFFIC} <= found


def test_the_queries_of_a_model_leave_half_of_the_places_to_the_drafts_own(corpus: Corpus) -> None:
    subjects = ("theorem proving", "traffic signal control", "seizure detection", "named entity recognition")
    others = ("SAT solver", "robot control policy", "rain removal", "emotion recognition from EEG", "point clouds")
    usual, found = _longlisted(corpus), _longlisted(corpus, *subjects, *others)
    assert len(found & usual) >= len(usual) // 2

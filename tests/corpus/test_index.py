"""The corpus as a whole."""

import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from citeplug.corpus.index import Corpus
from citeplug.corpus.locking import exclusive
from citeplug.errors import StoreBroken, StoreBusy
from citeplug.protocols import PaperIndex
from citeplug.records.paper import ArxivId, Filter
from tests.corpus.records import make_paper, make_record, write_snapshot
from tests.corpus.stores import MemoryStore, WordModel


def never() -> WordModel:
    raise AssertionError("the model was opened")


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    store = MemoryStore()
    opened = Corpus(tmp_path / "home", WordModel, lambda model: store)
    yield opened
    opened.close()


@pytest.fixture
def snapshot(tmp_path: Path) -> Path:
    return write_snapshot(tmp_path / "snapshot.jsonl.gz", [make_record(number) for number in range(40)])


def test_a_corpus_is_a_paper_index(corpus: Corpus, snapshot: Path) -> None:
    index: PaperIndex = corpus
    assert corpus.is_empty()
    corpus.add([snapshot])
    assert index.records == 40
    assert index.papers(["1801.00007"])["1801.00007"].title == "On problem number 7"
    ids = [value for value, _ in index.lexical("problem number 7", 10, Filter())]
    assert ids[0] == "1801.00007"
    assert set(index.vectors(ids)) == set(ids)
    query = index.embed(["On problem number 7. We solve problem 7 in linear time."])[0]
    ((value, cosine),) = index.nearest(query, 1, Filter())
    assert value == "1801.00007"
    assert cosine == pytest.approx(1, abs=1e-3)


def test_words_are_searched_without_any_model(tmp_path: Path, snapshot: Path) -> None:
    corpus = Corpus(tmp_path / "home", never, lambda model: MemoryStore())
    corpus.add([snapshot])
    assert corpus.lexical("linear", 5, Filter())
    assert corpus.info()["embedded"] == 0
    corpus.close()


def test_opening_a_corpus_loads_nothing_heavy(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from citeplug.corpus.vectors.chroma import ChromaStore;"
        "from citeplug.corpus.vectors.embedders import open_embedder; from citeplug.corpus.index import Corpus;"
        "home = Path(sys.argv[1]);"
        "Corpus(home, lambda: open_embedder(None), lambda model: ChromaStore(home, model)).close();"
        "open_embedder(None); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True)
    heavy = {"torch", "chromadb", "sentence_transformers", "onnxruntime", "onnx", "tokenizers", "tantivy", "zstandard"}
    assert not heavy & set(done.stdout.split())


def test_records_from_elsewhere_are_taken_in(corpus: Corpus) -> None:
    corpus.add_papers([make_paper()])
    assert corpus.lexical("transformer", 5, Filter())[0][0] == "1706.03762"


def test_absence_proves_something_only_in_a_month_that_was_taken_in_completely(corpus: Corpus, snapshot: Path) -> None:
    unknown, later = ArxivId.parse("1801.99999"), ArxivId.parse("1802.00001")
    corpus.add([snapshot])
    assert not corpus.complete_for(unknown)
    corpus.add([snapshot], complete=True)
    assert corpus.complete_for(unknown)
    assert corpus.complete_for(ArxivId.parse("hep-th/9301001"))
    assert not corpus.complete_for(later)


def test_a_paper_whose_line_could_not_be_read_is_not_proved_absent(corpus: Corpus, tmp_path: Path) -> None:
    lines = [make_record(1), '{"id": "1801.00002", "title": "torn']
    corpus.add([write_snapshot(tmp_path / "torn.jsonl", lines)], complete=True)
    assert not corpus.complete_for(ArxivId.parse("1801.00002"))
    assert corpus.complete_for(ArxivId.parse("1801.00003"))


def test_info_tells_what_is_there(corpus: Corpus, snapshot: Path, tmp_path: Path) -> None:
    empty = corpus.info()
    assert (empty["records"], empty["newest"], empty["models"], empty["categories"]) == (0, None, [], {})
    corpus.add([snapshot])
    corpus.vectors(["1801.00001", "1801.00002"])
    info = corpus.info()
    assert info == {
        "records": 40,
        "library": 0,
        "citations": 0,
        "embedded": 2,
        "models": ["words"],
        "newest": "2018-01-28",
        "categories": {"cs.DS": 20, "math.CO": 20, "stat.ML": 20},
        "size_bytes": info["size_bytes"],
        "path": str(tmp_path / "home" / "corpus"),
        "complete_to": None,
        "updated_to": {},
        "vectors": {"words": 2},
        "topics": None,
        "topics_damage": None,
        "sizes": info["sizes"],
    }
    assert list(info["sizes"]) == ["catalogue", "lexical", "stores", "topics"]
    assert sum(info["sizes"].values()) <= info["size_bytes"]
    assert info["size_bytes"] > 10_000


def test_the_first_lexical_index_is_waited_for_while_another_process_makes_it(
    corpus: Corpus, snapshot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus.add([snapshot])
    monkeypatch.setattr("citeplug.corpus.lexical.index.NAME", "lexical-of-the-next-version")
    monkeypatch.setattr("citeplug.corpus.local_records._WAIT_FOR_THE_FIRST", 0.2)
    lock = tmp_path / "home" / "corpus" / "lexical" / "write.lock"
    with exclusive(lock), pytest.raises(StoreBusy, match="another citeplug"):
        corpus.lexical("linear", 5, Filter())
    assert len(corpus.lexical("linear", 5, Filter())) == 5
    with exclusive(lock):
        assert len(corpus.lexical("linear", 5, Filter())) == 5


def test_another_process_sees_at_once_what_was_added(corpus: Corpus, snapshot: Path, tmp_path: Path) -> None:
    reader = Corpus(tmp_path / "home", WordModel, lambda model: MemoryStore())
    assert reader.lexical("linear", 5, Filter()) == []
    corpus.add([snapshot])
    assert len(reader.lexical("linear", 5, Filter(before=date(2019, 1, 1)))) == 5
    reader.close()


def test_a_search_does_not_wait_for_another_writer(corpus: Corpus, snapshot: Path, tmp_path: Path) -> None:
    corpus.add([snapshot])
    corpus.add_papers([make_paper()])
    began = time.monotonic()
    with exclusive(tmp_path / "home" / "corpus" / "lexical" / "write.lock"):
        assert len(corpus.lexical("linear transformer", 100, Filter())) == 40
    assert time.monotonic() - began < 20
    assert len(corpus.lexical("linear transformer", 100, Filter())) == 41


def test_a_home_that_cannot_be_used_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("in the way", encoding="utf-8")
    with pytest.raises(StoreBroken) as caught:
        Corpus(tmp_path / "home", never, lambda model: MemoryStore())
    assert "CITEPLUG_HOME" in caught.value.hint


def test_records_are_found_by_words_of_their_titles(corpus: Corpus) -> None:
    corpus.add_papers(
        [
            make_paper("1501.00001", title="Tomography of Cuboids"),
            make_paper("1501.00002", title="Lattices of Spheres", abstract="Tomography of cuboids."),
        ]
    )
    assert [paper.id.value for paper in corpus.by_title("the {T}omography of all cuboids", 5)] == ["1501.00001"]
    assert corpus.by_title("", 5) == corpus.by_title("the of", 5) == corpus.by_title("cuboids", 0) == []

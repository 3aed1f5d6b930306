"""The author's own library beside the catalogue."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from citeplug.corpus.export import export_records
from citeplug.corpus.index import Corpus
from citeplug.records.paper import ArxivId, Filter, Paper
from citeplug.records.work import Holding
from tests.corpus.records import make_record, write_snapshot
from tests.corpus.stores import MemoryStore, WordModel

FILE = Path("/refs.bib")


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    store = MemoryStore()
    opened = Corpus(tmp_path / "home", WordModel, lambda model: store)
    opened.add([write_snapshot(tmp_path / "s.jsonl", [make_record(number) for number in range(20)])])
    yield opened
    opened.close()


def own(key: str, title: str, doi: str | None = None) -> tuple[str, Holding, Paper]:
    value = f"lib:{key}"
    paper = Paper(
        ArxivId(value), title, "We weave baskets.", ("Eva Berg",), date(1998, 1, 1), date(1998, 1, 1), doi=doi
    )
    return value, Holding(FILE, "bib", title, key, f"@misc{{{key}}}", ("Eva Berg",)), paper


def put(corpus: Corpus, *works: tuple[str, Holding, Paper]) -> None:
    corpus.library.replace([(value, each) for value, each, _ in works], {value: paper for value, _, paper in works})


def test_a_work_of_the_library_is_found_as_the_others_are(corpus: Corpus) -> None:
    put(corpus, own("berg98", "On Baskets"))
    assert corpus.lexical("weave baskets", 5, Filter())[0][0] == "lib:berg98"
    query = corpus.embed(["On Baskets. We weave baskets."])[0]
    corpus.vectors(["lib:berg98"])
    assert corpus.nearest(query, 1, Filter())[0][0] == "lib:berg98"
    assert not corpus.papers(["lib:berg98"])["lib:berg98"].id.on_arxiv


def test_it_proves_nothing_of_an_entry(corpus: Corpus) -> None:
    put(corpus, own("berg98", "On problem number 7", "10.1000/x"))
    assert [paper.id.value for paper in corpus.by_title("On problem number 7", 1)] == ["1801.00007"]
    assert corpus.by_doi(["10.1000/x"]) == {}


def test_it_counts_for_itself_and_is_in_no_export(corpus: Corpus, tmp_path: Path) -> None:
    put(corpus, own("berg98", "On Baskets"))
    info = corpus.info()
    assert (info["records"], info["library"], info["newest"]) == (20, 1, "2018-01-20")
    assert export_records(corpus.catalogue, tmp_path / "all.jsonl") == 20
    assert "lib:" not in (tmp_path / "all.jsonl").read_text("utf-8")


def test_what_is_taken_out_is_found_no_more_and_all_stays_sound(corpus: Corpus) -> None:
    put(corpus, own("berg98", "On Baskets"), own("roe01", "More Baskets"))
    put(corpus, own("roe01", "More Baskets"))
    assert [value for value, _ in corpus.lexical("weave baskets", 5, Filter())] == ["lib:roe01"]
    assert corpus.verify(repair=False).problems == ()
    put(corpus)
    assert corpus.lexical("weave baskets", 5, Filter()) == []
    assert corpus.verify(repair=False).problems == ()
    assert corpus.library.holdings() == []


def test_its_latest_word_holds(corpus: Corpus) -> None:
    put(corpus, own("berg98", "On Baskets"))
    value, each, paper = own("berg98", "On Woven Baskets")
    poorer = Paper(paper.id, paper.title, "", (), paper.published, paper.updated)
    corpus.library.replace([(value, each)], {value: poorer})
    assert corpus.papers([value])[value] == poorer


def test_entries_come_back_word_for_word_and_of_several_the_first(corpus: Corpus) -> None:
    value, each, paper = own("berg98", "On Baskets")
    again = Holding(Path("/b.bib"), "bib", "On Baskets", "b", "@misc{b}")
    corpus.library.replace([(value, each), (value, again)], {value: paper})
    assert corpus.library.entries([value, "1801.00001"])[value].text == "@misc{berg98}"
    assert [held for _, held in corpus.library.holdings()] == [each, again]
    assert corpus.library.works() == 1


def test_no_pruning_by_date_takes_it(corpus: Corpus) -> None:
    from citeplug.corpus.prune import PruneRequest

    put(corpus, own("berg98", "On Baskets"))
    corpus.prune(PruneRequest(records=Filter(before=date(2030, 1, 1))), dry_run=False)
    assert (corpus.records, corpus.library.works()) == (1, 1)
    assert corpus.lexical("weave baskets", 5, Filter())


def test_a_catalogue_that_has_none_says_so(corpus: Corpus) -> None:
    assert (corpus.library.holdings(), corpus.library.entries(["lib:x"]), corpus.library.works()) == ([], {}, 0)


def test_nothing_of_it_goes_to_a_server_that_others_read(tmp_path: Path) -> None:
    store = MemoryStore()
    store.shared = True
    corpus = Corpus(tmp_path / "home", WordModel, lambda model: store)
    corpus.add([write_snapshot(tmp_path / "s.jsonl", [make_record(number) for number in range(20)])])
    put(corpus, own("berg98", "On Baskets"))
    corpus.vectors([f"1801.{number:05d}" for number in range(20)] + ["lib:berg98"])
    assert len(store.kept) == 20
    query = corpus.embed(["On Baskets. We weave baskets."])[0]
    assert corpus.nearest(query, 1, Filter())[0][0] == "lib:berg98"
    assert corpus.verify(repair=True).problems == ()
    assert not [value for value in store.kept if value.startswith("lib:")]
    corpus.close()

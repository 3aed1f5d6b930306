from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from citeplug.adapters.arxiv import ArxivSource
from citeplug.bibliography.bibtex import parse_bib
from citeplug.bibliography.entries import Dialect, render_entry
from citeplug.checking import check_entries
from citeplug.corpus.index import Corpus
from citeplug.lookup import Lookup
from citeplug.records.paper import ArxivId, Paper
from citeplug.records.review import EntryCheck, FieldChange
from citeplug.settings import Settings
from tests.arxiv_server import ArxivServer, FastClock, Fault
from tests.corpus.stores import MemoryStore, WordModel
from tests.papers import paper

TODAY = date(2026, 1, 15)
DIALECT = Dialect("bibtex", "note")
RIGHT = """@inproceedings{a, title={Attention Is All You Need}, eprint={1706.03762},
  author={Vaswani, Ashish and Shazeer, Noam and Parmar, Niki}, year={2017}}"""

Check = Callable[[str, Lookup], list[EntryCheck]]


def check(text: str, lookup: Lookup) -> list[EntryCheck]:
    return check_entries(parse_bib(text), lookup, today=TODAY)


def version(number: int, **fields: object) -> Paper:
    """A version of the paper that `RIGHT` cites."""
    return replace(paper(), id=ArxivId("1706.03762", number), **fields)  # type: ignore[arg-type]


@contextmanager
def catalogue(home: Path, *papers: Paper, complete: bool = False) -> Iterator[Lookup]:
    """A lookup in a real catalogue that holds these papers, and nothing else to ask."""
    corpus = Corpus(home, embedder=WordModel, store=lambda _: MemoryStore())
    try:
        corpus.add_papers(papers)
        yield Lookup(corpus, None, corpus.covers_month, lambda _: complete)
    finally:
        corpus.close()


@pytest.fixture
def nothing(tmp_path: Path) -> Iterator[Lookup]:
    with catalogue(tmp_path) as lookup:
        yield lookup


@pytest.fixture
def online(nothing: Lookup, tmp_path: Path, arxiv_server: ArxivServer) -> Lookup:
    """A lookup in an empty catalogue and at the test server."""
    nothing.source = ArxivSource(Settings(tmp_path, arxiv_server.url, arxiv_delay=0.0), clock=FastClock())
    return nothing


def test_a_source_that_answers_with_another_title_gives_differs(online: Lookup, arxiv_server: ArxivServer) -> None:
    arxiv_server.add(version(1, title="Another Paper Altogether", authors=("Somebody Else",)))
    (found,) = check(render_entry(paper(), "k", DIALECT), online)
    assert (found.verdict, found.severity, found.checked_against) == ("differs", "error", "arxiv")


def test_the_first_version_is_asked_for_where_the_latest_was_retitled(
    online: Lookup, arxiv_server: ArxivServer
) -> None:
    arxiv_server.add(version(1), version(3, title="A Quite Different Name of the Thing"))
    (found,) = check(render_entry(paper(), "k", DIALECT), online)
    assert found.verdict == "verified"
    assert arxiv_server.asked_ids()[0] == ["1706.03762"]


def test_every_entry_is_checked_in_its_order(online: Lookup, arxiv_server: ArxivServer) -> None:
    arxiv_server.add(version(1))
    third = RIGHT.replace("{a,", "{c,").replace("1706.03762", "1706.03763").replace("Attention", "Distraction")
    text = RIGHT + "\n@book{b, title={B}}\n" + third
    assert [(c.key, c.verdict) for c in check(text, online)] == [
        ("a", "verified"),
        ("b", "not_arxiv"),
        ("c", "not_found"),
    ]


def test_an_id_that_does_not_exist_is_corrected_where_title_authors_and_year_fit_one_record(
    online: Lookup, arxiv_server: ArxivServer
) -> None:
    arxiv_server.add(version(1))
    (found,) = check(RIGHT.replace("1706.03762", "1706.03763"), online)
    assert (found.verdict, found.severity, found.arxiv_id) == ("differs", "error", "1706.03762")
    assert found.changes == (FieldChange("id_differs", "eprint", "1706.03762"),)


def test_an_outage_is_no_verdict(online: Lookup, arxiv_server: ArxivServer) -> None:
    arxiv_server.fail_always(Fault.http(503))
    (found,) = check(RIGHT, online)
    assert found.verdict == "unchecked"
    assert online.outage is not None
    assert [finding.code for finding in online.findings] == ["source_unavailable"]


def test_the_catalogue_answers_in_an_outage(tmp_path: Path, arxiv_server: ArxivServer) -> None:
    arxiv_server.fail_always(Fault.http(503))
    with catalogue(tmp_path, paper()) as lookup:
        lookup.source = ArxivSource(Settings(tmp_path, arxiv_server.url, arxiv_delay=0.0), clock=FastClock())
        (found,) = check(RIGHT, lookup)
    assert (found.verdict, found.checked_against) == ("verified", "catalogue")


def test_a_month_to_come_has_no_papers(nothing: Lookup) -> None:
    (found,) = check(RIGHT.replace("1706.03762", "2612.00001"), nothing)
    assert (found.verdict, found.arxiv_id) == ("not_found", "2612.00001")
    assert ArxivId("2612.00001").month > TODAY

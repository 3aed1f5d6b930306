"""Entries without an arXiv id whose DOI arXiv knows."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from citeplug.corpus.records_by_id import Lookup
from citeplug.settings.environment import Settings
from citeplug.sources.arxiv import ArxivSource
from tests.bib.compare.test_check_entries import catalogue, check
from tests.harness.arxiv_server import ArxivServer, FastClock, Fault
from tests.harness.papers import paper

PUBLISHED = """@article{KEY, title={Attention Is All You Need}, author={Vaswani, Ashish and Shazeer, Noam and Parmar,
  Niki}, journal={Journal of Tests}, year={2017}, doi={DOI}}
"""


def published(doi: str, key: str = "a") -> str:
    return PUBLISHED.replace("DOI", doi).replace("KEY", key)


@pytest.fixture
def online(tmp_path: Path, arxiv_server: ArxivServer) -> Iterator[Lookup]:
    """A lookup in an empty catalogue and at the test server."""
    with catalogue(tmp_path) as lookup:
        lookup.source = ArxivSource(Settings(tmp_path, arxiv_server.url, arxiv_delay=0.0), clock=FastClock())
        yield lookup


def test_a_paper_is_found_by_its_doi_and_its_title_is_not_searched(online: Lookup, arxiv_server: ArxivServer) -> None:
    arxiv_server.add(paper(doi="10.1103/PhysRevD.48.1"))
    (found,) = check(published("https://doi.org/10.1103/physrevd.48.1"), online)
    assert (found.verdict, found.arxiv_id, found.checked_against) == ("verified", "1706.03762", "arxiv")
    assert arxiv_server.asked_queries() == ['doi:"10.1103/physrevd.48.1" OR doi:"10.1103/PhysRevD.48.1"']


def test_a_doi_finds_a_paper_that_was_published_under_another_title(online: Lookup, arxiv_server: ArxivServer) -> None:
    arxiv_server.add(paper(doi="10.1000/right"))
    (found,) = check(published("10.1000/right").replace("Attention Is All", "Transformers: Is Attention All"), online)
    assert (found.verdict, found.arxiv_id) == ("verified", "1706.03762")


def test_the_dois_of_many_entries_go_in_one_request(online: Lookup, arxiv_server: ArxivServer) -> None:
    arxiv_server.add(*(paper(f"1706.{n:05}", doi=f"10.1000/{n}") for n in range(1, 21)))
    found = check("".join(published(f"10.1000/{n}", f"k{n}") for n in range(1, 21)), online)
    assert [each.arxiv_id for each in found] == [f"1706.{n:05}" for n in range(1, 21)]
    assert len(arxiv_server.requests) == 1


@pytest.mark.parametrize("dirty", ["10.1000/right.", "10.1000/right 10.1000/other", "10.1000/RiGht"])
def test_what_arxiv_does_not_find_by_doi_is_searched_by_title(
    dirty: str, online: Lookup, arxiv_server: ArxivServer
) -> None:
    arxiv_server.add(paper(doi=dirty))
    (found,) = check(published("10.1000/right"), online)
    assert (found.verdict, found.arxiv_id) == ("verified", "1706.03762")
    assert ["doi:" in query for query in arxiv_server.asked_queries()] == [True, False]


def test_a_doi_with_parentheses_is_not_sent_and_the_title_is_searched(
    online: Lookup, arxiv_server: ArxivServer
) -> None:
    arxiv_server.add(paper(doi="10.1016/S0370-2693(98)00127-X"))
    (found,) = check(published("10.1016/S0370-2693(98)00127-X"), online)
    assert found.verdict == "verified"
    assert online.outage is None
    assert not any("doi:" in query for query in arxiv_server.asked_queries())


def test_a_doi_of_another_paper_does_not_make_it_the_one_that_is_meant(
    online: Lookup, arxiv_server: ArxivServer
) -> None:
    arxiv_server.add(paper("1512.03385", "Deep Residual Learning", ("Kaiming He",), doi="10.1000/residual"))
    arxiv_server.add(paper())
    (found,) = check(published("10.1000/residual").replace("Journal of Tests", "arXiv preprint"), online)
    assert found.arxiv_id == "1706.03762"


def test_a_doi_that_nobody_has_is_no_accusation(online: Lookup) -> None:
    (found,) = check(published("10.1000/nobodys"), online)
    assert (found.verdict, found.severity) == ("not_arxiv", "info")


def test_an_outage_between_doi_and_title_is_no_verdict(online: Lookup, arxiv_server: ArxivServer) -> None:
    entry = published("10.1000/nobodys").replace("Journal of Tests", "arXiv preprint")
    arxiv_server.replay(lambda asked: None if "doi:" in asked.params.get("search_query", "") else Fault.http(503))
    (found,) = check(entry, online)
    assert found.verdict == "unchecked"
    assert online.outage is not None


def test_an_entry_whose_id_is_right_needs_no_doi_search(online: Lookup, arxiv_server: ArxivServer) -> None:
    arxiv_server.add(paper(doi="10.1000/right"))
    (found,) = check(published("10.1000/right").replace("doi=", "eprint={1706.03762}, doi="), online)
    assert found.verdict == "verified"
    assert arxiv_server.asked_queries() == []


def test_without_leave_to_search_no_doi_is_sent(online: Lookup, arxiv_server: ArxivServer) -> None:
    online.may_search = False
    check(published("10.1000/right"), online)
    assert arxiv_server.requests == []

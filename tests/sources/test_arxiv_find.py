"""Asking for the papers that bibliography entries mean."""

import pytest

from citeplug.errors import SourceUnavailable
from citeplug.records.paper import Clue
from citeplug.sources.arxiv import ArxivSource
from citeplug.sources.arxiv_query import clue_query
from tests.harness.arxiv_server import ArxivServer, Fault, paper


def test_every_word_has_its_field_and_every_clue_its_parentheses() -> None:
    clues = [Clue(("tomography", "cuboids")), Clue(("spherical", "cnns"), "cohen")]
    assert clue_query(clues) == "(ti:tomography AND ti:cuboids) OR (ti:spherical AND ti:cnns AND au:cohen)"


def test_what_the_server_cannot_read_is_not_sent() -> None:
    assert clue_query([Clue(("schrödinger", '"x"', "cat"), "O'Neil")]) == "(ti:cat)"
    assert clue_query([Clue(("ö",), "doe"), Clue(())]) is None


def test_a_doi_is_asked_for_in_the_spellings_that_records_have() -> None:
    assert clue_query([Clue(doi="10.1145/12.34")]) == 'doi:"10.1145/12.34"'
    assert clue_query([Clue(doi="10.1109/cvpr.2016.90")]) == 'doi:"10.1109/cvpr.2016.90" OR doi:"10.1109/CVPR.2016.90"'
    aps = [Clue(doi="10.1103/physrevd.48.r1899")]
    assert clue_query(aps) == 'doi:"10.1103/physrevd.48.r1899" OR doi:"10.1103/PhysRevD.48.R1899"'


def test_a_doi_that_would_spoil_the_request_is_not_sent() -> None:
    refused = ("10.1016/S0370-2693(98)00127-X", '10.1000/a"b', "10.1000/\u00e4", "10.1000/" + "x" * 200, "ti:cat")
    assert clue_query([*(Clue(doi=doi) for doi in refused), Clue(("cat",))]) == "(ti:cat)"


@pytest.mark.parametrize("written", ["10.1103/PhysRevD.48.R1899", "10.1103/physrevd.48.r1899"])
def test_many_dois_go_in_one_request(written: str, server: ArxivServer, source: ArxivSource) -> None:
    server.add(paper("1501.00001v1", "Rings", doi="10.1103/PhysRevD.48.R1899"))
    server.add(paper("1501.00002v1", "Knots", doi="10.1016/J.AIM.2014.01.001"), paper("1501.00003v1", "Braids"))
    dois = [written, "10.1016/j.aim.2014.01.001", "10.1000/nobodys"]
    found = source.find([Clue(doi=doi) for doi in dois])
    assert sorted(each.id.value for each in found) == ["1501.00001", "1501.00002"]
    assert len(server.requests) == 1


def test_many_clues_go_in_one_request(server: ArxivServer, source: ArxivSource) -> None:
    wanted = [paper(f"1501.{n:05}v1", f"Migration of herring{n}") for n in range(1, 21)]
    server.add(*wanted, paper("1502.00001v1", "Migration of birds"))
    found = source.find([Clue(("migration", f"herring{n}")) for n in range(1, 21)])
    assert sorted(each.id.value for each in found) == [each.id.value for each in wanted]
    assert len(server.requests) == 1


def test_a_full_page_is_asked_again_in_halves(server: ArxivServer, source: ArxivSource) -> None:
    server.add(*(paper(f"1501.{n:05}v1", f"Broad topic {n}") for n in range(1, 151)))
    server.add(paper("1502.00001v1", "Narrow aim"))
    found = source.find([Clue(("broad",)), Clue(("narrow",))])
    assert "1502.00001" in [each.id.value for each in found]
    assert len(server.asked_queries()) == 3


def test_a_long_query_is_cut_into_shorter_ones(server: ArxivServer, source: ArxivSource) -> None:
    source.find([Clue(tuple(f"{'long' * 8}{n}{k}" for k in range(4))) for n in range(40)])
    assert max(map(len, server.asked_queries())) <= 2000


def test_nothing_to_ask_for_is_nothing_sent(server: ArxivServer, source: ArxivSource) -> None:
    assert source.find([]) == []
    assert source.find([Clue(())]) == []
    assert server.requests == []


def test_an_outage_is_no_answer(server: ArxivServer, source: ArxivSource) -> None:
    server.fail_always(Fault.http(503))
    with pytest.raises(SourceUnavailable):
        source.find([Clue(("rings",))])

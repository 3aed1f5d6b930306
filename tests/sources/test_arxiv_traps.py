"""The traps of arXiv's API that concern the adapter, by their numbers in the notes on it, each over a real socket."""

from datetime import date

import pytest

from citeplug.errors import SourceUnavailable
from citeplug.records.paper import ArxivId
from citeplug.sources.arxiv import ArxivSource
from citeplug.sources.arxiv_query import search_query
from citeplug.text.withdrawn import possibly_withdrawn
from tests.harness.arxiv_server import ArxivServer, Asked, Dialect, FastClock, Fault, paper

DIALECTS: list[Dialect] = ["new", "old"]


def ids(*values: str) -> list[ArxivId]:
    return [ArxivId.parse(value) for value in values]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_trap_1_both_dialects_of_the_feed_give_the_same_record(
    server: ArxivServer, source: ArxivSource, dialect: Dialect
) -> None:
    server.dialect = dialect
    wanted = paper(
        "hep-ex/0307015v2",
        "Multi-electron production at high transverse momenta in ep collisions at HERA with the H1 detector in 2003",
        "We measure production at high momenta & compare it with theory, where x < y. " * 5,
        doi="10.1140/epjc/s2003-01326-x",
        journal_ref="Eur.Phys.J.C31:17-29,2003",
        comment="23 pages, 8 figures",
        categories=("hep-ex", "nucl-ex"),
        updated=date(2004, 5, 6),
    )
    server.add(wanted)
    (found,) = source.fetch(ids("hep-ex/0307015")).values()
    assert found.abstract == wanted.abstract.strip()
    assert found.id == wanted.id
    assert (found.title, found.authors, found.published, found.updated) == (
        wanted.title,
        wanted.authors,
        wanted.published,
        wanted.updated,
    )
    assert (found.doi, found.journal_ref, found.comment, found.categories) == (
        wanted.doi,
        wanted.journal_ref,
        wanted.comment,
        wanted.categories,
    )


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("fragment", ["", "internal_error"])
def test_trap_2_an_error_entry_is_an_outage_and_no_paper(
    server: ArxivServer, source: ArxivSource, dialect: Dialect, fragment: str
) -> None:
    server.fail(Fault.error_entry("something is wrong here", dialect=dialect, fragment=fragment))
    with pytest.raises(SourceUnavailable, match="something is wrong here"):
        source.search("dense retrieval", 5)


def test_trap_2_a_paper_called_error_is_a_paper(server: ArxivServer, source: ArxivSource) -> None:
    server.add(paper("2104.12255", "Error"), paper("2104.12256", "0"))
    found = source.fetch(ids("2104.12255", "2104.12256"))
    assert [found[i].title for i in ids("2104.12255", "2104.12256")] == ["Error", "0"]


def test_trap_3_an_unknown_id_is_left_out_and_the_rest_mapped_by_id(server: ArxivServer, source: ArxivSource) -> None:
    server.add(paper("1001.0001", "First"), paper("1501.00002", "Second"), paper("hep-th/9901001", "Third"))
    asked = ids("1501.00002", "1901.00009", "hep-th/9901001", "1001.0001")
    found = source.fetch(asked)
    assert {str(i): p.title for i, p in found.items()} == {
        "1501.00002": "Second",
        "hep-th/9901001": "Third",
        "1001.0001": "First",
    }


def test_trap_3_an_entry_that_was_not_asked_for_is_no_answer(server: ArxivServer, source: ArxivSource) -> None:
    server.add(paper("1001.0001", "First"))
    status, body, _ = server.answer(_lookup("1001.0001"))
    server.fail(Fault.feed(body, status), times=4)
    assert source.fetch(ids("1901.00009")) == {}


def _lookup(arxiv_id: str) -> Asked:
    return Asked("GET", "/", {"id_list": arxiv_id, "max_results": "10"}, {}, 0.0)


def test_trap_4_a_malformed_id_is_never_sent(server: ArxivServer, source: ArxivSource) -> None:
    server.add(paper("1706.03762", "Attention"))
    bad = [ArxivId("abc"), ArxivId("0808.05394"), ArxivId("1713.00001"), ArxivId("1706.03762,1001.0001"), ArxivId("")]
    assert list(source.fetch([*bad, *ids("1706.03762")])) == ids("1706.03762")
    assert server.asked_ids() == [["1706.03762"]]
    assert source.fetch(bad) == {}
    assert len(server.requests) == 1


def test_trap_4_ids_are_sent_bare_however_they_were_written(server: ArxivServer, source: ArxivSource) -> None:
    server.add(paper("1706.03762", "Attention"), paper("math/0309136", "Geometry"))
    written = [ArxivId("arXiv:1706.03762"), ArxivId("math.GT/0309136"), ArxivId(" 1706.03762V1")]
    found = source.fetch(written)
    assert [found[i].title for i in written] == ["Attention", "Geometry", "Attention"]
    assert server.asked_ids() == [["1706.03762", "math/0309136"], ["1706.03762v1"]]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_trap_4_an_id_that_the_server_refuses_spoils_no_other(
    server: ArxivServer, source: ArxivSource, dialect: Dialect
) -> None:
    server.add(paper("1001.0001", "First"))
    server.fail(
        Fault.error_entry(
            "incorrect id format for 0704.9999", dialect=dialect, fragment="incorrect_id_format_for_0704.9999"
        )
    )
    found = source.fetch(ids("0704.9999", "1001.0001"))
    assert list(found) == ids("1001.0001")
    assert server.asked_ids() == [["0704.9999", "1001.0001"], ["1001.0001"]]


def test_trap_5_a_lookup_says_how_many_it_wants(server: ArxivServer, source: ArxivSource) -> None:
    many = [paper(f"1501.{n:05}", f"Paper {n}") for n in range(1, 38)]
    server.add(*many)
    found = source.fetch([ArxivId(p.id.value) for p in many])
    assert len(found) == 37
    assert len(server.requests) == 1


def test_trap_6_at_most_a_hundred_ids_a_request(server: ArxivServer, source: ArxivSource) -> None:
    many = [paper(f"1501.{n:05}", f"Paper {n}") for n in range(1, 251)]
    server.add(*many)
    found = source.fetch([ArxivId(p.id.value) for p in many])
    assert {i.value: p.title for i, p in found.items()} == {p.id.value: p.title for p in many}
    assert [len(asked) for asked in server.asked_ids()] == [100, 100, 50]
    assert {request.method for request in server.requests} == {"GET"}


def test_trap_7_a_429_is_tried_again_with_growing_pauses(
    server: ArxivServer, source: ArxivSource, clock: FastClock
) -> None:
    server.add(paper("1001.0001", "First"))
    server.fail(Fault.too_fast(), times=3)
    assert len(source.fetch(ids("1001.0001"))) == 1
    assert len(server.requests) == 4
    assert len(clock.slept) == 3
    assert clock.slept[0] < clock.slept[1] < clock.slept[2]


def test_trap_7_a_429_without_end_is_no_verdict(server: ArxivServer, source: ArxivSource) -> None:
    server.fail_always(Fault.too_fast())
    with pytest.raises(SourceUnavailable, match="429") as caught:
        source.fetch(ids("1001.0001"))
    assert caught.value.hint == "try again later"
    assert len(server.requests) == 4


def test_trap_7_every_request_names_citeplug(server: ArxivServer, source: ArxivSource) -> None:
    source.fetch(ids("1001.0001"))
    assert server.requests[0].headers["user-agent"].startswith("citeplug/")


@pytest.mark.parametrize(
    "text", ["attention is all", "ti:attention is all", "dense passage retrieval for open-domain question answering"]
)
def test_trap_8_no_word_falls_out_of_its_field(text: str) -> None:
    query = search_query(text) or ""
    bare = query.replace("(", " ").replace(")", " ").replace('"open-domain"', "open-domain")
    words = [word for word in bare.split() if word not in ("AND", "OR")]
    assert words
    assert all(word.startswith("all:") for word in words)


def test_trap_9_nothing_is_left_to_precedence(server: ArxivServer, source: ArxivSource) -> None:
    server.add(paper("1501.00001", "Dense retrieval of passages with encoders", published=date(2015, 1, 1)))
    late = paper("1901.00001", "Dense retrieval of passages with encoders", published=date(2019, 1, 1))
    server.add(late)
    found = source.search("dense retrieval of passages with encoders", 10, before=date(2016, 1, 1))
    assert [p.id.value for p in found] == ["1501.00001"]
    query = server.asked_queries()[0]
    assert query.startswith("(all:") and ") AND submittedDate:[" in query


@pytest.mark.parametrize(
    "text",
    [
        'say "hello" to robots',
        r"the \emph{Hall} effect in $\mathbb{Z}_2$ crystals",
        "x^2 and y^3 over rings",
        "unbalanced (brackets ) ) [ of { rings",
        "AND OR ANDNOT rings",
        "au:knuth AND NOT ti:sorting",
        'quote" and \\" rings',
        "Ωmega rings – with “dashes”",
        "rings TO [2010 TO 2020]",
    ],
)
def test_trap_10_any_text_is_a_valid_query(server: ArxivServer, source: ArxivSource, text: str) -> None:
    source.search(text, 5)
    assert server.requests
    for query in server.asked_queries():
        assert query.isascii()
        assert not set("\\^$[]{}") & set(query)


def test_trap_11_no_author_field_is_ever_asked_for(server: ArxivServer, source: ArxivSource) -> None:
    source.search("au:del_maestro checkerboard", 5)
    assert all("au:" not in query for query in server.asked_queries())


@pytest.mark.parametrize("title", ["Fra\\\"iss\\'e limits of metric spaces", "Fraïssé limits of metric spaces"])
def test_trap_12_an_accented_title_is_searched_by_its_plain_words(
    server: ArxivServer, source: ArxivSource, title: str
) -> None:
    server.add(paper("1001.0001", title))
    assert [p.id.value for p in source.search(title, 5)] == ["1001.0001"]
    assert "iss" not in server.asked_queries()[0]


def test_trap_13_a_versioned_id_gives_that_version_and_an_unversioned_one_the_latest(
    server: ArxivServer, source: ArxivSource
) -> None:
    server.add(paper("1706.03762v2", "Old title"), paper("1706.03762v7", "New title"))
    found = source.fetch(ids("1706.03762v2", "1706.03762"))
    assert [(found[i].id.version, found[i].title) for i in ids("1706.03762v2", "1706.03762")] == [
        (2, "Old title"),
        (7, "New title"),
    ]


def test_trap_13_another_version_is_no_answer_to_a_versioned_id(server: ArxivServer, source: ArxivSource) -> None:
    server.add(paper("1706.03762v7", "New title"))
    status, body, _ = server.answer(_lookup("1706.03762"))
    server.fail(Fault.feed(body, status), times=1)
    assert source.fetch(ids("1706.03762v9")) == {}


def test_trap_14_published_is_the_first_version_and_updated_the_latest(
    server: ArxivServer, source: ArxivSource
) -> None:
    server.add(paper("1706.03762v7", "Attention", published=date(2017, 6, 12), updated=date(2023, 8, 2)))
    (found,) = source.fetch(ids("1706.03762")).values()
    assert (found.published, found.updated) == (date(2017, 6, 12), date(2023, 8, 2))


@pytest.mark.parametrize("arxiv_id", ["hep-th/9901001", "cmp-lg/9404001", "0704.0001", "1412.9999", "1501.00001"])
def test_trap_15_ids_of_every_age_are_found(server: ArxivServer, source: ArxivSource, arxiv_id: str) -> None:
    server.add(paper(arxiv_id, "A paper"))
    assert list(source.fetch(ids(arxiv_id))) == ids(arxiv_id)


def test_trap_17_names_come_without_white_space_around_them(server: ArxivServer, source: ArxivSource) -> None:
    names = (" H1 Collaboration", "Herbert Van de  Sompel", ":", "Łukasz  Kaiser")
    server.add(paper("hep-ex/0307015", "Electrons", authors=names))
    (found,) = source.fetch(ids("hep-ex/0307015")).values()
    assert found.authors == ("H1 Collaboration", "Herbert Van de Sompel", "Łukasz Kaiser")


@pytest.mark.parametrize(
    ("given", "clean"),
    [
        ("10.1016/j.dam.2012.12.006.", "10.1016/j.dam.2012.12.006"),
        ("10.1080/01621459.2015.1#sthash.abc", "10.1080/01621459.2015.1"),
        ("10.1103/PhysRevD.49.3499 10.1103/PhysRevD.53.4111", "10.1103/PhysRevD.49.3499"),
        ("10.3233/FI-2011-428; 10.3233/FI-2011-429", "10.3233/FI-2011-428"),
        ("https://doi.org/10.1/x", None),
        ("https://doi.org/10.1000/x", "10.1000/x"),
        ("10.1175/1520-0469(1995)052<2404:DCITAD>2.0.CO;2", "10.1175/1520-0469(1995)052<2404:DCITAD>2.0.CO;2"),
        ("1904.04794", None),
    ],
)
def test_trap_18_dirty_dois_are_cleaned(
    server: ArxivServer, source: ArxivSource, given: str, clean: str | None
) -> None:
    server.add(paper("1001.0001", "First", doi=given))
    (found,) = source.fetch(ids("1001.0001")).values()
    assert found.doi == clean


def test_trap_19_two_ids_with_one_title_stay_two_papers(server: ArxivServer, source: ArxivSource) -> None:
    server.add(paper("1611.03019", "Twin rings"), paper("1610.04405", "Twin rings"))
    assert {p.id.value for p in source.search("twin rings", 5)} == {"1611.03019", "1610.04405"}


def test_trap_20_a_withdrawn_paper_is_told_by_its_comment(server: ArxivServer, source: ArxivSource) -> None:
    server.add(paper("1001.0001", "First", comment="This paper has been withdrawn\n by the author"))
    (found,) = source.fetch(ids("1001.0001")).values()
    assert possibly_withdrawn(found)


@pytest.mark.parametrize("atom", [True, False])
@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_trap_21_a_server_error_is_tried_again_whatever_its_body(
    server: ArxivServer, source: ArxivSource, status: int, atom: bool
) -> None:
    server.add(paper("1001.0001", "First"))
    server.fail(Fault.http(status, atom=atom), times=2)
    assert len(source.fetch(ids("1001.0001"))) == 1
    assert len(server.requests) == 3


def test_trap_21_an_empty_page_amid_others_is_asked_for_again(server: ArxivServer, source: ArxivSource) -> None:
    server.add(*(paper(f"1501.{n:05}", f"Rings {n}") for n in range(1, 151)))
    server.replay(lambda asked: Fault.empty_page() if len(server.requests) in (2, 3) else None)
    found = source.search("rings", 150)
    assert len({p.id for p in found}) == 150
    assert [r.params["start"] for r in server.requests] == ["0", "100", "100", "100"]


def test_trap_21_empty_pages_without_end_are_an_outage(server: ArxivServer, source: ArxivSource) -> None:
    server.add(paper("1001.0001", "First"))
    server.fail_always(Fault.empty_page())
    with pytest.raises(SourceUnavailable, match="empty page"):
        source.fetch(ids("1001.0001"))


def test_trap_21_a_batch_of_which_nothing_is_known_has_to_be_said_twice(
    server: ArxivServer, source: ArxivSource
) -> None:
    assert source.fetch(ids("1901.00001", "1901.00002")) == {}
    assert len(server.requests) == 2


def test_trap_22_an_invented_id_that_exists_brings_its_true_paper(server: ArxivServer, source: ArxivSource) -> None:
    server.add(paper("math/9501234", "Aztec diamonds", authors=("Donald E. Knuth",)))
    (found,) = source.fetch(ids("math/9501234")).values()
    assert (found.title, found.authors) == ("Aztec diamonds", ("Donald E. Knuth",))

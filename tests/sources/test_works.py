"""The three services over a real socket: what is sent, what is kept, and what an outage is."""

import json
import re
import urllib.parse
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug import __version__
from citeplug.errors import SourceUnavailable
from citeplug.protocols import WorkSource
from citeplug.records.work import SERVICES, Service, Work
from citeplug.settings.environment import Settings
from citeplug.sources import crossref, dblp, openalex
from citeplug.sources.http import Patience
from citeplug.sources.work_service import A_DAY, A_WEEK, title_words, usable_doi
from citeplug.sources.works import open_sources
from tests.harness.arxiv_server import FastClock, Fault
from tests.harness.work_server import WorkServer, published

PAPER = published("Toward Unique Identifiers of Everything", "Paskin, Norman", doi="10.1109/5.771073", year=1999)
BOTH = pytest.mark.parametrize("service", ["crossref", "openalex"])
ALL = pytest.mark.parametrize("service", SERVICES)
Open = Callable[..., WorkSource]


@pytest.fixture
def server() -> Iterator[WorkServer]:
    with WorkServer(PAPER).serve() as running:
        assert isinstance(running, WorkServer)
        yield running


@pytest.fixture
def clock() -> FastClock:
    return FastClock()


@pytest.fixture
def open_source(server: WorkServer, clock: FastClock, tmp_path: Path) -> Open:
    def opened(service: Service, announce: Any = None, patience: Patience | None = None, **changes: Any) -> WorkSource:
        settings = Settings(
            tmp_path / "home",
            offline=False,
            crossref_url=f"{server.root}/crossref",
            openalex_url=f"{server.root}/openalex",
            dblp_url=f"{server.root}/dblp/search/publ/api",
            semanticscholar_url=f"{server.root}/semanticscholar",
            sources_delay=0.0,
        )
        return open_sources([service], replace(settings, **changes), announce=announce, patience=patience, clock=clock)[
            0
        ]

    return opened


def search(source: WorkSource) -> list[str]:
    return [work.title for work in source.by_title("{T}oward {U}nique {I}dentifiers of Everything", ["Paskin"])]


@ALL
def test_a_work_is_found_by_its_title(open_source: Open, service: Service) -> None:
    assert search(open_source(service)) == [PAPER.title]


@BOTH
def test_a_work_is_found_by_its_doi_in_any_case(open_source: Open, service: Service) -> None:
    work = open_source(service).by_doi("10.1109/5.771073".upper())
    assert work is not None
    assert (work.service, work.title, work.authors) == (service, PAPER.title, ("Norman Paskin",))


@BOTH
def test_an_unknown_doi_is_no_work_and_no_outage(open_source: Open, service: Service) -> None:
    assert open_source(service).by_doi("10.1109/none") is None


def test_dblp_says_that_it_knows_no_dois(open_source: Open, server: WorkServer) -> None:
    source = open_source("dblp")
    assert (source.knows_dois, source.by_doi("10.1109/5.771073"), server.requests) == (False, None, [])


@ALL
def test_nothing_found_is_an_empty_answer(open_source: Open, service: Service) -> None:
    assert open_source(service).by_title("zebra xylophone", []) == []


@ALL
def test_what_was_answered_is_not_asked_again_until_it_is_old(
    open_source: Open, server: WorkServer, clock: FastClock, service: Service
) -> None:
    assert search(open_source(service)) == search(open_source(service))
    assert len(server.requests) == 1
    clock.sleep(A_WEEK + 1)
    search(open_source(service))
    assert len(server.requests) == 2


def test_that_there_is_nothing_lasts_a_day(open_source: Open, server: WorkServer, clock: FastClock) -> None:
    for pause in (0, A_DAY - 60, 120):
        clock.sleep(pause)
        assert open_source("dblp").by_title("zebra xylophone", []) == []
    assert len(server.requests) == 2


@ALL
def test_offline_nothing_is_sent_not_even_to_this_machine(
    open_source: Open, server: WorkServer, service: Service
) -> None:
    with pytest.raises(SourceUnavailable, match="offline"):
        search(open_source(service, offline=True))
    assert server.requests == []


@ALL
def test_only_words_of_the_title_and_surnames_are_sent(open_source: Open, server: WorkServer, service: Service) -> None:
    search(open_source(service))
    sent = set(re.findall(r"[a-z]+", urllib.parse.unquote_plus(server.requests[0].path).lower()))
    assert {"toward", "unique", "identifiers", "everything"} <= sent
    assert ("paskin" in sent) == (service == "crossref")
    assert not sent & {"norman", "1999"}


@ALL
def test_the_user_agent_names_citeplug_and_no_address_that_was_not_given(
    open_source: Open, server: WorkServer, service: Service
) -> None:
    search(open_source(service))
    open_source(service, mailto="ada@example.org").by_title("another title altogether", [])
    assert [r.headers["user-agent"] for r in server.requests] == [
        f"citeplug/{__version__}",
        f"citeplug/{__version__} (mailto:ada@example.org)",
    ]


def test_the_key_for_openalex_goes_there_alone_and_never_into_an_address(
    open_source: Open, server: WorkServer, tmp_path: Path
) -> None:
    for service in SERVICES:
        search(open_source(service, openalex_key="s3cret"))
    assert [r.headers.get("authorization") for r in server.requests] == [None, "Bearer s3cret", None, None]
    assert not any("s3cret" in r.path for r in server.requests)
    assert b"s3cret" not in (tmp_path / "home" / "works-1.sqlite3").read_bytes()


@ALL
def test_what_is_sent_is_announced_once_and_before(open_source: Open, server: WorkServer, service: Service) -> None:
    said: list[tuple[str, int]] = []
    source = open_source(service, announce=lambda text: said.append((text, len(server.requests))))
    search(source)
    source.by_title("another title altogether", [])
    assert [number for _, number in said] == [0]
    assert "words of titles" in said[0][0]


@ALL
@pytest.mark.parametrize(
    "fault",
    [
        Fault.http(500),
        Fault.http(503),
        Fault.cut_off(),
        Fault.cut_off(40),
        Fault.page(),
        Fault(body=b'{"status": "ok", "mess', content_type="application/json"),
        Fault(body=b"[" * 100_000, content_type="application/json"),
        Fault(body=b'{"results": 3, "message": {"items": "no"}, "result": []}', content_type="application/json"),
        Fault(body=b"", content_type="application/json"),
        Fault(403, b"<html>Forbidden</html>"),
        Fault(401, b'{"error": "API key"}', "application/json"),
        Fault.redirect("http://elsewhere.example/works"),
    ],
    ids=lambda fault: f"{fault.status}-{(fault.body or b'cut')[:12].decode()}",
)
def test_a_broken_answer_is_an_outage_and_no_answer(
    open_source: Open, server: WorkServer, service: Service, fault: Fault
) -> None:
    server.fail_always(fault)
    source = open_source(service)
    with pytest.raises(SourceUnavailable) as raised:
        search(source)
    assert raised.value.hint
    server.fail_always(None)
    assert search(source) == [PAPER.title]


@ALL
def test_one_hiccup_is_got_over(open_source: Open, server: WorkServer, service: Service) -> None:
    server.fail(Fault.http(502))
    assert search(open_source(service)) == [PAPER.title]


@ALL
def test_retry_after_is_waited_for(open_source: Open, server: WorkServer, clock: FastClock, service: Service) -> None:
    server.fail(Fault.too_fast("7"))
    assert search(open_source(service)) == [PAPER.title]
    assert sum(clock.slept) >= 6.9  # the pause ends at a time, and a moment of it has passed


def test_a_long_retry_after_ends_the_asking_and_is_told(open_source: Open, server: WorkServer) -> None:
    server.fail(Fault.too_fast("3600"))
    source = open_source("crossref")
    with pytest.raises(SourceUnavailable) as raised:
        search(source)
    assert "minutes" in raised.value.hint
    with pytest.raises(SourceUnavailable):
        search(source)
    assert len(server.requests) == 1


def test_a_refusal_of_openalex_tells_of_the_free_key(open_source: Open, server: WorkServer) -> None:
    server.fail_always(Fault.too_fast("86400"))
    with pytest.raises(SourceUnavailable) as raised:
        search(open_source("openalex"))
    assert "OPENALEX_API_KEY" in raised.value.hint
    with pytest.raises(SourceUnavailable) as raised:
        open_source("openalex", openalex_key="k").by_title("another title", [])
    assert "OPENALEX_API_KEY" not in raised.value.hint


def test_a_reply_without_end_is_cut_short(open_source: Open, server: WorkServer) -> None:
    server.fail_always(Fault.gigantic(3_000_000))
    with pytest.raises(SourceUnavailable, match="larger"):
        search(open_source("crossref", patience=Patience(size=2_000_000)))


def test_at_most_ten_works_come_of_a_long_list(open_source: Open, server: WorkServer) -> None:
    server.works = [replace(PAPER, doi=f"10.1/{n}") for n in range(300)]
    hits = [{"info": {"title": "Toward unique identifiers of everything.", "year": "1999"}}] * 3000
    body = json.dumps({"result": {"hits": {"hit": hits}, "status": {"@code": "200"}}}).encode()
    assert len(search(open_source("crossref"))) == 10
    server.fail(Fault(body=body, content_type="application/json"))
    assert len(search(open_source("dblp"))) == 10


def test_the_services_themselves_are_not_asked_faster_than_they_wish(
    server: WorkServer, clock: FastClock, tmp_path: Path
) -> None:
    settings = Settings(tmp_path, dblp_url=f"{server.root}/dblp/search/publ/api")
    source = open_sources(["dblp"], settings, clock=clock)[0]
    for title in ("first title here", "second title there"):
        source.by_title(title, [])
    assert sum(clock.slept) >= 1.9


@pytest.mark.parametrize(
    "title",
    [
        'a" OR author:smith | $x -y .z _w: (everything), title.search:foo&rows=9#frag?',
        "NOT AND OR ../../admin?q=%22&format=xml",
        "{\\input{/etc/passwd}} \\\\ $\\alpha$ \x00\x1b[2J",
        "深層学習の入門",
        "$",
        "",
    ],
)
@ALL
def test_no_title_says_anything_in_the_language_of_a_service(
    open_source: Open, server: WorkServer, service: Service, title: str
) -> None:
    open_source(service).by_title(title, [title])
    for request in server.requests:
        assert set(request.params) <= {
            *("query.bibliographic", "rows", "select", "filter", "per-page", "q", "format", "h", "c"),
            *("query", "fields", "limit", "offset"),
        }
        named = (request.params.get(name) for name in ("q", "query", "query.bibliographic"))
        words = next(filter(None, named), None) or request.params["filter"][13:]
        assert all(letter.isalnum() or letter == " " for letter in words)
        assert not {"AND", "OR", "NOT"} & set(words.split())


@BOTH
@pytest.mark.parametrize(
    "doi", ["", "10.1/a b", "../works", "10.1109/5.771073?rows=1000", "10.1/a#b&c=d,e|f", "10.9/" + "x" * 400]
)
def test_no_doi_leaves_its_place_in_the_address(
    open_source: Open, server: WorkServer, service: Service, doi: str
) -> None:
    assert open_source(service).by_doi(doi) is None
    for request in server.requests:
        assert set(request.params) <= {"select"}
        assert request.path.count("/") == 3


@given(st.text(max_size=200), st.integers(1, 12))
def test_title_words_are_few_and_plain(title: str, most: int) -> None:
    words = title_words(title, most)
    assert len(words) == len(set(words)) <= most
    assert all(word.isalnum() for word in words)


def test_the_longest_ascii_words_of_a_title_are_searched_for() -> None:
    title = "On the {\\'E}tale Cohomology of $\\mathbb{P}^1$ and Schr{\\\"o}dinger Operators"
    assert title_words(title, 3) == ["cohomology", "schrödinger", "operators"]


@given(st.text(max_size=60) | st.from_regex(r"10\.\d{4,9}/.{0,20}"))
def test_a_usable_doi_has_no_white_space_and_no_controls(text: str) -> None:
    found = usable_doi(text)
    assert found is None or re.fullmatch(r"10\.\d{4,9}/[^\s\x00-\x1f]+", found)


@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("name", "read", "works"),
    [
        ("fastpaper_crossref_search", crossref.read_list, 3),
        ("malkreide_crossref_works", crossref.read_list, 2),
        ("paperqa_test_bad_titles_0", crossref.read_list, 0),
        ("paperqa_test_arxiv_doi_is_used_when_available_0", crossref.read_list, 1),
        ("refchecker_crossref_2", lambda items: crossref.read_list({"message": {"items": items}}), 5),
        ("refchecker_crossref_3", lambda items: crossref.read_list({"message": {"items": items}}), 5),
        ("fastpaper_openalex_search", openalex.read_list, 3),
        ("refchecker_openalex_1", lambda items: openalex.read_list({"results": items}), 1),
        ("refchecker_openalex_2", lambda items: openalex.read_list({"results": items}), 2),
        ("refchecker_openalex_3", lambda items: openalex.read_list({"results": items}), 2),
        ("refchecker_dblp_2", lambda items: dblp.read_list({"result": {"hits": {"hit": items}}}), 2),
        ("refchecker_dblp_3", lambda items: dblp.read_list({"result": {"hits": {"hit": items}}}), 5),
    ],
)
def test_recorded_replies_are_read(shared_data: Path, name: str, read: Callable[[Any], list[Work]], works: int) -> None:
    found = read(json.loads((shared_data / "feeds" / f"{name}.json").read_text("utf-8")))
    assert len(found) == works
    assert all(work.title and not re.search(r"[<>]|&\w+;", work.title) for work in found)
    assert all(not re.search(r"\d{4}$", author) for work in found for author in work.authors)

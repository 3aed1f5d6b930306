import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree

import arxiv
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.errors import SourceUnavailable
from citeplug.records.paper import ArxivId
from citeplug.settings.environment import Settings
from citeplug.sources.arxiv import ArxivSource
from citeplug.sources.arxiv_feed import read_feed
from citeplug.sources.xml_tree import NotAFeed
from tests.harness.arxiv_feeds import Dialect, render_feed
from tests.harness.arxiv_server import ArxivServer, FastClock, Fault, paper

ATOM = "{http://www.w3.org/2005/Atom}"
DIALECTS: list[Dialect] = ["old", "new"]
OWN = "{http://arxiv.org/schemas/atom}"


def feed(*papers: Any, total: int | None = None) -> bytes:
    return render_feed(list(papers), len(papers) if total is None else total, 0, 10, "x", "new").encode()


def test_a_feed_is_counted() -> None:
    read = read_feed(feed(paper("1001.0001", "A"), paper("1001.0002", "B"), total=7))
    assert (read.entries, read.total, read.errors) == (2, 7, [])


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"Rate exceeded.",
        b"<html><body>no</body></html>",
        b"<!DOCTYPE html><html></html>",
        b"<feed><entry/></feed>",
        b'<feed xmlns="http://www.w3.org/2005/Atom">',
        b'<feed xmlns="http://www.w3.org/2005/Atom">&eacute;</feed>',
        b'<?xml version="1.0" encoding="UTF-7"?><feed xmlns="http://www.w3.org/2005/Atom"/>',
        '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"/>'.encode("utf-16"),
        b'<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>x</id></entry></feed>',
        feed(paper("1001.0001", "A")).replace(b"<published>2010", b"<published>MMX"),
        feed(paper("1001.0001", "A"))[:-20],
    ],
)
def test_what_is_no_whole_feed_is_refused(body: bytes) -> None:
    with pytest.raises(NotAFeed):
        read_feed(body)


@given(st.integers(0, 2000))
def test_a_feed_cut_anywhere_is_refused(at: int) -> None:
    whole = feed(paper("1001.0001", "A"), paper("1001.0002", "B")).rstrip()
    if at >= len(whole):
        return
    with pytest.raises(NotAFeed):
        read_feed(whole[:at])


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(body: bytes) -> None:
    try:
        read_feed(body)
    except NotAFeed:
        return


def test_an_encoding_that_the_feed_declares_is_used() -> None:
    body = feed(paper("1001.0001", "Über")).decode().replace("UTF-8", "ISO-8859-1").encode("latin-1")
    assert [found.title for found in read_feed(body).papers] == ["Über"]


# Recorded replies, replayed over a real socket

FEEDS = Path(__file__).parents[2].parent / "shared" / "data" / "feeds"
RECORDED: list[dict[str, Any]] = (
    json.loads((FEEDS / "index.json").read_text(encoding="utf-8")) if (FEEDS / "index.json").is_file() else []
)
ATOM_FILES = [pytest.param(r, id=r["file"]) for r in RECORDED if r["kind"] == "atom"]
if not ATOM_FILES:
    ATOM_FILES = [pytest.param({}, marks=pytest.mark.skip("the recorded feeds are not beside the project"))]


@contextmanager
def replaying(recorded: dict[str, Any], home: Path) -> Iterator[tuple[ArxivServer, ArxivSource]]:
    body = (FEEDS / recorded["file"]).read_bytes()
    with ArxivServer().serve() as server:
        server.fail_always(Fault.feed(body, recorded["status"]))
        yield server, ArxivSource(Settings(home, server.url, arxiv_delay=0.0), clock=FastClock())


def said(recorded: dict[str, Any]) -> list[dict[str, Any]]:
    """What the entries of a recorded feed say, read in another way than the adapter does."""
    root = ElementTree.parse(FEEDS / recorded["file"]).getroot()
    return [
        {
            "id": (e.findtext(f"{ATOM}id") or "").rpartition("/abs/")[2],
            "title": " ".join((e.findtext(f"{ATOM}title") or "").split()),
            "abstract": " ".join((e.findtext(f"{ATOM}summary") or "").split()),
            "authors": [" ".join((a.findtext(f"{ATOM}name") or "").split()) for a in e.findall(f"{ATOM}author")],
            "published": (e.findtext(f"{ATOM}published") or "")[:10],
            "updated": (e.findtext(f"{ATOM}updated") or "")[:10],
            "comment": " ".join((e.findtext(f"{OWN}comment") or "").split()) or None,
            "journal_ref": " ".join((e.findtext(f"{OWN}journal_ref") or "").split()) or None,
        }
        for e in root.findall(f"{ATOM}entry")
    ]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_arxiv_package_reads_the_same_in_a_feed(dialect: Dialect) -> None:
    papers = [paper("hep-ex/0307015v2", "On  x < y", doi="10.1140/epjc", comment="3 pages"), paper("1001.0001", "Über")]
    body = render_feed(papers, 2, 0, 10, "x", dialect).encode()
    with ArxivServer().serve() as server:
        server.fail_always(Fault.feed(body, 200))
        client = arxiv.Client(page_size=10, delay_seconds=0, num_retries=0)
        client.query_url_format = server.url + "?{}"
        others = list(client.results(arxiv.Search("x", max_results=10)))
    assert [
        (str(p.id), p.title, p.abstract, list(p.authors), list(p.categories), p.doi, p.comment, p.published, p.updated)
        for p in read_feed(body).papers
    ] == [
        (
            other.get_short_id(),
            *(" ".join(text.split()) for text in (other.title, other.summary)),
            [author.name for author in other.authors],
            other.categories,
            other.doi,
            other.comment,
            other.published.date(),
            other.updated.date(),
        )
        for other in others
    ]


def told(found: Any) -> dict[str, Any]:
    return {
        "id": str(found.id),
        "title": found.title,
        "abstract": found.abstract,
        "authors": list(found.authors),
        "published": found.published.isoformat(),
        "updated": found.updated.isoformat(),
        "comment": found.comment,
        "journal_ref": found.journal_ref,
    }


@pytest.mark.shared_data
@pytest.mark.parametrize("recorded", ATOM_FILES)
def test_a_recorded_feed_says_through_the_adapter_what_it_says(recorded: dict[str, Any], tmp_path: Path) -> None:
    is_error = "api/errors" in (FEEDS / recorded["file"]).read_text(encoding="utf-8")
    with replaying(recorded, tmp_path) as (_, source):
        if is_error:
            with pytest.raises(SourceUnavailable):
                source.search("testing", 10)
            return
        expected = said(recorded)
        # As many as the page holds, so that no second page is asked for.
        found = source.search("testing", len(expected) or 10)
    assert [told(p) for p in found] == expected
    assert all(p.categories for p in found if "ext_precedence" not in recorded["file"])
    assert all(p.doi is None or p.doi.startswith("10.") for p in found)


@pytest.mark.shared_data
@pytest.mark.parametrize("recorded", ATOM_FILES)
def test_a_recorded_lookup_answers_the_ids_that_were_asked(recorded: dict[str, Any], tmp_path: Path) -> None:
    asked = parse_qs(urlsplit(recorded["url"]).query).get("id_list", [""])[0]
    if not asked:
        return
    ids = []
    for text in asked.split(","):
        try:
            ids.append(ArxivId.parse(text))
        except ValueError:
            ids.append(ArxivId(text))
    with replaying(recorded, tmp_path) as (_, source):
        found = source.fetch(ids)
    expected = {entry["id"]: entry for entry in said(recorded) if "/api/" not in entry["id"] and "v" in entry["id"]}
    assert {str(p.id) for p in found.values()} == set(expected)
    for arxiv_id, got in found.items():
        assert got.id.value == arxiv_id.value
        assert told(got) == expected[str(got.id)]


@pytest.mark.shared_data
def test_the_recorded_429_is_an_outage(shared_data: Path, tmp_path: Path) -> None:
    body = (shared_data / "feeds" / "ext_429_body.txt").read_bytes()
    with ArxivServer().serve() as server:
        server.fail_always(Fault(429, body, "text/plain"))
        source = ArxivSource(Settings(tmp_path, server.url, arxiv_delay=0.0), clock=FastClock())
        with pytest.raises(SourceUnavailable, match="429"):
            source.fetch([ArxivId("1605.08386")])

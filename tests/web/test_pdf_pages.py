"""The PDF beside what is quoted from it, by its pages alone."""

import hashlib
import json
import shutil
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from citeplug.bib.collect_library import add
from citeplug.corpus.fulltext.from_pdf import read_pdf
from citeplug.corpus.fulltext.store import TextStore
from citeplug.corpus.stores import settings
from citeplug.records.passage import PaperText
from citeplug.web import pages
from tests.harness.pdf_files import paper_pdf
from tests.web.browser import Browser, reviewed

PDFJS = Path(pages.__file__).parent / "static" / "pdfjs"
DIGESTS = {  # of pdfjs-dist 5.6.205
    "pdf.min.mjs": "2221020ea508479dcc1221f36f2731656339230097c69ba1f78802832c0ad685",
    "pdf.worker.min.mjs": "51a2fd1ea47f1a9b0814e65e0c336c739c54957795ee774e8f93cb81e8028dd1",
}


def source_of(main: Path) -> Any:
    """The source of the first sentence."""
    record = json.loads((main.parent / ".citeplug" / "provenance.json").read_text("utf-8"))
    return record["sentences"][0]["sources"][0]


def pdf_with(quote: str) -> bytes:
    return paper_pdf("A Paper on Graphs", [("Introduction", "It begins. " * 20), ("Method", f"We say this. {quote}.")])


@pytest.fixture
def own(written: Path, library_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The PDF of the first source, in the library of a user's folder of its own."""
    monkeypatch.setenv("CITEPLUG_HOME", str(shutil.copytree(library_home, tmp_path / "home", symlinks=True)))
    source = source_of(written)
    file = tmp_path / f"{source['arxiv_id']}.pdf"
    file.write_bytes(pdf_with(source["quote"]))
    add(settings(offline=True), [file], lambda *_: None)
    return file


@pytest.fixture
def reading(own: Path, written: Path) -> Iterator[Browser]:
    with reviewed(written) as browser:
        browser.start()
        yield browser


def test_pdf_js_is_the_one_that_is_named() -> None:
    assert {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in PDFJS.glob("*.mjs")} == DIGESTS
    said = (PDFJS / "README.md").read_text("utf-8")
    assert "5.6.205" in said and "Apache License 2.0" in said
    assert b"pdfjsVersion = 5.6.205" in (PDFJS / "pdf.min.mjs").read_bytes()
    assert "isEvalSupported: false" in (PDFJS.parent / "pdf.js").read_text("utf-8")


def test_a_source_leads_to_the_author_s_own_pdf(reading: Browser, written: Path, own: Path) -> None:
    source = source_of(written)
    assert 'href="/pdf?at=p1.1&source=1"' in reading.open("/?at=p1.1")
    page = reading.open("/pdf?at=p1.1&source=1")
    assert f"<mark>{source['quote']}</mark>" in page
    file = f"/pdf/file?paper={source['arxiv_id']}"
    assert f'href="{file}"' in page and f'data-file="{file}"' in page and 'id="pdf"' in page
    reply = reading.ask("GET", file)
    assert (reply.status, reply.headers["content-type"], reply.data) == (200, "application/pdf", own.read_bytes())
    assert reply.headers["x-content-type-options"] == "nosniff"
    own.unlink()
    assert "/pdf?at" not in reading.open("/?at=p1.1")
    assert reading.ask("GET", file).status == 409


def test_pdf_js_may_run_nothing_that_a_pdf_brings(reading: Browser) -> None:
    for name in ("pdf.js", "pdfjs/pdf.min.mjs", "pdfjs/pdf.worker.min.mjs"):
        reply = reading.ask("GET", f"/static/{name}")
        assert (reply.status, reply.headers["content-type"].partition(";")[0]) == (200, "text/javascript")
        policy = reply.headers["content-security-policy"]
        assert policy.startswith("default-src 'self';") and "unsafe" not in policy and "script-src" not in policy


def test_what_arxiv_sent_as_a_pdf_is_shown_at_its_page(
    written: Path, library_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Path(shutil.copytree(library_home, tmp_path / "home", symlinks=True))
    monkeypatch.setenv("CITEPLUG_HOME", str(home))
    path = written.parent / ".citeplug" / "provenance.json"
    record = json.loads(path.read_text("utf-8"))
    source = record["sentences"][0]["sources"][0]
    data = pdf_with(source["quote"])
    read = read_pdf(data)
    with closing(TextStore(home)) as store:
        store.put(PaperText(source["arxiv_id"], 1, "pdf", read.title, read.sections), date(2026, 1, 1), data)
    source |= {"of": "full text", "section": "Method", "page": 1, "version": 1}
    path.write_text(json.dumps(record), "utf-8")
    with reviewed(written) as browser:
        browser.start()
        assert "Show it in the PDF, page 1" in browser.open("/?at=p1.1")
        page = browser.open("/pdf?at=p1.1&source=1")
        file = f"/pdf/file?paper={source['arxiv_id']}"
        assert f'href="{file}#page=1"' in page and 'data-page="1"' in page
        assert browser.ask("GET", file).data == data
        with closing(TextStore(home)) as store:
            store.remove([1])
        assert browser.ask("GET", file).status == 409


@pytest.mark.parametrize(
    "asked",
    [
        "/pdf/file",
        "/pdf/file?paper=",
        "/pdf/file?paper=..%2F..%2Fpaper.pdf",
        "/pdf/file?paper=%2Fetc%2Fpasswd",
        "/pdf/file?paper=1706.99999",
        "/pdf",
        "/pdf?at=p1.1&source=0",
        "/pdf?at=p1.1&source=%C2%B2",
        "/pdf?at=p9.9&source=1",
        "/pdf?turn=1&sentence=1&citation=1",
    ],
)
def test_nothing_else_is_served(reading: Browser, own: Path, asked: str) -> None:
    reply = reading.ask("GET", asked.replace("paper.pdf", own.name))
    assert reply.status == 409 and b"%PDF" not in reply.data


def test_a_file_that_is_no_pdf_any_more_is_not_served(reading: Browser, written: Path, own: Path) -> None:
    own.write_bytes(b"secret")
    assert reading.ask("GET", f"/pdf/file?paper={source_of(written)['arxiv_id']}").status == 409
    own.unlink()
    own.mkdir()
    assert reading.ask("GET", f"/pdf/file?paper={source_of(written)['arxiv_id']}").status == 409


def test_a_pdf_needs_the_cookie_and_no_other_page_may_ask_for_it(reading: Browser, written: Path) -> None:
    file = f"/pdf/file?paper={source_of(written)['arxiv_id']}"
    assert reading.ask("GET", file, Cookie=None).status == 403
    assert reading.ask("GET", file, Sec_Fetch_Site="cross-site").status == 403
    assert reading.ask("GET", file, Host="evil.example").status == 421

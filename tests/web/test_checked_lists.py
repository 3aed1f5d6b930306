"""A list of references that is dropped without a draft: the report of the command line, and a corrected copy."""

import re
from datetime import date
from pathlib import Path

import pytest

from tests.bib.test_fix_bibliography import catalogue
from tests.corpus.fulltext.test_from_pdf import prose
from tests.corpus.fulltext.test_word_citations import docx, paragraph
from tests.harness.arxiv_server import ArxivServer
from tests.harness.arxiv_server import paper as listed
from tests.harness.papers import paper
from tests.harness.pdf_files import paper_pdf
from tests.harness.waiting import until
from tests.web.browser import PATIENCE, Browser, Reply, reviewed

BIB = (
    b"@misc{berg,\r\n  title={Strings on a Spheer},\r\n  author={Ann Berg},\r\n  year=2010,\r\n"
    b"  eprint={1001.0001}\r\n}\r\n"
)
PRINTED = "[1] Ann Brown and Ben Other. The sampling of neighbours in trees. arXiv preprint arXiv:1001.0001, 2017."


@pytest.fixture
def with_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITEPLUG_HOME", str(tmp_path / "own"))
    record = paper("1001.0001", "Strings on a Sphere", ("Ann Berg",), date(2010, 1, 4))
    with catalogue(tmp_path / "own", record):
        pass


def follow(browser: Browser, name: str, data: bytes, path: str = "/lists", **fields: str) -> Reply:
    browser.token = re.findall(r'name="token" value="([^"]+)"', browser.ask("GET", "/open").text)[0]
    shown = browser.upload(path, (name, data), **fields)
    if (place := _place(shown)) is None:
        return shown

    def end() -> Reply | None:
        again = browser.ask("GET", f"{place}/check")
        return None if 'http-equiv="refresh"' in again.text else again

    found = until(end, "the check does not end", PATIENCE)
    assert found is not None
    return found


def _place(reply: Reply) -> str | None:
    """The address of the list that a page is of."""
    found = re.search(r'data-base="(/lists/[0-9a-f]+)"', reply.text)
    return found and found[1]


def test_a_cause_has_one_group_with_its_warnings_and_notes(project: Path) -> None:
    fields = "author={Ann Berg}, title={Strings on a Sphere}, year=2010"
    bib = f"@article{{berg, {fields}, eprint={{1001.0001}}}}\n@article{{other, author={{Ann Lee}}, title={{Trees}}}}\n"
    with reviewed(project) as browser:
        browser.start()
        page = follow(browser, "refs.bib", bib.encode()).text
        assert page.count("<h2>A field is missing") == 1 and "1 warning, 1 note</span>" in page


def test_a_bib_file_is_reported_on_and_comes_back_with_its_corrections_and_no_other_change(
    project: Path, with_record: None
) -> None:
    with reviewed(project) as browser:
        browser.start()
        page = follow(browser, "refs.bib", BIB)
        assert (
            "Check of refs.bib" in page.text
            and "1 of 1 entry has been compared with a record: 1 different from" in page.text
        )
        assert "refs.bib:1" in page.text and "/own/" not in page.text
        place = _place(page)
        line = re.search(r'href="(/lists/[0-9a-f]+/draft[^"#]+)', page.text)
        assert line and 'class="here"><i>1</i> @misc{berg,' in browser.ask("GET", line[1].replace("&amp;", "&")).text
        saved = browser.ask("GET", f"{place}/report.html")
        assert "<style>" in saved.text and "attachment" in saved.headers["content-disposition"]
        assert "Strings on a <del>Spheer</del> <ins>Sphere</ins>" in saved.text
        corrected = browser.ask("GET", f"{place}/0.bib")
        assert corrected.data == BIB.replace(b"Spheer", b"Sphere")
        assert browser.ask("GET", f"{place}/7.bib").status == 303


@pytest.mark.parametrize("kind", ["pdf", "docx", "txt", "bbl"])
def test_a_printed_list_is_reported_on_by_the_same_page(project: Path, with_record: None, kind: str) -> None:
    data = {
        "pdf": paper_pdf("A Paper", [("Introduction", prose(1) + prose(2)), ("References", PRINTED)]),
        "docx": docx("".join(map(paragraph, ["We cite [1].", "References", PRINTED]))),
        "txt": f"We cite [1].\n\nReferences\n\n{PRINTED}\n".encode(),
        "bbl": b"\\begin{thebibliography}{1}\n\\bibitem{a} " + PRINTED[4:].encode() + b"\n\\end{thebibliography}\n",
    }[kind]
    with reviewed(project) as browser:
        browser.start()
        page = follow(browser, f"mine.{kind}", data)
        assert f"Check of mine.{kind}" in page.text and "Strings on a Sphere" in page.text
        assert not re.search(r"/lists/[0-9a-f]+/\d+\.bib", page.text)


def test_a_bibliography_dropped_where_drafts_are_opened_is_checked(project: Path, with_record: None) -> None:
    with reviewed(project) as browser:
        browser.start()
        assert "Check of refs.bib" in follow(browser, "refs.bib", BIB, "/open").text


def test_a_check_that_compared_nothing_says_so_first(project: Path, with_record: None) -> None:
    with reviewed(project) as browser:
        browser.start()
        page = follow(
            browser, "refs.bib", b"@book{a, title={A Book}, author={Berg, Ada}, year={1999}, publisher={P}}"
        ).text
        assert "None of 1 entry has been compared with a record yet: 1 with no arXiv record" in page


def test_a_file_without_a_list_is_told(project: Path, with_record: None) -> None:
    with reviewed(project) as browser:
        browser.start()
        assert "no list of references" in follow(browser, "a.txt", b"Nothing here.").text
        assert follow(browser, "a.exe", b"x").status == 409


def test_nothing_is_asked_unless_the_form_says_so(
    project: Path, with_record: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ArxivServer(listed("2001.00001", "Other Things")).serve() as server:
        monkeypatch.setenv("CITEPLUG_ARXIV_URL", server.url)
        monkeypatch.setenv("CITEPLUG_ARXIV_DELAY", "0")
        other = BIB.replace(b"1001.0001", b"2001.00001")
        with reviewed(project, offline=False) as browser:
            browser.start()
            follow(browser, "refs.bib", other)
            assert server.asked_ids() == []
            follow(browser, "refs.bib", other, online="yes")
            assert server.asked_ids()[0] == ["2001.00001"]

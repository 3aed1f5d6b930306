"""The audit in the review page."""

from pathlib import Path

from citeplug.bib.collect_library import add
from citeplug.corpus.stores import settings
from tests.web.browser import reviewed


def test_the_draft_is_audited_when_the_page_is_opened_first(written: Path) -> None:
    with reviewed(written) as browser:
        browser.start()
        page = browser.open("/audit")
        assert "Not cited, and perhaps near your draft" in page and "Audit again" in page
        assert "Looked at" in browser.open("/audit")


def test_an_audit_that_is_out_of_date_says_what_changed(written: Path, own_home: Path, tmp_path: Path) -> None:
    bib = written.with_name("related.bib")
    with reviewed(written) as browser:
        browser.start()
        assert "out of date" not in browser.open("/audit")
        assert "out of date" not in browser.send("/audit").text
        bib.write_text(bib.read_text("utf-8") + "\n% more\n", "utf-8")
        assert "out of date: the bibliography changed" in browser.open("/audit")
        more = tmp_path / "own.bib"
        more.write_text("@book{smith1998, author={Smith, Jo}, title={Graphs for all}, year={1998}}", "utf-8")
        add(settings(offline=True), [more], lambda *_: None)
        written.write_text(written.read_text("utf-8") + "\n", "utf-8")
        assert "out of date: the draft, the bibliography, the catalogue changed" in browser.open("/audit")
        page = browser.send("/audit").text
        assert "out of date" not in page and page.count("Audit again") == 1
        written.rename(written.with_suffix(".old"))
        assert "Looked at" in browser.ask("GET", "/audit").text or browser.ask("GET", "/audit").status == 409


def test_a_draft_that_is_gone_is_reported_in_the_page(written: Path) -> None:
    with reviewed(written) as browser:
        browser.start()
        browser.open("/audit")
        written.unlink()
        assert browser.send("/audit").status == 409

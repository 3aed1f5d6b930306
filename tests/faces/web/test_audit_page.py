"""The audit in the review page."""

from pathlib import Path

from tests.faces.web.browser import reviewed


def test_the_draft_is_audited_when_the_author_asks_for_it(written: Path) -> None:
    with reviewed(written) as browser:
        browser.start()
        assert "Audit the draft" in browser.open("/audit")
        page = browser.send("/audit").text
        assert "Not cited, and near your draft" in page and "Audit again" in page
        assert "Looked at" in browser.open("/audit")


def test_a_draft_that_is_gone_is_reported_in_the_page(written: Path) -> None:
    with reviewed(written) as browser:
        browser.start()
        browser.open("/audit")
        written.unlink()
        assert browser.send("/audit").status == 409

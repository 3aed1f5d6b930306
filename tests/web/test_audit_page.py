"""The audit in the review page."""

import re
from pathlib import Path

import pytest

from citeplug.bib.collect_library import add
from citeplug.corpus.stores import settings
from citeplug.records.draft import BibEntry, Span
from citeplug.records.paper import Reason
from citeplug.related.section.in_print import in_names, names_of
from tests.web.browser import Browser, reviewed


def test_the_draft_is_audited_when_the_page_is_opened_first(written: Path) -> None:
    with reviewed(written) as browser:
        browser.start()
        page = browser.open("/audit")
        assert "Not cited, possibly related" in page and "Audit again" in page
        assert "which you cite" not in page, "the section alone cites anything"
        assert "What was checked, and what was not" in browser.open("/audit")


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
        reply = browser.ask("GET", "/audit")
        assert "What was checked" in reply.text or reply.status == 409


def test_a_draft_that_is_gone_is_reported_in_the_page(written: Path) -> None:
    with reviewed(written) as browser:
        browser.start()
        browser.open("/audit")
        written.unlink()
        assert browser.send("/audit").status == 409


def missing_of(page: str) -> list[str]:
    return re.findall(r'<li id="missing-([^"]+)"', page)


def test_a_missing_work_is_cited_pinned_and_excluded_where_it_is_offered(browser: Browser, written: Path) -> None:
    assert "/audit/cite" not in browser.open("/audit")  # the draft has no .bib file of its own
    (written.parent / "refs.bib").write_text("@misc{other,\n  title = {Something Else},\n  year = 2001\n}\n", "utf-8")
    written.write_text(written.read_text("utf-8").replace("\\bibliography{", "\\bibliography{refs,"), "utf-8")
    bibs = {path: path.read_bytes() for path in written.parent.glob("*.bib")}
    first, second, *_ = missing_of(browser.send("/audit").text)
    page = browser.send("/audit/cite", id=first).text
    assert "Its entry was added to your .bib file." in page and "out of date" not in page
    (changed,) = (path for path, data in bibs.items() if path.read_bytes() != data)
    key = re.findall(r"@\w+\{([^,]+),", changed.read_text("utf-8"))[-1]
    assert f"Copy \\cite{{{key}}}" in page and "Undo: entry" in page
    browser.send("/undo")
    assert {path: path.read_bytes() for path in bibs} == bibs
    for choice, said in (("pin", ">Pinned<"), ("exclude", ">Excluded<"), ("none", ">Pin<")):
        card = browser.send("/audit/choose", id=second, choice=choice).text.partition(f'id="missing-{second}"')[2]
        assert said in card.partition("</li>\n<li id")[0]
    assert browser.send("/audit/cite", id="9999.99999").status == 409


def test_a_finding_is_ignored_by_a_comment_above_its_line_until_that_is_undone(browser: Browser, written: Path) -> None:
    text = written.read_text("utf-8")
    claim = "Several methods have been proposed for this task by others."
    before = text.replace("\\end{document}", f"\n\\section{{Introduction}}\n{claim}\n\n\\end{{document}}")
    written.write_text(before, "utf-8")
    page = browser.open("/audit")
    assert claim in page
    fields = dict(re.findall(r'name="(code|file|line|was)" value="([^"]*)"', page.partition(claim)[2]))
    assert fields["file"] == written.name and fields["was"] == claim
    assert claim not in browser.send("/audit/ignore", **fields).text
    assert f"% citeplug: ignore {fields['code']}\n{claim}\n" in written.read_text("utf-8")
    assert claim not in browser.send("/audit").text
    browser.send("/undo")
    assert written.read_text("utf-8") == before
    assert claim in browser.send("/audit").text
    for wrong in ({"file": "../other.tex"}, {"code": "no_code"}, {"was": "not there"}):
        assert browser.send("/audit/ignore", **{**fields, **wrong}).status == 409
    assert written.read_text("utf-8") == before


def test_a_line_of_the_draft_is_shown_as_text_and_no_other_file(browser: Browser, written: Path) -> None:
    written.write_text(written.read_text("utf-8") + "\n% <script>alert(1)</script>\n", "utf-8")
    number = len(written.read_text("utf-8").splitlines())
    page = browser.ask("GET", f"/draft?file={written.name}&line={number}").data.decode()
    assert f'<span id="L{number}" class="here">' in page and "<script>alert" not in page
    for name in ("../main.tex", "/etc/passwd", ".citeplug/provenance.json", ""):
        assert browser.ask("GET", f"/draft?file={name}").status == 409


def test_the_worst_groups_are_open_and_what_goes_online_says_first_what_is_sent(written: Path) -> None:
    with reviewed(written, offline=False) as browser:
        browser.start()
        page = browser.open("/audit")
        groups = re.findall(r'<details id="cause-[^"]+"( open)?>', page)
        assert groups[0] == " open" and sum(map(bool, groups)) <= 3
        online = page.partition("Go online and check…")[2]
        assert "arXiv gets the arXiv ids of your entries" in online
    with reviewed(written) as browser:
        browser.start()
        assert "Go online and check" not in browser.open("/audit")


def test_a_reason_names_works_not_keys() -> None:
    at = Span(Path("refs.bib"), 0, 1, 1)
    entries = [
        BibEntry("kipf17", "article", {"author": "Kipf, Thomas N. and Welling, Max", "year": "2017"}, at),
        BibEntry("anon", "misc", {"title": "{Graphs} for all"}, at),
    ]
    reason = Reason("citation", "similar to kipf17 and anon, which you cite", "citations", keys=("kipf17", "anon"))
    assert (
        in_names(reason, names_of(entries)) == "similar to Kipf and Welling 2017 and “Graphs for all”, which you cite"
    )


def test_works_newer_than_the_draft_are_a_closed_group(browser: Browser, written: Path) -> None:
    text = written.read_text("utf-8")
    assert "Newer than your draft" not in browser.open("/audit")
    written.write_text(text.replace("\\begin{document}", "\\date{2016}\n\\begin{document}"), "utf-8")
    page = browser.send("/audit").text
    assert re.search(r'<details id="cause-missing-\d"><summary><h2>Newer than your draft', page)


def test_that_arxiv_does_not_answer_is_one_calm_line_with_another_try(
    written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITEPLUG_ARXIV_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("CITEPLUG_ARXIV_DELAY", "0")
    with reviewed(written, offline=False) as browser:
        browser.start()
        assert "did not answer" not in browser.open("/audit")
        page = browser.send("/audit", online="yes").text
        assert page.count("arXiv did not answer") == 1 and "Try again" in page

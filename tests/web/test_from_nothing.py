"""From nothing to a section in the review page, by its forms alone: a draft, papers, and the options of the section."""

import io
import json
import re
import zipfile
from datetime import date
from pathlib import Path

import pytest

from citeplug.corpus.stores import open_corpus, settings
from citeplug.errors import UsageError
from citeplug.project.find_project import find_project
from citeplug.web.dropped import open_dropped
from citeplug.web.writing import files_of_run, put_back, rewritten
from tests.e2e.conftest import DRAFT
from tests.harness.arxiv_server import ArxivServer, paper
from tests.harness.oai_server import OaiServer
from tests.web.browser import Browser, reviewed

BIB = b"@book{smith1998, author={Smith, Jo}, title={Zwischenraum convolutions}, year={1998}, abstract={We study them.}}"


@pytest.fixture
def empty_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CITEPLUG_HOME", str(tmp_path / "empty"))
    return tmp_path / "empty"


def test_the_files_of_a_draft_are_opened_in_a_copy_beside_what_is_open(project: Path, empty_home: Path) -> None:
    with reviewed(project) as browser:
        browser.start()
        browser.open("/get")
        assert "Open another draft" in browser.open("/open") and 'action="/open"' in browser.open("/open")
        first = browser.base
        reply = browser.upload("/open", ("C:\\mine\\draft.tex", DRAFT.encode()), ("refs.bib", BIB))
        assert "There is no section yet" in reply.text and "draft.zip" in reply.text and browser.base != first
        assert "All projects" in reply.text and "get" in reply.text
        refused = browser.upload("/open", ("refs.bib", BIB), ("refs.sty", b""))
        assert refused.status == 409 and "there is no draft among these files" in refused.text
        assert browser.upload("/open").status == 409


def test_the_example_is_opened_with_its_section(project: Path, empty_home: Path) -> None:
    with reviewed(project) as browser:
        browser.start()
        assert "try the example" in browser.open("/open")
        first = browser.base
        reply = browser.send("/example")
        assert 'id="text-p1"' in reply.text and browser.base != first
        assert (empty_home / "example" / "related.tex").is_file()


def test_the_same_files_go_on_where_they_ended(empty_home: Path) -> None:
    _, once = open_dropped([("main.tex", DRAFT.encode()), ("refs.bib", BIB)], empty_home)
    _, again = open_dropped([("main.tex", DRAFT.encode()), ("refs.bib", BIB)], empty_home)
    assert once == again and (once / "main.tex").read_text("utf-8") == DRAFT
    _, text = open_dropped([("idea.md", b"# Graphs\n\nWe learn from graphs.")], empty_home)
    assert text.name == "idea.md"


@pytest.mark.parametrize("name", ["..", "a:b.tex", "", "x.exe", "con.tex"])
def test_a_file_of_an_odd_name_is_not_taken(empty_home: Path, name: str) -> None:
    with pytest.raises(UsageError):
        open_dropped([(name, b"x")], empty_home)
    assert not list(empty_home.rglob("*.*"))


def test_own_files_become_the_library_and_nothing_is_sent(project: Path, empty_home: Path) -> None:
    with reviewed(project) as browser:
        browser.start()
        assert browser.ask("GET", "/papers").headers["location"] == "/get"
        page = browser.open("/get")
        assert "Get the first papers" in page and "citeplug is offline" in page and "/get/near" not in page
        assert browser.send("/get/near").status == 409
        assert browser.send("/get/field", category="cs.LG", since="2025-01-01").status == 409
        assert "1 paper added" in browser.upload("/get/own", ("own.bib", BIB)).text
        assert "Write the section" in browser.open()


def test_arxiv_is_asked_with_the_words_that_the_author_leaves_in_the_form(
    project: Path, empty_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = paper("2101.00001", "Attention on graphs", "Attention on graphs elsewhere.")
    with ArxivServer(new).serve() as server, OaiServer(date.today()).serve() as harvested:
        monkeypatch.setenv("CITEPLUG_ARXIV_URL", server.url)
        monkeypatch.setenv("CITEPLUG_OAI_URL", harvested.url)
        monkeypatch.setenv("CITEPLUG_ARXIV_DELAY", "0")
        with reviewed(project, offline=False) as browser:
            browser.start()
            page = browser.open("/get")
            assert not server.asked_queries()
            assert re.search(r'name="words"[^>]*>\w+ \w+', page)
            assert browser.send("/get/near", words=" ,\n").status == 409
            assert not server.asked_queries(), "nothing is sent without words"
            assert "added; this machine has 1." in browser.send("/get/near", words="attention, zebras").text
            assert all("zebras" in query for query in server.asked_queries()), "what the author typed, and nothing else"
            assert browser.send("/get/field", category="cs.LG", since="soon").status == 409
            said = browser.send("/get/field", category="cs.LG", since=date.today().isoformat()).text
            assert "added; this machine has 1." in said


def test_a_section_is_written_with_the_options_of_the_form_and_undone_to_the_byte(
    browser: Browser, written: Path
) -> None:
    def files() -> dict[Path, bytes]:
        return {path: path.read_bytes() for path in sorted(written.parent.rglob("*")) if path.is_file()}

    before = files()
    browser.open()
    assert browser.send("/write", breadth="400").status == 409
    assert browser.send("/write", llm="anthropic").status == 409  # without a key it is not offered
    browser.send("/write", breadth="4", diversity="0.5", replan="yes")
    record = json.loads((written.parent / ".citeplug" / "provenance.json").read_text("utf-8"))
    assert (record["options"]["breadth"], record["options"]["diversity"]) == (4, 0.5)
    assert "Undo: writing" in browser.open()
    assert browser.send("/undo").status == 200 and files() == before


def test_a_paper_is_put_into_a_plan_line_by_its_title_and_taken_out(browser: Browser, written: Path) -> None:
    def line() -> str:
        found = re.search(r"% citeplug:1 (.*)", (written.parent / "related.tex").read_text("utf-8"))
        assert found is not None
        return found[1]

    browser.open()
    with open_corpus(settings(offline=True)) as corpus:
        (wanted,) = corpus.papers(["1907.10903"]).values()
    offered = browser.open(f"/titles?q={wanted.title[:12].replace(' ', '+')}")
    assert f'value="{wanted.title} [1907.10903]"' in offered and "<nav" not in offered
    before = line()
    for typed in (f"{wanted.title} [1907.10903]", wanted.title):
        assert browser.send("/line/cite", p="p1", number="1", was=before, paper=typed).status == 200
        assert line() == before.replace("]", ", 1907.10903]")
        browser.send("/line/save", p="p1", number="1", was=line(), new="describe two works")
        assert line().startswith("describe two works [") and line().endswith(", 1907.10903]")
        browser.send("/undo")
        browser.send("/line/uncite", p="p1", number="1", was=line(), paper="1907.10903")
        assert line() == before
    reply = browser.send("/line/cite", p="p1", number="1", was=before, paper="No such <title>")
    assert reply.status == 409 and line() == before and b"No such &lt;title&gt;" in reply.data


def test_a_clean_export_has_no_comment_of_citeplug_s(browser: Browser, written: Path) -> None:
    assert "% citeplug" not in browser.open("/export") and "% citeplug" in browser.open("/export?comments=yes")


def test_a_clean_zip_has_no_record(written: Path, tmp_path: Path) -> None:
    packed = tmp_path / "draft.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.write(written, "main.tex")
    archive_of, folder = open_dropped([("draft.zip", packed.read_bytes())], tmp_path / "kept")
    (folder / "related.tex").write_bytes((written.parent / "related.tex").read_bytes())
    with reviewed(folder, archive_of) as browser:
        browser.start()
        browser.open()
        with zipfile.ZipFile(io.BytesIO(browser.ask("GET", "/changed.zip").data)) as changed:
            assert changed.namelist() == ["related.tex"] and b"citeplug:" not in changed.read("related.tex")


def test_the_section_of_a_text_that_was_dropped_is_in_the_export(empty_home: Path) -> None:
    archive, text = open_dropped([("re\u0301sume\u0301.md", b"# Graphs\n\nWe learn from graphs.")], empty_home)
    assert text.is_file()
    (text.parent / "related.tex").write_text("Graphs.\n", "utf-8")
    with reviewed(text, archive) as browser:
        browser.start()
        with zipfile.ZipFile(io.BytesIO(browser.ask("GET", "/changed.zip").data)) as changed:
            assert changed.namelist() == ["related.tex"]


def test_an_undo_takes_back_what_the_run_wrote_and_not_what_the_author_saved(written: Path) -> None:
    project = find_project(written)
    section, before = project.where.tex, files_of_run(project)
    section.write_text("The run wrote this.\n", "utf-8")
    written.write_text(written.read_text("utf-8") + "% saved by the author\n", "utf-8")
    changed = rewritten(project, [section], before)
    assert list(changed) == [section]
    put_back(project, written.parent, changed)
    assert section.read_bytes() == before[section] and "saved by the author" in written.read_text("utf-8")

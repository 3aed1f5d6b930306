"""`citeplug fetch`, `read` and `search --passages`, as a user runs them, and arXiv on loopback."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from citeplug.corpus.fulltext.paper_pdf import pdf_of, with_pdf
from citeplug.corpus.stores import settings
from citeplug.errors import UsageError
from tests.corpus.fulltext.sources import BBL, WORDS, paper_tex, tar_gz
from tests.corpus.fulltext.test_from_document import docx, paragraph
from tests.corpus.records import make_record, write_snapshot
from tests.e2e.conftest import Run
from tests.e2e.test_full_disk import no_larger_than
from tests.harness.arxiv_server import ArxivServer, Fault
from tests.harness.pdf_files import paper_pdf
from tests.harness.waiting import until
from tests.latex.projects import article

A, B, C = "1801.00001", "1801.00002", "1801.00003"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run, arxiv_server: ArxivServer) -> Path:
    """Ten records of `On problem number N`, version 1, and arXiv, which has no text yet."""
    monkeypatch.setenv("CITEPLUG_ARXIV_URL", arxiv_server.url)
    monkeypatch.setenv("CITEPLUG_EPRINT_URL", arxiv_server.eprint_url)
    monkeypatch.setenv("CITEPLUG_PDF_URL", arxiv_server.pdf_url)
    snapshot = write_snapshot(tmp_path / "s.jsonl", [make_record(number) for number in range(10)])
    assert run("index", "add", snapshot).code == 0
    return tmp_path


def source(number: int, method: str = "") -> bytes:
    return tar_gz({"main.tex": paper_tex(f"On problem number {number}", method), "main.bbl": BBL})


def codes(done: object) -> list[str]:
    return [each["code"] for each in done.json["findings"]]  # type: ignore[attr-defined]


def test_nothing_is_asked_without_consent(run: Run, home: Path, arxiv_server: ArxivServer, fresh_home: Path) -> None:
    arxiv_server.put_source(f"{A}v1", source(1))
    done = run("fetch", A, B, "--json")
    assert done.code == 3
    assert done.json["left"] == 2 and codes(done) == ["full_text_missing"]
    assert "--online" in done.json["findings"][0]["fix"]
    assert arxiv_server.requests == []
    (fresh_home / "config.toml").write_text("[full_text]\nonline = true\n")
    assert run("fetch", A, "--offline").code == 3
    assert arxiv_server.requests == []
    assert run("fetch", A, "--json").json["fetched"] == 1
    assert run("fetch", A, "--online", "--offline").code == 2


def test_a_fetched_text_is_kept_read_and_searched(run: Run, home: Path, arxiv_server: ArxivServer) -> None:
    arxiv_server.put_source(f"{A}v1", source(1, WORDS + "The spectral gap of expanders decides all."))
    arxiv_server.put_source(f"{B}v1", source(2))
    done = run("fetch", "--papers", f"{A},{B}", "--online", "--json")
    assert (done.code, done.json["fetched"], done.json["findings"]) == (0, 2, [])
    again = run("fetch", A, B, "--online", "--json")
    assert (again.code, again.json["kept"]) == (0, 2)
    assert arxiv_server.asked_texts() == [f"e-print/{A}v1", f"e-print/{B}v1"]
    text = run("read", A, "--json").json
    assert (text["id"], text["version"], text["source"], text["title"]) == (A, 1, "eprint", "On problem number 1")
    assert [each["title"] for each in text["sections"]] == ["Abstract", "Introduction", "Method", "Sampling"]
    numbers = [each["number"] for section in text["sections"] for each in section["passages"]]
    assert numbers == list(range(1, len(numbers) + 1))
    assert [(each["key"], each["arxiv_id"], each["how"]) for each in text["references"]] == [("a", B, "printed_id")]
    (only,) = run("read", A, "--section", "sampling", "--json").json["sections"]
    assert only["passages"][-1]["caption"] is True
    shown = run("read", f"arXiv:{A}v1")
    assert "Sampling" in shown.out and "the LaTeX source on arXiv" in shown.out
    assert WORDS.split(".")[0] in run("read", A, "--section", "1").out
    (first, *_) = run("search", "--passages", "spectral gap of expanders", "--json").json
    assert (first["id"], first["version"], first["section"], first["page"]) == (A, 1, "Method", None)
    assert "spectral gap" in first["text"] and first["found_by"] == ["lexical", "dense"]
    inside = run("search", "--passages", "spectral gap", "--in", B, "--json").json
    assert inside and {each["id"] for each in inside} == {B}
    assert run("search", "spectral", "--in", B).code == 2
    assert run("search", "--passages", "x", "--before", "2019-01-01").code == 2
    assert run("search", "--passages", "x", "--in", C).code == 2
    assert run("read", C).code == 2
    assert run("read", A, "--section", "nowhere").code == 2


def test_a_paper_without_a_source_is_read_from_its_pdf_and_a_withdrawn_one_is_said(
    run: Run, home: Path, arxiv_server: ArxivServer
) -> None:
    arxiv_server.put_source(f"{A}v1", gzip.compress(b"\0" * 200_000_000, 9))
    arxiv_server.put_source(f"{B}v1", gzip.compress(b"%auto-ignore\nThis paper has been withdrawn."))
    arxiv_server.put_pdf(f"{B}v1", b"%PDF-1.5")
    done = run("fetch", A, B, C, "--online", "--json")
    assert done.code == 1
    assert (done.json["fetched"], done.json["missing"], done.json["left"]) == (0, 3, 0)
    bomb, withdrawn, none = (each["message"] for each in done.json["findings"])
    assert "100 times its size" in bomb or "100 MB" in bomb
    assert withdrawn.endswith("the paper was withdrawn")
    assert "arXiv has no such version" in none
    asked = len(arxiv_server.requests)
    assert run("fetch", A, B, C, "--online").code == 1
    assert len(arxiv_server.requests) == asked


def test_a_pdf_that_arxiv_sent_is_kept_for_the_review_page(run: Run, home: Path, arxiv_server: ArxivServer) -> None:
    sent = paper_pdf("On problem number 1", [("Method", WORDS * 20)])
    arxiv_server.put_pdf(f"{A}v1", sent)
    arxiv_server.put_source(f"{B}v1", source(2))
    assert run("fetch", A, B, "--online", "--json").json["fetched"] == 2
    chosen = settings(offline=True)
    assert with_pdf([A, B, C], chosen) == {A} and pdf_of(A, chosen) == sent
    with pytest.raises(UsageError):
        pdf_of(B, chosen)  # whose source is LaTeX


def test_a_source_with_another_papers_title_is_kept_only_for_a_paper_that_was_named(
    run: Run, home: Path, arxiv_server: ArxivServer
) -> None:
    arxiv_server.put_source(f"{A}v1", tar_gz({"main.tex": paper_tex("Proteins in Water")}))
    arxiv_server.put_source(f"{B}v1", tar_gz({"main.tex": paper_tex("Revisiting problem number 2")}))
    (home / "main.tex").write_text(article(r"\cite{a,b}\bibliography{refs}"), "utf-8")
    entry = "@misc{{{}, title={{On problem number {}}}, eprint={{1801.0000{}}}}}\n"
    (home / "refs.bib").write_text(entry.format("a", 1, 1) + entry.format("b", 2, 2), "utf-8")
    for _ in range(2):
        done = run("fetch", "--cited", home / "main.tex", "--online", "--json")
        assert (done.code, done.json["missing"]) == (1, 1)
        assert "Proteins in Water" in str(done.json["findings"]) and "by its id" in str(done.json["findings"])
        assert len(arxiv_server.requests) == 2  # it is not asked for again
    assert run("read", A).code != 0 and run("read", B).code == 0
    named = run("fetch", A, "--online", "--json")
    assert (named.json["fetched"], codes(named)) == (1, ["full_text_other_title"])
    assert run("read", A).code == 0


def test_a_text_that_contradicts_its_record_is_kept_and_said(run: Run, home: Path, arxiv_server: ArxivServer) -> None:
    arxiv_server.put_source(f"{A}v1", tar_gz({"main.tex": paper_tex("Proteins in Water: a \x1b[31mred\x1b[0m Title")}))
    done = run("fetch", A, "--online")
    assert done.code == 1
    assert "full_text_other_title" in done.err and "Proteins in Water" in done.err
    assert "\x1b" not in done.err + done.out + run("read", A).out + run("search", "--passages", "graph").out


def test_an_outage_leaves_what_came_and_the_next_run_goes_on(run: Run, home: Path, arxiv_server: ArxivServer) -> None:
    ids = [f"1801.{number:05}" for number in range(5)]
    for number, each in enumerate(ids):
        arxiv_server.put_source(f"{each}v1", source(number))
    arxiv_server.replay(lambda asked: Fault.http(403) if len(arxiv_server.requests) > 2 else None)
    done = run("fetch", *ids, "--online", "--json")
    assert done.code == 3
    assert (done.json["fetched"], done.json["left"]) == (2, 3) and codes(done) == ["source_unavailable"]
    arxiv_server.replay(lambda asked: Fault.page())
    page = run("fetch", *ids[:3], "--online", "--json")
    assert (page.code, page.json["left"]) == (3, 1) and "web page" in page.json["findings"][0]["message"]
    arxiv_server.replay(lambda asked: None)
    rest = run("fetch", *ids, "--online", "--json")
    assert (rest.code, rest.json["kept"], rest.json["fetched"]) == (0, 2, 3)


def test_a_newer_version_is_fetched_and_the_older_one_stays(run: Run, home: Path, arxiv_server: ArxivServer) -> None:
    arxiv_server.put_source(f"{A}v1", source(1, WORDS + "Old words on tortoises."))
    assert run("fetch", A, "--online").code == 0
    versions = [{"version": f"v{n}", "created": f"2018-01-0{n}"} for n in (1, 2)]
    newer = write_snapshot(home / "n.jsonl", [make_record(1, versions=versions, update_date="2018-02-01")])
    assert run("index", "add", newer).code == 0
    arxiv_server.put_source(f"{A}v2", source(1, WORDS + "New words on turtles."))
    assert run("fetch", A, "--online", "--json").json["fetched"] == 1
    assert run("read", A, "--json").json["version"] == 2
    assert "tortoises" in run("read", f"{A}v1", "--section", "method").out
    (first, *_) = run("search", "--passages", "tortoises turtles", "--json").json
    assert (first["version"], "turtles" in first["text"]) == (2, True)


def test_the_papers_of_a_draft_and_of_the_library_are_fetched(run: Run, home: Path, arxiv_server: ArxivServer) -> None:
    folder = home / "draft"
    folder.mkdir()
    main = folder / "main.tex"
    main.write_text(
        r"\documentclass{article}\title{On problem number 3}\begin{document}\maketitle\begin{abstract}We solve"
        r" problem 3 in linear time.\end{abstract}\section{One}As in \cite{one} and \cite{own}."
        r"\bibliography{refs}\end{document}"
    )
    people = "author={Lovelace, Ada and Turing, Alan and Noether, Emmy}, year=2018"
    (folder / "refs.bib").write_text(
        f"@misc{{one, title={{On problem number 1}}, {people}}}\n"
        "@book{own, title={A Book of Our Own Works}, author={Roe, Jane}, year=1999}\n"
        f"@misc{{not, title={{On problem number 9}}, {people}, eprint={{1801.00009}}}}\n"
    )
    body = paragraph("A Book of Our Own Works", "Title") + paragraph("Chapter", "Heading1") + paragraph(WORDS)
    (folder / "own.docx").write_bytes(docx(body))
    assert run("library", "add", folder / "refs.bib", folder / "own.docx").code == 0
    arxiv_server.put_source(f"{A}v1", source(1))
    done = run("fetch", "--cited", main, "--online", "--json")
    assert (done.code, done.json["fetched"], done.json["own"]) == (0, 1, 1)
    assert run("read", "lib:own", "--json").json["sections"][0]["title"] == "Chapter"
    assert run("search", "--passages", "sampling", "--in", "lib:own", "--json").json[0]["source"] == "own"
    shelf = run("fetch", "--library", "--json")
    assert (shelf.code, shelf.json["kept"], shelf.json["left"]) == (3, 2, 1)  # that of 1801.00009 was not asked for
    asked = len(arxiv_server.requests)
    chosen = run("fetch", "--shortlist", main, "--json")
    assert chosen.json["left"] > 0 and len(arxiv_server.requests) == asked
    assert run("fetch").code == 2 and run("fetch", "no id").code == 2


def citeplug(*arguments: object, room: int | None = None) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "citeplug", *map(str, arguments)],
        env=dict(os.environ),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=None if room is None else no_larger_than(room),
    )


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit for the size of a file")
def test_a_full_disk_is_said_and_the_same_command_goes_on(run: Run, home: Path, arxiv_server: ArxivServer) -> None:
    ids = [f"1801.{number:05}" for number in range(10)]
    for number, each in enumerate(ids):
        words = " ".join(f"word{number}x{at}" for at in range(4_000))
        arxiv_server.put_source(f"{each}v1", source(number, WORDS + words))
    process = citeplug("fetch", *ids, "--online", room=400_000)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 3 and "disk" in err and "Traceback" not in err
    done = run("fetch", *ids, "--online", "--json")
    assert done.code == 0 and done.json["kept"] + done.json["fetched"] == 10
    assert done.json["kept"] > 0


def test_a_kill_in_the_middle_of_a_hundred_loses_and_doubles_nothing(
    run: Run, home: Path, arxiv_server: ArxivServer
) -> None:
    ids = [f"1801.{number:05}" for number in range(100)]
    for number, each in enumerate(ids):
        arxiv_server.put_source(f"{each}v1", source(number))
    for count in (20, 60):
        process = citeplug("fetch", *ids, "--online")
        try:
            until(lambda: len(arxiv_server.requests) >= count or process.poll() is not None, seconds=100)
        finally:
            process.kill()
            process.communicate()
    done = run("fetch", *ids, "--online", "--json")
    assert (done.code, done.json["kept"] + done.json["fetched"]) == (0, 100)
    assert done.json["kept"] >= 40  # what was kept before a kill was not asked for again
    found = run("search", "--passages", "sampling the neighbours of a node", "-k", "1000", "--json").json
    places = [(each["id"], each["number"]) for each in found]
    assert len(places) == len(set(places)) and len({paper for paper, _ in places}) == 100


def test_json_has_the_documented_keys_alone(run: Run, home: Path, arxiv_server: ArxivServer) -> None:
    arxiv_server.put_source(f"{A}v1", source(1))
    done = run("fetch", A, "--online", "--json")
    assert set(done.json) == {"kept", "fetched", "own", "missing", "left", "findings"}
    text = json.loads(run("read", A, "--json").out)
    assert set(text) == {"id", "version", "source", "title", "sections", "references"}
    assert set(text["sections"][0]) == {"title", "level", "passages"}
    assert set(text["sections"][0]["passages"][0]) == {"number", "page", "start", "end", "caption", "text"}

"""`--depth`: passages of full texts in the order, the sentences and their sources, as a user runs it."""

import json
import re
import shutil
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from citeplug.corpus.fulltext.store import TextStore
from citeplug.corpus.stores import settings
from citeplug.records.outcome import Options
from citeplug.records.passage import PaperText, TextSection
from citeplug.related.job import write_related
from citeplug.related.retrieve.depth import on_limits
from citeplug.related.tools import Job
from tests.corpus.fulltext.sources import paper_tex, tar_gz
from tests.e2e.conftest import Run
from tests.harness.arxiv_server import ArxivServer
from tests.harness.scripted_models import honest_model
from tests.related.write.injections import INJECTIONS

# Of what the abstracts of the demo's library say, these repeat nothing.
SAID = (
    "We introduce a stochastic gate that learns the propagation depth of graph neural networks for every node from the"
    " entropy of its class probabilities."
)


@pytest.fixture
def own_home(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the library's folder, for texts are kept in it."""
    copy = tmp_path / "own-home"
    shutil.copytree(home, copy, symlinks=True)
    monkeypatch.setenv("CITEPLUG_HOME", str(copy))
    return copy


def keep(
    home: Path, paper: str, *texts: str, page: int | None = None, numbered: bool = False, version: int = 2
) -> None:
    pages = ((0, page),) if page else ()
    sections = tuple(
        TextSection(1, f"Part {n}", text, len(text), pages, f"Sec. {n}" if numbered else "")
        for n, text in enumerate(texts, start=1)
    )
    with closing(TextStore(home)) as store:
        store.put(PaperText(paper, version, "pdf" if page else "eprint", "T", sections), date(2026, 1, 2))


def shortlist(document: Any) -> list[str]:
    return [each["arxiv_id"] for each in document["shortlist"]]


def found(document: Any, code: str) -> list[Any]:
    return [finding for finding in document["findings"] if finding["code"] == code]


def sentences(document: Any) -> list[Any]:
    return [s for p in document["section"]["paragraphs"] for s in p["sentences"]]


def test_a_missing_text_is_said_once_with_the_command_and_changes_nothing_else(
    run: Run, own_home: Path, project: Path
) -> None:
    plain = run("related", project, "--offline", "--dry-run", "--json").json
    deep = run("related", project, "--offline", "--dry-run", "--depth", "2", "--json").json
    (finding,) = found(deep, "full_text_missing")
    count = sum(paper["fits"] for paper in plain["shortlist"])
    assert f"{count} of {count} papers" in finding["message"]
    assert "citeplug fetch --shortlist MAIN.tex --online" in finding["fix"]
    assert shortlist(deep) == shortlist(plain)
    assert deep["tex_content"] == plain["tex_content"]
    assert not found(plain, "full_text_missing") and not found(deep, "depth_unavailable")


def test_a_paper_whose_text_is_near_to_the_draft_scores_higher_and_the_others_lower(
    run: Run, own_home: Path, project: Path
) -> None:
    draft = run("draft", project, "--json").json["abstract"]
    plain = run("related", project, "--offline", "--dry-run", "--json").json
    papers = [each["arxiv_id"] for each in plain["shortlist"] if each["fits"]]  # those whose texts are read
    for number, paper in enumerate(papers):
        others = f"Cats and dogs number {number} are fed with fish and meat. " * 9
        keep(own_home, paper, draft if paper == papers[-1] else others)
    deep = run("related", project, "--offline", "--dry-run", "--depth", "1", "--json").json
    before, after = ({each["arxiv_id"]: each["score"] for each in d["shortlist"]} for d in (plain, deep))
    assert after[papers[-1]] > before[papers[-1]]
    assert sum(after[each] < before[each] for each in papers if each in after) >= 3
    assert not found(deep, "full_text_missing")


def test_a_passage_is_quoted_with_its_section_and_page_in_json_and_provenance(
    run: Run, own_home: Path, project: Path
) -> None:
    plain = run("related", project, "--offline", "--dry-run", "--json").json
    for paper in shortlist(plain):
        keep(own_home, paper, "Some words that say nothing at all. " * 5, SAID, page=7)
    # What the author asks for is in the text alone.
    wish = "stochastic gate propagation depth entropy of class probabilities"
    (project.parent / "related.tex").write_text(
        f"% citeplug: 2\n% citeplug:begin p1 words=40\n% citeplug:1 {wish} [{shortlist(plain)[0]}]\n% citeplug:end p1\n"
    )
    done = run("related", project, "--offline", "--depth", "2", "--json")
    assert done.code == 0, done.err
    sources = [source for s in sentences(done.json) for source in s["sources"] if source["of"] == "full text"]
    assert sources, done.json["tex_content"]
    assert {(s["section"], s["page"], s["version"]) for s in sources} == {("Part 2", 7, 2)}
    assert all(SAID[s["start"] : s["end"]] == s["text"] for s in sources)
    provenance = json.loads((project.parent / ".citeplug" / "provenance.json").read_text("utf-8"))
    assert '"full text"' in json.dumps(provenance) and '"Part 2"' in json.dumps(provenance)
    again = run("related", project, "--offline", "--depth", "2", "--json").json
    assert again["tex_content"] == done.json["tex_content"]
    waiting = run("accept", project)
    assert "Part 2, page 7" in waiting.out


@pytest.mark.parametrize(("page", "numbered", "place"), [(7, False, "p.~7"), (7, True, "Sec.~2")])
def test_a_citation_names_the_place_and_loses_it_again_without_a_word_of_the_author_s_lost(
    run: Run, own_home: Path, project: Path, page: int, numbered: bool, place: str
) -> None:
    plain = run("related", project, "--offline", "--dry-run", "--json").json
    paper = shortlist(plain)[0]
    keep(own_home, paper, "Some words that say nothing at all. " * 5, SAID, page=page, numbered=numbered)
    wish = "stochastic gate propagation depth entropy of class probabilities"
    tex = project.parent / "related.tex"
    tex.write_text(f"% citeplug: 2\n% citeplug:begin p1 words=40\n% citeplug:1 {wish} [{paper}]\n% citeplug:end p1\n")
    done = run("related", project, "--offline", "--depth", "2", "--pinpoint", "--json").json
    assert done["tex_content"].count(f"[{place}]{{") == 1
    assert not found(done, "nothing_pinpointed")
    # The author writes beside it, and reflows the file: it is citeplug's sentence all the same.
    (line,) = (line for line in tex.read_text("utf-8").splitlines() if f"[{place}]" in line)
    tex.write_text(tex.read_text("utf-8").replace(line, f"A word of mine.\n{line.replace('~', '~', 1)}"), "utf-8")
    again = run("related", project, "--offline", "--depth", "2", "--pinpoint", "--json").json
    assert again["tex_content"].count(f"[{place}]{{") == 1 and "A word of mine." in again["tex_content"]
    accepted = run("accept", project, "--all")
    assert accepted.code == 0, accepted.err
    assert f"[{place}]" in run("strip", tex).out
    without = run("related", project, "--offline", "--depth", "2", "--json").json
    assert f"[{place}]" not in without["tex_content"] and "A word of mine." in without["tex_content"]
    assert line.replace(f"[{place}]", "") in without["tex_content"]


@pytest.mark.parametrize("still", [False, True])
def test_a_quotation_of_an_older_version_is_marked_until_the_newer_one_is_seen_to_have_it(
    run: Run, own_home: Path, project: Path, still: bool
) -> None:
    paper = shortlist(run("related", project, "--offline", "--dry-run", "--json").json)[0]
    keep(own_home, paper, "Some words that say nothing at all. " * 5, SAID)
    wish = "stochastic gate propagation depth entropy of class probabilities"
    tex = project.parent / "related.tex"
    tex.write_text(f"% citeplug: 2\n% citeplug:begin p1 words=40\n% citeplug:1 {wish} [{paper}]\n% citeplug:end p1\n")
    first = run("related", project, "--offline", "--depth", "2", "--json").json
    assert not found(first, "older_version_quoted")
    # The author keeps the paragraph for good; then a newer version comes.
    tex.write_text(tex.read_text("utf-8").replace("% citeplug:1", "% citeplug:keep\n% citeplug:1", 1), "utf-8")
    keep(own_home, paper, f"It begins otherwise. {SAID}" if still else "Now all is said in other words.", version=3)
    later = run("related", project, "--offline", "--json").json
    assert tex.read_text("utf-8").count("citeplug:keep") == 1
    record = json.loads((project.parent / ".citeplug" / "provenance.json").read_text("utf-8"))
    marks = [s["newer"] for each in record["sentences"] for s in each["sources"] if s["of"] == "full text"]
    if still:
        assert not found(later, "older_version_quoted") and marks == [None]
        return
    (finding,) = found(later, "older_version_quoted")
    assert finding["severity"] == "warning" and "version 3 does not have these words" in finding["message"]
    assert marks == [3]
    assert "version 2, while 3 is known, Part 2" in run("accept", project).out


def test_titles_of_sections_that_command_reach_neither_the_terminal_nor_the_section(
    run: Run, own_home: Path, project: Path
) -> None:
    paper = shortlist(run("related", project, "--offline", "--dry-run", "--json").json)[0]
    sections = tuple(
        TextSection(1, f"Part {each.says[:2_000]}", f"{SAID} {each.says[:2_000]}", 10**6, (), f"Sec. {n}")
        for n, each in enumerate(INJECTIONS, 1)
    )
    with closing(TextStore(own_home)) as store:
        store.put(PaperText(paper, 2, "eprint", "T", sections), date(2026, 1, 2))
    wish = "stochastic gate propagation depth entropy of class probabilities"
    (project.parent / "related.tex").write_text(
        f"% citeplug: 2\n% citeplug:begin p1 words=40\n% citeplug:1 {wish} [{paper}]\n% citeplug:end p1\n"
    )
    done = run("related", project, "--offline", "--depth", "2", "--pinpoint")
    tex = (project.parent / "related.tex").read_text("utf-8")
    assert re.search(r"\[Sec\.~\d+\]\{", tex)
    assert not re.search(r"\\(?:input|write|immediate|def|catcode|end)\b|evil|2401\.00001", tex)
    shown = [
        run("read", paper),
        run("read", paper, "--section", "1"),
        run("search", "--passages", "gate", "--in", paper),
    ]
    shown += [done, run("accept", project)]
    for each in shown:
        assert each.code == 0
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", each.out + each.err)


def test_a_section_written_before_its_places_were_known_names_them_once_they_are(
    run: Run, own_home: Path, project: Path
) -> None:
    paper = shortlist(run("related", project, "--offline", "--dry-run", "--json").json)[0]
    keep(own_home, paper, "Some words that say nothing at all. " * 5, SAID)
    wish = "stochastic gate propagation depth entropy of class probabilities"
    tex = project.parent / "related.tex"
    tex.write_text(f"% citeplug: 2\n% citeplug:begin p1 words=40\n% citeplug:1 {wish} [{paper}]\n% citeplug:end p1\n")
    first = run("related", project, "--offline", "--depth", "2", "--pinpoint", "--json").json
    assert "[Sec." not in first["tex_content"] and found(first, "nothing_pinpointed")
    keep(own_home, paper, "Some words that say nothing at all. " * 5, SAID, numbered=True)
    again = run("related", project, "--offline", "--depth", "2", "--pinpoint", "--json").json
    assert again["tex_content"].count("[Sec.~2]{") == 1
    assert again["tex_content"].replace("[Sec.~2]", "").split("sha256")[0] == first["tex_content"].split("sha256")[0]


def test_at_depth_0_it_is_said_that_no_place_can_be_named(run: Run, own_home: Path, project: Path) -> None:
    done = run("related", project, "--offline", "--dry-run", "--pinpoint", "--json").json
    (finding,) = found(done, "nothing_pinpointed")
    assert "--depth" in finding["fix"]


def test_with_consent_the_longlist_s_texts_are_fetched_and_never_without(
    run: Run, own_home: Path, project: Path, arxiv_server: ArxivServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITEPLUG_ARXIV_URL", arxiv_server.url)
    monkeypatch.setenv("CITEPLUG_EPRINT_URL", arxiv_server.eprint_url)
    monkeypatch.setenv("CITEPLUG_PDF_URL", arxiv_server.pdf_url)
    monkeypatch.setenv("CITEPLUG_ARXIV_DELAY", "0")
    papers = shortlist(run("related", project, "--offline", "--dry-run", "--json", "--breadth", "3").json)
    arxiv_server.put_source(papers[0], tar_gz({"main.tex": paper_tex()}))
    run("related", project, "--dry-run", "--depth", "1", "--breadth", "3", "--json")
    assert not arxiv_server.asked_texts()
    (own_home / "config.toml").write_text("[full_text]\nonline = true\n")
    run("related", project, "--dry-run", "--depth", "1", "--breadth", "3", "--offline", "--json")
    assert not arxiv_server.asked_texts()
    done = run("related", project, "--dry-run", "--depth", "1", "--breadth", "3", "--json")
    assert done.code == 0, done.err
    asked = arxiv_server.asked_texts()
    assert {each.split("/", 1)[1].split("v")[0] for each in asked} >= set(papers)
    again = run("related", project, "--dry-run", "--depth", "1", "--breadth", "3", "--json")
    assert again.code == 0 and len(arxiv_server.asked_texts()) == len(asked)


def test_a_model_is_told_the_limits_that_texts_on_this_machine_state_without_depth(
    own_home: Path, project: Path
) -> None:
    limits = "Our gate needs the whole graph in memory, which leaves graphs that do not fit to future work."
    sections = (TextSection(1, "Method", SAID, len(SAID)), TextSection(1, "Conclusion", limits, len(limits)))
    with closing(TextStore(own_home)) as store:
        store.put(PaperText("1911.07323", 2, "eprint", "T", sections), date(2026, 1, 2))
    model, job = honest_model(), Job(project, Options(breadth=5, pin=("1911.07323",)), dry_run=True)
    write_related(job, settings(offline=True), online=False, report=lambda *_: None, model=model)
    told = [request.stage for request in model.requests if limits in request.prompt]
    assert {"plan", "prose"} <= {*told}
    assert not any(SAID in request.prompt for request in model.requests)


@pytest.mark.parametrize(
    ("headings", "expected"),
    [
        (("Method", "Limitations", "Conclusion"), "Limitations"),
        (("Discussion", "Method"), "Discussion"),
        (("Method", "Unlimited Data"), None),
    ],
)
def test_limits_are_looked_for_under_their_heading_or_else_at_the_end(
    headings: tuple[str, ...], expected: str | None
) -> None:
    text = "We say in so many words what this work does not do."
    sections = tuple(TextSection(1, heading, text, len(text)) for heading in headings)
    passage = on_limits(PaperText("1801.00001", 1, "eprint", "T", sections))
    assert (passage and passage.section) == expected

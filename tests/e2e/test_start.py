"""`citeplug start`: the first papers, by the ways that exist."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from citeplug.sources.oai import oai_set
from tests.e2e.conftest import Run
from tests.harness.arxiv_server import ArxivServer, Fault, paper
from tests.harness.oai_server import OaiServer

DRAFT = r"""\documentclass{article}\title{Brewing oolong tea with fermented leaves}
\begin{document}\begin{abstract}We ferment oolong leaves slowly and brew tea from them, and compare kettles of clay with
kettles of iron over forty cups of tea from four gardens.\end{abstract}
Text~\cite{roast}.\bibliography{refs}\end{document}"""
BIB = "@article{roast, title={Roasting Coffee}, author={Ada Lovelace}, eprint={2102.00009}, archivePrefix={arXiv}}\n"


@pytest.fixture
def arxiv(arxiv_server: ArxivServer, monkeypatch: pytest.MonkeyPatch) -> ArxivServer:
    arxiv_server.add(
        paper("2101.00001", "Brewing Oolong Tea", "Fermented leaves in kettles of clay."),
        paper("2101.00002", "Oolong Leaves", "Tea fermented slowly."),
        paper("2102.00009", "Roasting Coffee", "Beans."),
    )
    monkeypatch.setenv("CITEPLUG_ARXIV_URL", arxiv_server.url)
    return arxiv_server


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    (tmp_path / "main.tex").write_text(DRAFT, "utf-8")
    (tmp_path / "refs.bib").write_text(BIB, "utf-8")
    return tmp_path / "main.tex"


def test_papers_near_the_draft_and_those_it_cites_and_a_section_of_them(
    run: Run, arxiv: ArxivServer, draft: Path
) -> None:
    done = run("start", draft, "--near", "--online", "--json")
    assert (done.code, done.json) == (0, {"added": 3, "records": 3}), done.err
    assert arxiv.asked_queries() and all(f"asking arXiv: {query}" in done.err for query in arxiv.asked_queries())
    assert ["2102.00009"] in arxiv.asked_ids()
    # Those of the searches have vectors already: the first section does not wait for them.
    assert run("index", "info", "--json").json["embedded"] == 3
    listed = run("papers", draft, "--offline", "--json").json
    assert "2101.00001" in [each["arxiv_id"] for each in listed]


def test_an_author_with_a_related_work_is_led_to_what_it_misses(run: Run, arxiv: ArxivServer, draft: Path) -> None:
    assert run("start", draft, "--near", "--online").out.splitlines()[-1].startswith(f"next: citeplug related {draft}")
    own = "\\noindent{\\bf Related Work.} Some \\cite{roast,x}, others \\cite{y}.\n\n"
    draft.write_text(DRAFT.replace("Text~", f"\n\n{own}Text~"), "utf-8")
    done = run("start", draft, "--own", draft.with_name("refs.bib"))
    assert "“Related Work” (main.tex:6), which cites 3 works" in done.out
    assert f"papers {draft} --missing" in done.out


def test_nothing_is_sent_without_consent_and_the_words_are_shown(run: Run, arxiv: ArxivServer, draft: Path) -> None:
    done = run("start", draft, "--near")
    assert done.code == 2
    assert "oolong" in done.err and "--online" in done.err
    assert not arxiv.requests


def test_an_outage_is_no_empty_result(run: Run, arxiv: ArxivServer, draft: Path) -> None:
    arxiv.fail_always(Fault.http(404))
    assert run("start", draft, "--near", "--online").code == 3


def test_without_a_terminal_it_says_the_one_next_step(run: Run, arxiv: ArxivServer, draft: Path) -> None:
    done = run("start", draft)
    assert (done.code, done.out.count("citeplug ")) == (0, 1)
    assert f"next: citeplug start {draft} --near --online" in done.out
    ways = run("start", draft, "--json").json
    assert (ways["records"], set(ways["ways"])) == (0, {"near", "own", "field", "all"})
    assert ways["next"] == f"citeplug start {draft} --near --online"
    assert not arxiv.requests
    missing = run("start", draft.with_name("other.tex"))
    assert (missing.code, "other.tex" in missing.err) == (2, True)


@pytest.mark.parametrize("more", [[], ["--own"]])
def test_offline_with_nothing_to_search_in_the_next_step_is_the_demo(
    run: Run, draft: Path, monkeypatch: pytest.MonkeyPatch, more: list[str]
) -> None:
    monkeypatch.setenv("CITEPLUG_OFFLINE", "1")
    done = run("start", draft, *more, *([draft.with_name("refs.bib")] if more else []))
    assert (done.code, done.out.count("next: ")) == (0, 1)
    assert "next: citeplug demo" in done.out


def test_an_outage_leads_to_what_needs_no_network(run: Run, arxiv: ArxivServer, draft: Path) -> None:
    arxiv.fail_always(Fault.http(404))
    done = run("start", draft, "--near", "--online")
    assert (done.code, "--offline" in done.err, "'citeplug demo' needs none" in done.err) == (3, False, True)


def test_own_works(run: Run, draft: Path) -> None:
    assert run("start", draft, "--own", draft.with_name("refs.bib"), "--json").json["added"] == 1
    assert [each["key"] for each in run("library", "list", "--json").json] == ["roast"]


def test_a_field_of_arxiv_is_announced_with_its_time(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    today = datetime.now(UTC).date()
    server = OaiServer(today=today, page=50)
    server.touch(today, paper("2610.00001", "On kettles"), sets=("cs", "cs:cs", "cs:cs:CL"))
    with server.serve():
        monkeypatch.setenv("CITEPLUG_OAI_URL", server.url)
        done = run("start", "--category", "cs.CL", "--since", today)
    assert done.code == 0, done.err
    assert "1 day of cs.CL: 1 request to arXiv or more" in done.err
    assert "1 paper added" in done.out
    assert run("start", "--since", today).code == 2


@pytest.mark.parametrize(
    ("category", "named"),
    [
        ("cs.LG", "cs:cs:LG"),
        ("cs", "cs"),
        ("hep-th", "physics:hep-th"),
        ("astro-ph.CO", "physics:astro-ph:CO"),
        ("physics.optics", "physics:physics:optics"),
        ("math.ST", "math:math:ST"),
    ],
)
def test_sets_of_categories(category: str, named: str) -> None:
    assert oai_set(category) == named

"""With `--online` the citation graph grows during a run: OpenAlex and arXiv speak on loopback."""

import gzip
import io
import tarfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from citeplug.editor.tasks import list_papers
from citeplug.editor.wishes import RunRequest
from citeplug.jobs.worker import Channel
from citeplug.records.dialogue import Request
from citeplug.records.paper import Paper
from citeplug.sources.snapshot import SnapshotReader
from tests.e2e.conftest import LIBRARY, Run
from tests.harness.anthropic_server import AnthropicServer
from tests.harness.arxiv_server import ArxivServer, Fault
from tests.harness.pdf_files import paper_pdf
from tests.harness.scripted_models import honest, honest_ranking, read_prompt
from tests.harness.work_server import Published, WorkServer, published
from tests.web.browser import reviewed

LINE = "graph_grown"
TEXT = "\\section{Introduction} " + "We study networks on graphs, as others did before us \\cite{a}. " * 30


def numbered(papers: list[Paper]) -> dict[str, int]:
    return {paper.id.value: 1000 + number for number, paper in enumerate(papers)}


def at_openalex(paper: Paper, numbers: dict[str, int], cited: list[str]) -> Published:
    item = {
        "id": f"https://openalex.org/W{numbers[paper.id.value]}",
        "referenced_works": [f"https://openalex.org/W{numbers[value]}" for value in cited],
        "locations": [{"landing_page_url": f"https://arxiv.org/abs/{paper.id.value}"}],
    }
    people = tuple(", ".join(reversed(name.rsplit(" ", 1))) for name in paper.authors)
    work = published(paper.title, *people, year=paper.published.year, doi=f"10.48550/arxiv.{paper.id.value}")
    return replace(work, services=("openalex",), more={"openalex": item})


@pytest.fixture
def papers() -> list[Paper]:
    return list(SnapshotReader(LIBRARY))


@pytest.fixture
def openalex(
    papers: list[Paper], monkeypatch: pytest.MonkeyPatch, arxiv_server: ArxivServer, own_home: Path
) -> Iterator[WorkServer]:
    """Every paper of the library cites its first two."""
    arxiv_server.add(*papers)
    monkeypatch.setenv("CITEPLUG_ARXIV_URL", arxiv_server.url)
    monkeypatch.setenv("CITEPLUG_EPRINT_URL", arxiv_server.eprint_url)
    monkeypatch.setenv("CITEPLUG_PDF_URL", arxiv_server.pdf_url)
    numbers = numbered(papers)
    first = [paper.id.value for paper in papers[:2]]
    server = WorkServer(*(at_openalex(paper, numbers, [v for v in first if v != paper.id.value]) for paper in papers))
    with server.serve():
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        yield server


def said(document: Any) -> str:
    (message,) = (finding["message"] for finding in document["findings"] if finding["code"] == LINE)
    return cast(str, message)


def test_lists_are_fetched_during_the_run_and_citations_count(run: Run, openalex: WorkServer, project: Path) -> None:
    done = run("related", project, "--online", "--breadth", "5", "--json")
    assert done.code == 0, done.err
    deep = done.json["deep"]
    assert (deep["used"], deep["known"], deep["left"]) == (True, deep["seeds"], 0)
    assert deep["fetched"] >= 20
    assert any(paper["why"] for paper in done.json["shortlist"])
    assert said(done.json).startswith("citations were followed: reference lists are known for 20 of 20 papers")
    assert "asking OpenAlex for lists of references" in done.err
    assert done.err.index("asking OpenAlex for lists") > done.err.index("asking arXiv")
    # The next run knows them, without a network.
    asked = len(openalex.requests)
    again = run("related", project, "--offline", "--breadth", "5", "--replan", "--json").json["deep"]
    assert (again["used"], again["fetched"]) == (True, 0)
    assert len(openalex.requests) == asked


def test_without_consent_nobody_is_asked(run: Run, openalex: WorkServer, project: Path) -> None:
    assert run("related", project, "--breadth", "5", "--json").json["deep"]["used"] is False
    assert run("related", project, "--online", "--no-deep", "--breadth", "5", "--json").code == 0
    assert not openalex.requests


def test_an_outage_ends_the_asking_and_not_the_run(run: Run, openalex: WorkServer, project: Path) -> None:
    asked: list[str] = []

    def then_refuses(request: Any) -> Fault | None:
        asked.append(request.path)
        return Fault.http(403) if len(asked) > 6 else None

    openalex.replay(then_refuses)
    done = run("related", project, "--online", "--breadth", "5", "--json")
    assert done.code == 0, done.err
    assert done.json["deep"]["used"] is False
    # Two requests for the first list, one for each later one: what they cite is the same.
    assert done.json["deep"]["fetched"] == 5
    assert "citations were not followed" in said(done.json)
    assert "left, since OpenAlex could not be queried" in said(done.json)
    assert len(asked) == 7


def test_a_list_that_openalex_lacks_is_read_out_of_the_paper(
    run: Run, openalex: WorkServer, project: Path, papers: list[Paper], arxiv_server: ArxivServer
) -> None:
    openalex.works = []
    cited = papers[0]
    entry = f"\\bibitem{{a}} A. Author.\n\\newblock {cited.title}.\n\\newblock arXiv:{cited.id.value}.\n"
    head = f"\\documentclass{{article}}\\title{{TITLE}}\\begin{{document}}\\maketitle {TEXT}\n"
    body = f"{head}\\begin{{thebibliography}}{{1}}\n{entry}\\end{{thebibliography}}\\end{{document}}"
    for paper in papers:
        text = body.replace("TITLE", paper.title.replace("&", "and"))
        arxiv_server.put_source(str(paper.id), gzip.compress(text.encode()))
    done = run("related", project, "--online", "--breadth", "5", "--json")
    assert done.code == 0, done.err
    assert done.json["deep"]["used"] is True
    assert done.json["deep"]["fetched"] >= 10


def test_search_deep_asks_too(run: Run, openalex: WorkServer) -> None:
    done = run("search", "graph attention networks", "--deep", "--online", "--json")
    assert done.code == 0, done.err
    assert "citations were followed" in done.err
    assert any(paper["why"] for paper in done.json)


def test_a_list_of_papers_asks_too(run: Run, openalex: WorkServer, project: Path) -> None:
    done = run("papers", project, "--online", "--breadth", "5")
    assert done.code == 0, done.err
    assert "asking OpenAlex for lists of references" in done.err
    assert "citations were followed" in done.err


def test_the_editor_asks_with_consent_alone(openalex: WorkServer, project: Path) -> None:
    sent = io.BytesIO()
    for online in (False, True):
        assert not openalex.requests
        _, findings = list_papers(Channel(sent), project, RunRequest({}, online=online), missing=False)
        assert any(finding.code == LINE for finding in findings) is online
    assert b"asking OpenAlex for lists of references" in sent.getvalue()
    assert b"ask for lists" in sent.getvalue()


def test_the_page_asks_by_the_form_that_says_so_and_sends_no_word_of_the_draft(
    openalex: WorkServer, project: Path, arxiv_server: ArxivServer
) -> None:
    with reviewed(project, offline=False) as browser:
        browser.start()
        assert "nothing from your draft" in browser.open("/papers")
        assert "Citations were not followed" in browser.send("/deep").text
        assert not openalex.requests
        assert "Citations were followed" in browser.send("/deep", lists="yes").text
    assert openalex.requests
    assert arxiv_server.asked_queries() == []


def test_a_paper_that_lists_name_and_the_catalogue_lacks_is_fetched_by_its_id(
    run: Run, openalex: WorkServer, project: Path, papers: list[Paper], arxiv_server: ArxivServer
) -> None:
    missing = replace(papers[0], id=replace(papers[0].id, value="2001.77777"), title="Gates of graph attention depth")
    arxiv_server.add(missing)
    numbers = numbered([*papers, missing])
    value = missing.id.value
    openalex.works = [at_openalex(each, numbers, [value] * (each.id.value != value)) for each in [*papers, missing]]
    done = run("search", "spectral networks deep locally", "--deep", "--online", "--json", "-k", "20")
    assert done.code == 0, done.err
    (found,) = (paper for paper in done.json if paper["id"] == value)
    assert "graph" in found["found_by"]


@pytest.mark.parametrize(("probability", "followed"), [(90, True), (10, False)])
def test_algorithm_2_follows_what_the_model_s_debate_finds_relevant(
    run: Run, openalex: WorkServer, monkeypatch: pytest.MonkeyPatch, probability: int, followed: bool
) -> None:
    debates: list[str] = []

    def script(request: Request) -> Any:
        properties = (request.schema or {}).get("properties", {})
        if "candidates" in properties:
            debates.append(request.prompt)
            answer = honest_ranking(read_prompt(request), request)
            for candidate in answer["candidates"]:
                candidate["probability"] = probability
            return answer
        return {"queries": []} if "queries" in properties else honest(read_prompt(request))

    options = ("--deep", "--as-published", "--seeds", "3", "--online", "--json", "-k", "50")
    with AnthropicServer(script).serve() as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        done = run("search", "graph attention networks", *options, "--llm", "anthropic")
        assert done.code == 0, done.err
        assert debates
    assert (len(done.json) > 3) is followed


def test_references_are_read_out_of_a_pdf_and_out_of_a_source(
    run: Run, own_home: Path, tmp_path: Path, papers: list[Paper]
) -> None:
    listed = [f"[{n}] A. Author. {paper.title}. arXiv:{paper.id.value}, 2019." for n, paper in enumerate(papers[:3], 1)]
    file = tmp_path / "1801.00009.pdf"
    text = "We study graphs. " * 40
    file.write_bytes(paper_pdf("A study of graphs", [("1 Introduction", text), ("References", " ".join(listed))]))
    done = run("graph", "add", file, "--json")
    assert done.code == 0, done.err
    assert (done.json["lists"], done.json["skipped"]) == (1, 0)
    known = {entry["arxiv_id"] for entry in run("references", "1801.00009", "--json").json}
    assert known & {paper.id.value for paper in papers[:3]}

    packed = io.BytesIO()
    cited = next(paper for paper in papers if len(paper.title.split()) > 5)
    entry = f"\\bibitem{{a}} {cited.authors[0]}.\n\\newblock {cited.title}.\n"
    body = f"\\documentclass{{article}}\\begin{{document}}{TEXT}\\begin{{thebibliography}}{{1}}{entry}"
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        data = (body + "\\end{thebibliography}\\end{document}").encode()
        member = tarfile.TarInfo("main.tex")
        member.size = len(data)
        archive.addfile(member, io.BytesIO(data))
    source = tmp_path / "1801.00010.tar.gz"
    source.write_bytes(packed.getvalue())
    done = run("graph", "add", source, "--json")
    assert done.code == 0, done.err
    assert (done.json["lists"], done.json["resolved"]) == (1, 1)


def test_a_folder_of_pdfs_is_read_and_figures_of_a_project_are_not(
    run: Run, own_home: Path, tmp_path: Path, papers: list[Paper]
) -> None:
    entries = f"[1] A. Author. {papers[0].title}. arXiv:{papers[0].id.value}, 2019."
    paper = paper_pdf("A study of graphs", [("1 Introduction", "We study graphs. " * 40), ("References", entries)])
    folder = tmp_path / "papers"
    (folder / "project" / "figures").mkdir(parents=True)
    (folder / "some paper.pdf").write_bytes(paper)
    (folder / "project" / "main.tex").write_text("\\documentclass{article}\\begin{document}Hi.\\end{document}")
    (folder / "project" / "figures" / "figure.pdf").write_bytes(b"%PDF-1.4 broken")
    done = run("graph", "add", folder, "--json")
    assert done.code == 0, (done.err, done.json)
    assert done.json["lists"] == 1


def test_a_broken_pdf_is_said_and_not_read_as_lines(run: Run, own_home: Path, tmp_path: Path) -> None:
    file = tmp_path / "paper.pdf"
    file.write_bytes(b"%PDF-1.4\n" + b"nothing\n" * 2_000)
    done = run("graph", "add", file)
    assert done.code == 2
    assert "lines were not read" not in done.err
    assert "gives no text" in done.err

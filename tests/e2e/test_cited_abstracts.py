"""What a section says of works that the draft cites and the catalogue lacks: wherever an abstract may be had, by it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from citeplug.corpus.stores import settings
from citeplug.project.find_project import find_project
from citeplug.project.provenance import read_provenance
from citeplug.related.section.review import review_section
from citeplug.related.section.shown_sources import sources_of
from citeplug.section_file.cite_style import cited_keys
from citeplug.sources.snapshot import SnapshotReader
from tests.e2e.conftest import LIBRARY, Done, Run
from tests.harness.arxiv_server import ArxivServer, Fault, paper
from tests.harness.pdf_files import paper_pdf
from tests.harness.work_server import WorkServer, inverted, published

TITLE = "Graph Attention Networks with Learned Edges"
CLAIM = "whose edges are learned with attention over sampled neighbours"
ABSTRACT = (
    f"Graphs are rarely complete. We propose a graph neural network {CLAIM}. It is faster than others on large graphs."
)
RECORD = paper("1609.01234", TITLE, ABSTRACT, authors=("Ann Doe", "Bob Roe"))
ENTRY = f"@inproceedings{{mine, title = {{{TITLE}}}, author = {{Doe, Ann and Roe, Bob}}, year = {{2016}}}}\n"


@pytest.fixture
def cited(own_home: Path, project: Path) -> Path:
    """The draft, which cites a work without an id."""
    bib = project.parent / "refs.bib"
    bib.write_text(f"{bib.read_text('utf-8')}{ENTRY}", "utf-8")
    told = "Attention over the nodes of a graph was learned by \\citet{mine}. We conclude."
    project.write_text(project.read_text("utf-8").replace("We conclude.", told), "utf-8")
    return project


@pytest.fixture
def arxiv(monkeypatch: pytest.MonkeyPatch, arxiv_server: ArxivServer) -> ArxivServer:
    monkeypatch.setenv("CITEPLUG_ARXIV_URL", arxiv_server.url)
    arxiv_server.add(*SnapshotReader(LIBRARY))
    return arxiv_server


def related(run: Run, main: Path, *options: str) -> Done:
    done = run("related", main, *options, "--json")
    assert done.code == 0, done.err
    return done


def said(done: Done, key: str = "mine") -> list[dict[str, Any]]:
    """The sentences that cite a work."""
    sentences = [s for p in done.json["section"]["paragraphs"] for s in p["sentences"]]
    return [sentence for sentence in sentences if key in {cite["key"] for cite in sentence["cites"]}]


def test_with_consent_arxiv_is_asked_by_title_and_the_work_is_described_under_the_author_s_key(
    run: Run, cited: Path, arxiv: ArxivServer
) -> None:
    arxiv.add(RECORD)
    online = related(run, cited, "--online")
    (sentence,) = said(online)
    (source,) = sentence["sources"]
    assert (source["arxiv_id"], source["of"]) == ("1609.01234", "abstract")
    assert source["text"] in ABSTRACT and CLAIM in sentence["text"]
    assert TITLE not in online.json["bib_content"]
    (query,) = [query for query in arxiv.asked_queries() if "ti:" in query]
    assert query in online.err
    # What the section cites can be read, and written again, without the network.
    assert related(run, cited, "--offline").json["tex_content"] == online.json["tex_content"]


def test_without_consent_no_title_is_sent(run: Run, cited: Path, arxiv: ArxivServer) -> None:
    arxiv.add(RECORD)
    done = related(run, cited)
    assert said(done)[0]["kind"] == "group"
    assert arxiv.asked_queries() == []
    # It is said how to get more, in the last lines and nowhere else.
    (finding,) = (finding for finding in done.json["findings"] if finding["code"] == "cited_only_named")
    assert finding["fix"].startswith("--online")
    shown = run("related", cited)
    assert f"  {finding['message']}: {finding['fix']}\n" in shown.out
    assert finding["message"] not in shown.err


def test_the_work_of_other_people_under_the_same_title_is_not_taken(run: Run, cited: Path, arxiv: ArxivServer) -> None:
    arxiv.add(paper("1609.01234", TITLE, ABSTRACT, authors=("Cy Moe",)))
    done = related(run, cited, "--online")
    assert said(done)[0]["kind"] == "group"
    assert not any(source["arxiv_id"] == "1609.01234" for s in said(done) for source in s["sources"])


DOI = "10.5555/edges.2016"


@pytest.fixture
def works(monkeypatch: pytest.MonkeyPatch, arxiv: ArxivServer) -> Iterator[WorkServer]:
    with WorkServer().serve() as server:
        for name, value in cast(WorkServer, server).environment().items():
            monkeypatch.setenv(name, value)
        yield cast(WorkServer, server)


@pytest.mark.parametrize("has_doi", [True, False])
@pytest.mark.parametrize(
    "told",
    [
        {"openalex": {"abstract_inverted_index": inverted(ABSTRACT)}},
        {"crossref": {"abstract": f"<jats:title>Abstract</jats:title><jats:p>{ABSTRACT}</jats:p>"}},
    ],
    ids=["OpenAlex", "Crossref"],
)
def test_a_service_that_the_user_named_gives_the_abstract_of_a_published_work(
    run: Run, cited: Path, works: WorkServer, told: dict[str, Any], has_doi: bool
) -> None:
    # Its search would find the work too.
    works.replay(lambda asked: Fault.http(403) if "search" in asked.params else None)
    works.works = [published(TITLE, "Doe, Ann", "Roe, Bob", year=2016, doi=DOI, more=told)]
    if has_doi:
        bib = cited.parent / "refs.bib"
        bib.write_text(bib.read_text("utf-8").replace("{mine,", f"{{mine, doi = {{{DOI}}},"), "utf-8")
    online = related(run, cited, "--online", "--sources", "openalex")
    (sentence,) = said(online)
    assert sentence["kind"] == "paper" and CLAIM in sentence["text"]
    assert DOI not in online.json["bib_content"]
    assert f"asking OpenAlex: {DOI if has_doi else TITLE}" in online.err
    assert related(run, cited, "--offline").json["tex_content"] == online.json["tex_content"]


def test_the_author_s_library_gives_the_abstract_whatever_its_key(run: Run, cited: Path, tmp_path: Path) -> None:
    library = tmp_path / "zotero.bib"
    library.write_text(ENTRY.replace("{mine,", f"{{doe_graph_2016, abstract = {{{ABSTRACT}}},"), "utf-8")
    assert said(related(run, cited, "--offline"))[0]["kind"] == "group"
    assert run("library", "add", library).code == 0
    (sentence,) = said(related(run, cited, "--offline", "--replan"))
    assert sentence["kind"] == "paper" and CLAIM in sentence["text"]
    record = read_provenance(cited.parent / ".citeplug" / "provenance.json")
    assert "the abstract in your library" in record.quotes_from.values()
    assert cited_keys((cited.parent / "related.tex").read_text("utf-8")) >= {"mine"}


def test_a_pdf_of_the_library_gives_the_abstract_and_is_named_as_its_place(
    run: Run, cited: Path, tmp_path: Path
) -> None:
    pdf = tmp_path / "download.pdf"
    parts = [("Ann Doe and Bob Roe", ""), ("Abstract", ABSTRACT), ("Introduction", "Nothing is known of slopes. " * 20)]
    pdf.write_bytes(paper_pdf(TITLE, parts))
    assert run("library", "add", pdf).code == 0
    (sentence,) = said(related(run, cited, "--offline"))
    assert sentence["kind"] == "paper" and CLAIM in sentence["text"]
    assert "mine, the abstract in download.pdf: " in run("section", "accept", cited).out
    # The words are shown in their place.
    chosen = settings(offline=True)
    section = review_section(find_project(cited), chosen)
    pieces = [piece for paragraph in section.paragraphs for piece in paragraph.pieces]
    (reviewed,) = (piece for piece in pieces if piece.sentence and "lib:mine" in piece.sentence.cites)
    (source,) = sources_of(section, reviewed, chosen)
    assert source.found and source.paper and source.paper.abstract == ABSTRACT

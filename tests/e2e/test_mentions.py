"""What papers say of each other in their full texts: `fetch`, `mentions`, `references`, as a user runs them."""

from pathlib import Path

import pytest

from tests.corpus.fulltext.sources import BBL, WORDS, tar_gz
from tests.corpus.records import make_record, write_snapshot
from tests.e2e.conftest import Run
from tests.harness.arxiv_server import ArxivServer
from tests.latex.projects import article

A, B, C = "1801.00001", "1801.00002", "1801.00003"
TWO = r"""\begin{thebibliography}{1}
\bibitem{a} Ada Lovelace. \newblock On the sampling of neighbours.
\newblock \emph{arXiv preprint arXiv:1801.00002v3}, 2018.
\bibitem{none} Nobody. \newblock A book that arXiv never had. \newblock 1950.
\end{thebibliography}"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run, arxiv_server: ArxivServer) -> Path:
    monkeypatch.setenv("CITEPLUG_ARXIV_URL", arxiv_server.url)
    monkeypatch.setenv("CITEPLUG_EPRINT_URL", arxiv_server.eprint_url)
    monkeypatch.setenv("CITEPLUG_PDF_URL", arxiv_server.pdf_url)
    snapshot = write_snapshot(tmp_path / "s.jsonl", [make_record(number) for number in range(10)])
    assert run("index", "add", snapshot).code == 0
    return tmp_path


def source(body: str) -> str:
    return article(rf"\title{{T}}\maketitle\section{{Introduction}}{WORDS}{body}\bibliography{{refs}}", "")


def test_each_citation_is_listed_in_its_sentence_and_section(run: Run, home: Path, arxiv_server: ArxivServer) -> None:
    body = (
        r"Sampling was first tried on grids \cite{a}. Others differ.\nocite{a}"
        r"\section{Related Work}Neighbours are drawn with care by \cite[Sec.~2]{a,none}, which \x1b[31m costs 5\% more."
        r" \cite{unknown} say nothing. Again \cite{a} and again \cite{a}, in one sentence."
    )
    arxiv_server.put_source(f"{A}v1", tar_gz({"main.tex": source(body), "main.bbl": TWO}))
    assert run("fetch", A, "--online").code in (0, 1)
    found = run("mentions", B, "--json").json
    assert [(each["citing"], each["section"]) for each in found] == [
        (A, "Introduction"),
        *[(A, "Related Work")] * 3,
    ]
    assert found[0]["sentence"] == "Sampling was first tried on grids [*]."
    assert "drawn with care by [*], which" in found[1]["sentence"]
    assert found[0]["title"] == "On problem number 1"
    shown = run("mentions", f"arXiv:{B}v2")
    assert "Related Work: Neighbours" in shown.out and "4 sentences in 1 paper" in shown.err
    assert run("mentions", C, "--json").json == []
    assert run("mentions", "no id").code == 2
    (cited, nobody) = run("references", A, "--json").json
    assert (cited["arxiv_id"], cited["key"], nobody["arxiv_id"]) == (B, "a", None)
    assert run("graph", "verify").code == 0


def test_a_newer_version_takes_the_place_of_the_older_one(run: Run, home: Path, arxiv_server: ArxivServer) -> None:
    arxiv_server.put_source(f"{A}v1", tar_gz({"main.tex": source(r"Old \cite{a} words."), "main.bbl": BBL}))
    arxiv_server.put_source(f"{A}v2", tar_gz({"main.tex": source(r"New \cite{a} words."), "main.bbl": BBL}))
    run("fetch", f"{A}v1", "--online")
    run("fetch", f"{A}v2", "--online")
    assert [each["sentence"] for each in run("mentions", B, "--json").json] == ["New [*] words."]


def test_without_a_bbl_the_bib_says_what_is_cited(run: Run, home: Path, arxiv_server: ArxivServer) -> None:
    bib = "@misc{a, title={On the sampling of neighbours}, eprint={1801.00002}, archiveprefix={arXiv}}\n"
    bib += "@misc{uncited, title={Another}, eprint={1801.00003}, archiveprefix={arXiv}}\n"
    arxiv_server.put_source(f"{A}v1", tar_gz({"main.tex": source(r"As \citet{a} say."), "refs.bib": bib}))
    run("fetch", A, "--online")
    assert [each["sentence"] for each in run("mentions", B, "--json").json] == ["As [*] say."]
    assert run("mentions", C, "--json").json == []


def test_nothing_that_a_paper_says_acts_in_a_terminal(run: Run, home: Path, arxiv_server: ArxivServer) -> None:
    body = "As \x1b]0;owned\x07\u202eevil\u202c \\cite{a} say."
    arxiv_server.put_source(f"{A}v1", tar_gz({"main.tex": source(body), "main.bbl": BBL}))
    run("fetch", A, "--online")
    shown = run("mentions", B)
    assert "evil" in shown.out
    assert not any(sign in shown.out for sign in "\x1b\x07\u202e")

"""`fix --published` and `cite` with a service that speaks Crossref's protocol on loopback."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.conftest import Run
from tests.harness.arxiv_server import ArxivServer
from tests.harness.papers import paper
from tests.harness.work_server import WorkServer, published

PREPRINT = """@string{me = "mine"}
@article{vaswani,
  title     = {{Attention} Is All You Need},
  author    = {A. Vaswani and N. Shazeer and N. Parmar},
  journal   = {CoRR},
  volume    = {abs/1706.03762},
  url       = {http://arxiv.org/abs/1706.03762},
  eprint    = {1706.03762},
  archivePrefix = {arXiv},
  year      = {2017},
  month     = jun,
  note      = me # { own note},
  file      = {a.pdf},
  biburl    = {https://dblp.org/rec/corr.bib},
}
"""
REPLACED = """@string{me = "mine"}
@article{vaswani,
  title     = {{Attention} Is All You Need},
  author    = {A. Vaswani and N. Shazeer and N. Parmar},
  journal   = {Journal of Tests},
  volume    = {7},
  year      = {2018},
  note      = me # { own note},
  file      = {a.pdf},
  number    = {2},
  pages     = {10--20},
  doi       = {10.1000/att.1},
}
"""


@pytest.fixture
def services(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, arxiv_server: ArxivServer) -> Iterator[WorkServer]:
    arxiv_server.add(paper(doi="10.1000/att.1", journal_ref="Some Proceedings, 2018"))
    people = ("Vaswani, Ashish", "Shazeer, Noam", "Parmar, Niki")
    works = [
        published("Attention is all you need", *people, year=2018, doi="10.1000/att.1"),
        published("A Study of Nothing at All", "Roe, Jane", year=2001, doi="10.1000/roe_2001", venue="Nothing & More"),
    ]
    server = WorkServer(*works)
    with server.serve():
        environment = {**server.environment(), "CITEPLUG_ARXIV_URL": arxiv_server.url, "CITEPLUG_ARXIV_DELAY": "0"}
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        monkeypatch.chdir(tmp_path)
        yield server


def test_all_that_tells_of_the_publication_comes_from_the_service(
    run: Run, services: WorkServer, tmp_path: Path
) -> None:
    path = tmp_path / "refs.bib"
    path.write_bytes(PREPRINT.encode())
    done = run("fix", path, "--published", "--sources", "crossref")
    assert done.code == 0, done.err
    text = path.read_text(encoding="utf-8")
    assert text == REPLACED
    assert run("fix", path, "--published", "--sources", "crossref").code == 0
    assert path.read_text(encoding="utf-8") == text


def test_without_a_service_the_preprint_stays_and_the_reason_is_told(
    run: Run, services: WorkServer, tmp_path: Path
) -> None:
    path = tmp_path / "refs.bib"
    path.write_bytes(PREPRINT.encode())
    done = run("fix", path, "--published", "-v")
    assert path.read_bytes() == PREPRINT.encode()
    assert "published_unclear" in done.err and "Some Proceedings, 2018" in done.err
    assert services.asked("crossref") == []


def test_a_work_that_is_not_on_arxiv_is_cited_by_its_doi(run: Run, services: WorkServer, tmp_path: Path) -> None:
    done = run("cite", "https://doi.org/10.1000/ROE_2001", "--sources", "crossref", "--append", "new.bib")
    assert done.code == 0, done.err
    text = (tmp_path / "new.bib").read_text(encoding="utf-8")
    assert text.startswith("@article{roe2001study,")
    assert r"Nothing \& More" in text
    assert run("cite", "A study of nothing at all", "--sources", "crossref", "--bib", "new.bib").code == 1


def test_a_title_that_only_a_service_knows_is_found_there(run: Run, services: WorkServer) -> None:
    done = run("cite", "A study of nothing at all", "--sources", "crossref", "--json")
    assert done.json[0]["doi"] == "10.1000/roe_2001"
    assert done.json[0]["status"] == "new"

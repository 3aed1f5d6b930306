"""A run of the benchmark HALLMARK with services, repeated from their replies alone."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import hallmark
from tests.harness.arxiv_server import ArxivServer, paper
from tests.harness.work_server import Published, WorkServer

WORKS = (
    Published("On the Sampling of Neighbours in Trees", ("Brown, Ann",), 2015, doi="10.5555/trees"),
    Published("A Withdrawn Study of Forests", ("Dahl, Carl",), 2016, doi="10.5555/forests", retracted=True),
)


def entry(title: str, author: str, year: int, label: str, **more: str) -> dict[str, object]:
    fields = {"title": title, "author": author, "year": str(year), **more}
    return {"bibtex_type": "article", "fields": fields, "label": label, "hallucination_type": None}


ENTRIES = [
    entry("On the Sampling of Neighbours in Trees", "Brown, Ann", 2015, "VALID", doi="10.5555/trees"),
    entry("Another Work Altogether of Quite Other People", "Nobody, Jo", 2015, "HALLUCINATED", doi="10.5555/trees"),
    entry("A Withdrawn Study of Forests", "Dahl, Carl", 2016, "VALID", doi="10.5555/forests"),
    entry("Attention on Graphs and Elsewhere", "Author, First", 2021, "HALLUCINATED", eprint="2101.00009"),
]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository of the form of HALLMARK's."""
    data = tmp_path / "hallmark" / "data" / "v1.0"
    (data / "baseline_results").mkdir(parents=True)
    for split in hallmark.SPLITS:
        (data / f"{split}.jsonl").write_text("\n".join(map(json.dumps, ENTRIES)))
    (data / "baseline_results" / "none.json").write_text("{}")
    git = ["git", "-C", str(tmp_path / "hallmark"), "-c", "user.name=A", "-c", "user.email=a@example.org"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "data"]):
        subprocess.run([*git, *command], check=True)
    return tmp_path / "hallmark"


def run(repository: Path, replies: Path, *more: str) -> str:
    command = [sys.executable, "-m", "benchmarks.hallmark", "--repository", str(repository)]
    command += ["--data", str(repository), "--replies", str(replies), "--sources", "crossref", *more]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(hallmark.__file__).parents[1])
    return done.stdout.partition("HALLMARK at commit")[2]


def test_a_recorded_run_is_repeated_without_a_request_and_ends_alike(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = paper("2101.00001", "Attention on Graphs", "We attend.")
    works = WorkServer(*WORKS)
    with ArxivServer(listed).serve() as arxiv, works.serve():
        for name, value in {
            **works.environment(),
            "CITEPLUG_ARXIV_URL": arxiv.url,
            "CITEPLUG_ARXIV_DELAY": "0",
        }.items():
            monkeypatch.setenv(name, value)
        once = run(repository, tmp_path / "replies", "--online")
        assert works.asked("crossref") and arxiv.asked_ids()
    again = run(repository, tmp_path / "replies")  # the servers have ended
    assert "detected 2 of 2 (1.000)" in once
    assert again == once

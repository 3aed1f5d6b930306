"""The judge of pairs beside the votes of experts, with a judge that answers as it is told."""

import json
import subprocess
from pathlib import Path

import pytest

from benchmarks import preference
from benchmarks.published_sections import Repository
from tests.evaluate.stated_judges import Judge
from tests.harness.openai_server import OpenAIServer

REPORTS = {"sqa": "eight", "storm": "four", "qwen-sqa": "six"}
VOTES = [
    ("sqa", "storm", 1.0, 0.5),
    ("storm", "qwen-sqa", 0.5, 1.0),
    ("sqa", "qwen-sqa", 0.5, 1.0),
    ("sqa", "elicit", 1, 1),
]


def write(file: Path, rows: object) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(rows), "utf-8")


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """Four votes on the reports of three systems; that of a fourth is not there."""
    root = tmp_path / "clone"
    votes = [
        {"question": "Why?", "models": list(models), "preference_ranking_norm": ranks, "model_overall": [0.9, 0.1]}
        for *models, first, second in VOTES
        if (ranks := [first, second])
    ]
    for names in preference.SETS.values():
        for name in filter(None, names):
            write(root / f"meta_evaluation/agreement_calculation/annotation/{name}.json", votes)
    for system, text in REPORTS.items():
        row = {"question": "Why?", "response": {"sections": [{"title": None, "text": text}]}}
        write(root / f"meta_evaluation/system_reports/dev/{preference._FILES.get(system, system)}.json", [row])
    git = ["git", "-C", str(root), "-c", "user.name=a", "-c", "user.email=a@b"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "all"]):
        subprocess.run([*git, *command], check=True)
    commit = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, check=True, text=True).stdout.strip()
    return Repository("owner/name", commit, root / ".git")


def report(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], repository: Repository, *options: str
) -> list[str]:
    monkeypatch.setattr(preference, "VOTES", repository)
    home = str(Path(str(repository.place)).parents[1] / "home")
    monkeypatch.setattr("sys.argv", ["preference", "--clone", str(repository.place), "--home", home, *options])
    assert preference.main() == 0
    return capsys.readouterr().out.splitlines()


def test_without_a_model_annotators_and_published_grades_are_compared(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], repository: Repository
) -> None:
    lines = report(monkeypatch, capsys, repository)
    assert lines[-3:] == [
        "assigned, test: 4 votes, 1 of them ties",
        "  published grades 0.333 of 3 votes (3 of them decided)",
        "  another annotator 1.000 of 3 votes (3 of them decided)",
    ]


def test_a_judge_is_asked_in_both_orders_about_the_pairs_whose_reports_are_at_hand(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], repository: Repository, tmp_path: Path
) -> None:
    monkeypatch.setenv("CITEPLUG_HOME", str(tmp_path / "user"))
    worth = {"eight": 8.0, "four": 4.0, "six": 6.0}
    with OpenAIServer(Judge(worth.__getitem__, per_place=3)).serve() as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        lines = report(monkeypatch, capsys, repository, "--llm", "openai:one")
        assert len(server.requests) == 6  # the same questions in the other sets are answered from the cache
    assert lines[:5] == [
        "authors of the questions: 4 votes, 1 of them ties",
        "  published grades 0.333 of 3 votes (3 of them decided)",
        "  both reports are at hand for 3 of 4 pairs",
        # It is sure of the first pair alone, and right; the others it decides by their places.
        "  openai:one 0.667 of 3 votes (1 of them decided)",
        "  the same in both orders: 0.333 of 3, earlier minus later place +0.67",
    ]

"""The report: what is run, what is skipped, and the digests of the data beside the numbers."""

import hashlib
import re
import sys
from pathlib import Path

import pytest

from benchmarks import report
from benchmarks.report import PARTS, ROOT, Made, Part, make, write


def test_a_part_is_run_and_its_output_and_data_are_shown(tmp_path: Path) -> None:
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims" / "a.jsonl").write_bytes(b"{}\n")
    part = Part("Help", "report", ("claims/a.jsonl",), ("--data",), ("--help",))
    made = make(part, tmp_path, tmp_path)
    assert "--only" in made.output and not made.trouble
    text = write([made], tmp_path)
    digest = hashlib.sha256(b"{}\n").hexdigest()
    assert f"| `claims/a.jsonl` | 3 | `{digest}` |" in text
    assert "## Help\n\n`python -m benchmarks.report --help`" in text and "--only" in text
    assert str(tmp_path) not in text.split("```text")[0]


def test_a_part_without_its_data_is_skipped_and_says_so(tmp_path: Path) -> None:
    made = make(Part("None", "report", ("gone.jsonl",)), tmp_path, tmp_path)
    assert made == Made(made.part, trouble="skipped: gone.jsonl is not there")
    assert "**skipped: gone.jsonl is not there**" in write([made], tmp_path)


def test_a_part_that_fails_is_shown_with_its_reason(tmp_path: Path) -> None:
    made = make(Part("Bad", "report", options=("--nothing",)), tmp_path, tmp_path)
    assert made.failed and made.trouble.startswith("ended with 2: ") and "--nothing" in made.trouble
    stopped = make(Part("Long", "report", options=("--help",)), tmp_path, tmp_path, longest=0.0)
    assert stopped.failed and "stopped after" in stopped.trouble


def test_what_is_printed_cannot_end_its_fence(tmp_path: Path) -> None:
    text = write([Made(Part("Odd", "report"), "```\n# Not a heading\n````\n")], tmp_path)
    assert text.endswith("`````text\n```\n# Not a heading\n````\n`````\n")


def test_the_command_writes_all_that_it_could_and_ends_with_0_where_the_rest_was_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "report.md"
    words = ["report", "--data", tmp_path, "-o", out, "--only", "check_quality", "--only", "retrieval"]
    monkeypatch.setattr(sys, "argv", list(map(str, words)))
    assert report.main() == 0
    assert out.read_text("utf-8").count("skipped:") == 2 and "written to" in capsys.readouterr().out


def test_the_numbers_of_the_readme_are_those_of_the_report() -> None:
    readme = " ".join((ROOT / "README.md").read_text("utf-8").split("## How good it is")[1].split())
    made = " ".join(report.REPORT.read_text("utf-8").split())
    recalls = re.findall(r"\d\d(?: / \d\d){2}(?= %)", readme)
    shares = re.findall(r"entries does (?:`check`|it) \w+\? \| (\d+\.\d) %", readme)
    assert len(recalls) == 3 and len(shares) == 2
    for name, recall in zip(("citeplug", "BM25 (bm25s)", "MiniLM, cosine"), recalls, strict=True):
        exact = re.search(rf"{re.escape(name)} ([01]\.\d+) ([01]\.\d+) ([01]\.\d+)", made)
        assert exact is not None and recall == " / ".join(f"{100 * float(share):.0f}" for share in exact.groups())
    assert f"wrong entries caught {round(10 * float(shares[0]))}/1000 {shares[0]}%" in made
    assert f"right entries accused {round(10 * float(shares[1]))}/1000 {shares[1]}%" in made


def test_every_part_is_a_benchmark() -> None:
    assert all((ROOT / "benchmarks" / f"{part.module}.py").is_file() for part in PARTS)

"""A draft that uses the LaTeX package: what a run writes for it, and what the PDF then says."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from citeplug.latex.sty import package_file
from tests.e2e.conftest import Run
from tests.harness.openai_server import OpenAIServer
from tests.harness.scripted_models import honest, read_prompt


@pytest.fixture
def packaged(project: Path) -> Path:
    """The draft with the package beside it, which reads the section."""
    text = project.read_text("utf-8")
    text = text.replace("\\usepackage{natbib}", "\\usepackage{natbib}\n\\usepackage{citeplug}", 1)
    text = text.replace(
        "\\bibliography", "\\section{Related Work}\n\\citeplugrelated\n\\citeplugdisclosure\n\\bibliography", 1
    )
    project.write_text(text, "utf-8")
    shutil.copy(package_file(), project.parent)
    return project


def record(main: Path) -> list[str]:
    return (main.parent / "related-citeplug.tex").read_text("utf-8").splitlines()


def test_a_run_writes_what_the_package_reads(run: Run, home: Path, packaged: Path) -> None:
    done = run("related", packaged, "--offline", "--insert")
    assert done.code == 0
    assert "\\input{related}" not in packaged.read_text("utf-8")
    lines = record(packaged)
    assert lines[0] == "%citeplug 1"
    section = (packaged.parent / "related.tex").read_text("utf-8").splitlines()
    told = [line.split(" ", 4)[4] for line in lines if line.startswith("%sentence ")]
    assert told
    assert set(told) <= set(section)
    assert {line.split()[3] for line in lines if line.startswith("%sentence ")} == {"0"}
    assert any(line.startswith("%entry verified ") for line in lines)


def test_a_run_that_changes_nothing_writes_nothing(run: Run, home: Path, packaged: Path) -> None:
    def files() -> dict[Path, tuple[bytes, int]]:
        there = [path for path in packaged.parent.rglob("*") if path.is_file()]
        return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in there}

    assert run("related", packaged, "--offline", "--insert").code == 0
    before = files()
    assert run("related", packaged, "--offline").code == 0
    assert files() == before


def test_what_is_accepted_is_told_to_the_package(run: Run, home: Path, packaged: Path) -> None:
    assert run("related", packaged, "--offline").code == 0
    assert run("accept", packaged, "p1:1").code == 0
    assert [line.split()[2] for line in record(packaged) if line.startswith("%sentence ")].count("accepted") == 1


def test_a_draft_without_the_package_gets_no_such_file(run: Run, home: Path, project: Path) -> None:
    assert run("related", project, "--offline").code == 0
    assert run("accept", project, "p1:1").code == 0
    assert not (project.parent / "related-citeplug.tex").exists()


def test_a_file_of_the_authors_of_that_name_is_left_alone(run: Run, home: Path, packaged: Path) -> None:
    mine = packaged.parent / "related-citeplug.tex"
    mine.write_text("My own words.\n", "utf-8")
    done = run("related", packaged, "--offline")
    assert done.code == 1
    assert "was not written by citeplug" in done.err
    assert mine.read_text("utf-8") == "My own words.\n"
    assert not (packaged.parent / "related.tex").exists()


@pytest.mark.system
@pytest.mark.skipif(shutil.which("latexmk") is None or shutil.which("pdftotext") is None, reason="TeX is not installed")
def test_the_pdf_says_how_the_section_was_made(run: Run, home: Path, packaged: Path) -> None:
    assert run("related", packaged, "--offline", "--insert").code == 0
    command = ["latexmk", "-pdf", "-interaction=nonstopmode", "-halt-on-error", packaged.name]
    made = subprocess.run(command, cwd=packaged.parent, capture_output=True, text=True, errors="replace")
    assert made.returncode == 0, made.stdout[-2000:]
    shown = subprocess.run(
        ["pdftotext", packaged.with_suffix(".pdf").name, "-"], cwd=packaged.parent, capture_output=True, text=True
    ).stdout
    text = " ".join(shown.replace("-\n", "").split())
    count = sum(line.startswith("%sentence ") for line in record(packaged))
    assert f"Of {count} generated sentences, {count} stand as generated" in text
    assert "without a language model" in text
    assert "other text" not in text
    assert "[?]" not in text


def test_a_model_is_named_for_the_sentences_that_it_wrote(
    run: Run, home: Path, packaged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "language-models.sqlite").unlink(missing_ok=True)
    with OpenAIServer(lambda request: honest(read_prompt(request))).serve() as server:
        for name, value in server.environment("sk-secret-key-0123456789").items():
            monkeypatch.setenv(name, value)
        assert run("related", packaged, "--offline", "--breadth", "4", "--llm", "openai:small").code == 0
    lines = record(packaged)
    assert "%model openai:small" in lines
    by_model = {line.split(" ", 4)[4] for line in lines if line.startswith("%sentence ") and line.split()[3] == "1"}
    recorded = json.loads((packaged.parent / ".citeplug" / "provenance.json").read_text("utf-8"))["sentences"]
    assert by_model == {said["tex"] for said in recorded if said["by"] == "openai:small"} != set()
    (packaged.parent / "related.tex").unlink()  # or its sentences would stand
    shutil.rmtree(packaged.parent / ".citeplug")
    assert run("related", packaged, "--offline", "--breadth", "4").code == 0
    assert not any(line.startswith("%model") for line in record(packaged))

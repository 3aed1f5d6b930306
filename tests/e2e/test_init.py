"""`citeplug init` as an author runs it."""

import shutil
import subprocess
from pathlib import Path

import pytest

from citeplug.latex.sty import package_file
from citeplug.settings.project_toml import read_configuration
from tests.e2e.conftest import Run


def test_it_says_what_is_there_and_writes_a_file_that_changes_nothing(run: Run, project: Path) -> None:
    told = run("init", project.parent, "--json").json
    assert told["root"] == str(project) and told["document_class"] == "article" and told["engine"] == "pdflatex"
    assert told["bib_files"] == [str(project.parent / "refs.bib")] and told["bib_engine"] == "bibtex"
    assert told["related_work"] is None and told["section"] is None and told["catalogue_records"] is None
    toml = project.parent / "citeplug.toml"
    assert told["written"] == [str(toml)] and not told["kept"]
    assert read_configuration(project.parent).values == {"root": "main.tex"}


def test_what_is_next_fits_what_the_draft_reads(run: Run, project: Path) -> None:
    assert "next: citeplug related main.tex --insert  " in run("init", project).out
    text = project.read_text("utf-8")
    read = text.replace("\\end{document}", "\\input{related}\n\\end{document}")
    project.write_text(read.replace("\\bibliography{refs}", "\\bibliography{refs,related}"), "utf-8")
    assert "next: citeplug related main.tex  " in run("init", project).out
    assert run("init", project, "--json").json["reads_section"] is True


def test_every_commented_line_may_be_set(run: Run, project: Path) -> None:
    run("init", project)
    toml = project.parent / "citeplug.toml"
    lines = toml.read_text("utf-8").splitlines()
    toml.write_text("\n".join(line.removeprefix("# ") if " = " in line else line for line in lines), "utf-8")
    assert len(read_configuration(project.parent).values) == 21


def test_a_file_that_is_there_stays(run: Run, project: Path) -> None:
    toml = project.parent / "citeplug.toml"
    toml.write_text("[related]\nbreadth = 4\n", "utf-8")
    done = run("init", project.parent)
    assert done.code == 0 and "is left unchanged" in done.out
    assert toml.read_text("utf-8") == "[related]\nbreadth = 4\n"
    assert run("init", project.parent, "--force").code == 0
    assert "# breadth = 20" in toml.read_text("utf-8")
    assert (project.parent / "citeplug.toml.bak").read_text("utf-8") == "[related]\nbreadth = 4\n"


def test_a_wrong_file_is_told(run: Run, project: Path) -> None:
    (project.parent / "citeplug.toml").write_text("[related]\nbredth = 4\n", "utf-8")
    done = run("init", project.parent)
    assert done.code == 2 and "citeplug.toml:2" in done.err


def test_the_package_is_put_beside_the_draft(run: Run, project: Path) -> None:
    sty = project.parent / "citeplug.sty"
    assert run("init", project, "--sty").code == 0
    assert sty.read_bytes() == package_file().read_bytes()
    sty.write_text("% mine\n", "utf-8")
    assert "exists in another version" in run("init", project, "--sty").out
    assert sty.read_text("utf-8") == "% mine\n"


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_a_remote_is_shown_without_its_password(run: Run, project: Path) -> None:
    folder = project.parent
    for words in (("init", "-q"), ("remote", "add", "origin", "https://git:olp_secretsecret@git.overleaf.com/abc")):
        subprocess.run(["git", *words], cwd=folder, check=True)
    done = run("init", folder)
    assert "git.overleaf.com/abc" in done.out and "secret" not in done.out


def test_a_folder_without_a_draft_is_told(run: Run, tmp_path: Path) -> None:
    done = run("init", tmp_path)
    assert done.code == 2 and "documentclass" in done.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["main#1.tex", "main~.tex", "ma in.tex", "Übersicht.tex"])
def test_the_main_document_may_have_any_name(run: Run, project: Path, name: str) -> None:
    project.rename(project.with_name(name))
    assert run("init", project.parent, "--json").json["root"] == str(project.with_name(name))
    assert read_configuration(project.parent).values["root"] == name

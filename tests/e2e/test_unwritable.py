"""Projects and data directories that cannot be written: one line that says which file, exit 2, and nothing changed."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from citeplug.corpus.stores import settings
from citeplug.records.outcome import Options
from citeplug.related.job import write_related
from citeplug.related.tools import Job
from tests.e2e.conftest import DRAFT, LIBRARY, Run
from tests.harness.powerless import powerless, read_only

pytestmark = pytest.mark.optional


def state(folder: Path) -> dict[str, str]:
    """The digests of all files, those in hidden folders too."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def citeplug(home: Path, *arguments: object) -> "subprocess.CompletedProcess[str]":
    return powerless(sys.executable, "-m", "citeplug", *arguments, env={"CITEPLUG_HOME": str(home)})


def refused(done: "subprocess.CompletedProcess[str]", *words: str) -> None:
    """One line on what cannot be written, and one on what to do."""
    said = done.stderr + done.stdout
    assert done.returncode == 2, said
    assert "Traceback" not in said
    lines = [line for line in said.splitlines() if "cannot" in line or "read-only" in line]
    assert len(lines) == 1, said
    assert all(word in said for word in words), said


@pytest.fixture(scope="module")
def used_home(library_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory in which a section was written, so that the models are kept."""
    folder = tmp_path_factory.mktemp("written")
    (folder / "main.tex").write_text(DRAFT, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CITEPLUG_HOME", str(library_home))
        write_related(Job(folder / "main.tex", Options()), settings(offline=True), online=False, report=lambda *_: None)
    return library_home


@pytest.fixture
def own_home(used_home: Path, home: Path, tmp_path: Path) -> Path:
    """A user's data directory for this test alone."""
    return Path(shutil.copytree(used_home, tmp_path / "own home", symlinks=True))


@pytest.mark.parametrize(
    "command",
    [
        ("related", "main.tex", "--offline", "--insert"),
        ("plan", "main.tex", "--offline"),
        ("init", "main.tex"),
        ("fix", "wrong.bib", "--offline"),
        ("cite", "1706.02216", "--offline", "--append", "refs.bib"),
        ("watch", "main.tex", "--offline", "--once"),
        ("demo", "demo"),
        ("index", "export", "all.jsonl"),
    ],
    ids=lambda command: command[0],
)
def test_a_folder_that_cannot_be_written_is_told_and_stays_as_it_is(
    own_home: Path, project: Path, command: tuple[str, ...]
) -> None:
    folder = project.parent
    (folder / "wrong.bib").write_text(
        "@misc{h, title={Inductive Representation Learning on Large Graphs}, year={2015}, eprint={1706.02216},\n"
        " author={Hamilton, William L. and Ying, Rex and Leskovec, Jure}, archiveprefix={arXiv}}\n"
    )
    before = state(folder)
    arguments = [folder / word if "." in word and not word[0].isdigit() else word for word in command]
    with read_only(folder):
        done = citeplug(
            own_home, *(folder / "demo" if word == "demo" and n else word for n, word in enumerate(arguments))
        )
    refused(done, str(folder))
    assert state(folder) == before


@pytest.mark.parametrize(
    "command",
    [
        ("accept", "--all"),
        ("strip", "related.tex", "-o", "bare.tex"),
        ("related", "main.tex", "--offline", "--replan", "--breadth", "3"),
        ("remove", "main.tex"),
    ],
    ids=lambda command: command[0],
)
def test_a_written_section_in_a_folder_that_cannot_be_written_stays(
    own_home: Path, written: Path, command: tuple[str, ...]
) -> None:
    folder = written.parent
    before = state(folder)
    arguments = [folder / word if ".tex" in word else word for word in command]
    if command[0] == "accept":
        arguments.insert(1, written)
    with read_only(folder):
        done = citeplug(own_home, *arguments)
    refused(done, str(folder))
    assert state(folder) == before


def test_a_draft_that_is_read_only_keeps_insert_from_writing_anything(own_home: Path, project: Path) -> None:
    before = state(project.parent)
    with read_only(project):
        done = citeplug(own_home, "related", project, "--offline", "--insert")
    refused(done, str(project), "make it writable")
    assert state(project.parent) == before


def test_one_of_several_bibliographies_that_is_read_only_keeps_fix_from_all(own_home: Path, tmp_path: Path) -> None:
    wrong = (
        "@misc{h, title={Inductive Representation Learning on Large Graphs}, year={2015}, eprint={1706.02216},\n"
        " author={Hamilton, William L. and Ying, Rex and Leskovec, Jure}, archiveprefix={arXiv}}\n"
    )
    files = [tmp_path / "a.bib", tmp_path / "b.bib"]
    for file in files:
        file.write_text(wrong)
    with read_only(files[1]):
        done = citeplug(own_home, "fix", *files, "--offline")
    refused(done, "b.bib")
    assert [file.read_text() for file in files] == [wrong, wrong]
    assert citeplug(own_home, "fix", *files, "--offline").returncode == 0
    assert wrong not in [file.read_text() for file in files]


@pytest.mark.parametrize(
    "command",
    [
        ("related", "main.tex", "--offline", "--insert"),
        ("plan", "main.tex", "--offline", "--force"),
        ("accept", "main.tex", "--all"),
        ("strip", "related.tex", "-o", "bare.tex"),
        ("watch", "main.tex", "--offline", "--once"),
        ("remove", "main.tex"),
        ("cite", "1706.02216", "--offline", "--append", "new.bib"),
        ("library", "add", "refs.bib"),
        ("index", "add"),
    ],
    ids=lambda command: command[0],
)
def test_a_data_directory_that_cannot_be_written_is_told_with_the_way_out(
    own_home: Path, written: Path, command: tuple[str, ...]
) -> None:
    folder = written.parent
    before = state(folder)
    (folder / "main.tex").write_bytes(written.read_bytes().replace(b"We conclude.", b"We conclude on sampling."))
    before["main.tex"] = state(folder)["main.tex"]
    arguments = [folder / word if word.endswith((".tex", ".bib")) else word for word in command]
    with read_only(own_home):
        done = citeplug(own_home, *arguments, *([LIBRARY] if command[0] == "index" else []))
    refused(done, str(own_home), "CITEPLUG_HOME")
    assert state(folder) == before


def test_an_empty_data_directory_that_cannot_be_written_is_told_with_the_way_out(tmp_path: Path, project: Path) -> None:
    (tmp_path / "empty").mkdir()
    with read_only(tmp_path / "empty") as home:
        for command in (("index", "add", LIBRARY), ("related", project, "--offline"), ("search", "graphs")):
            refused(citeplug(home, *command), str(home), "CITEPLUG_HOME")


def test_what_is_kept_in_a_data_directory_that_cannot_be_written_is_found(own_home: Path) -> None:
    with read_only(own_home):
        done = citeplug(own_home, "search", "attention on graphs", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)


def test_a_disk_that_fills_up_changes_nothing(home: Path, project: Path) -> None:
    from tests.e2e.test_full_disk import no_larger_than

    # The last of the files that are written, and the largest.
    project.write_bytes(project.read_bytes() + b"% my notes\n" * 30_000)
    before = state(project.parent)
    done = subprocess.run(
        [sys.executable, "-m", "citeplug", "related", str(project), "--offline", "--insert"],
        env={**os.environ, "CITEPLUG_HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=240,
        preexec_fn=no_larger_than(250_000),
    )
    assert done.returncode == 2, done.stderr
    assert f"cannot write {project}" in done.stderr
    assert state(project.parent) == before


@pytest.mark.parametrize("name", ["related.tex", "related.bib", ".citeplug/provenance.json"])
def test_a_folder_in_the_place_of_a_file_changes_nothing(run: Run, home: Path, project: Path, name: str) -> None:
    (project.parent / name).mkdir(parents=True)
    before = state(project.parent)
    done = run("related", project, "--offline", "--insert")
    assert done.code == 2, done.err
    assert name.rpartition("/")[2] in done.err
    assert state(project.parent) == before


@pytest.mark.parametrize(
    ("option", "name"),
    [
        ("--out", "x.bib"),
        ("--out", "section"),
        ("--out", "x.txt"),
        ("--out", "50%.tex"),
        ("--out", "a#b.tex"),
        ("--out", "|ls.tex"),
        ("--bib", "x.tex"),
        ("--bib", "entries"),
        ("--bib", "my refs.bib"),
        ("--bib", "a,b.bib"),
    ],
)
def test_a_name_that_latex_would_not_read_is_refused(
    run: Run, home: Path, project: Path, option: str, name: str
) -> None:
    before = state(project.parent)
    done = run("related", project, "--offline", option, project.parent / name)
    assert done.code == 2, done.err
    assert name in done.err
    assert option in done.err
    assert state(project.parent) == before


def test_a_name_of_other_letters_is_taken(run: Run, home: Path, project: Path) -> None:
    where = project.parent / "verwandte Arbeiten.v2.tex"
    assert run("related", project, "--offline", "--out", where, "--bib", project.parent / "für.bib").code == 0
    assert where.is_file()

"""How files of a project are opened and read."""

import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from citeplug.files.project_files import (
    Allowance,
    NotRead,
    TooMany,
    as_spelled,
    names_in,
    obstacle,
    read_beginning,
    read_bytes,
    walk,
)
from tests.harness.volumes import ignore_case

not_on_windows = pytest.mark.skipif(sys.platform == "win32", reason="it has no such files")


def listening(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))


@not_on_windows
@pytest.mark.parametrize(
    ("make", "what"),
    [
        (os.mkfifo, "a pipe"),
        (Path.mkdir, "a folder"),
        (lambda path: path.symlink_to("/dev/zero"), "a device"),
        (listening, "a socket"),
    ],
)
def test_what_is_no_ordinary_file_is_named_and_not_read(
    make: Callable[[Path], object], what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # the path of a socket may not be long
    path = Path("it")
    make(path)
    assert obstacle(path) == f"it is {what}, not a file"
    with pytest.raises(NotRead, match=what):
        read_bytes(path)
    with pytest.raises(NotRead, match=what):
        read_beginning(path, 10)


@not_on_windows
def test_a_file_that_becomes_a_pipe_in_the_last_moment_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, pipe = tmp_path / "file", tmp_path / "pipe"
    file.touch()
    os.mkfifo(pipe)
    opened = os.open
    with monkeypatch.context() as patch, pytest.raises(NotRead, match="a pipe"):
        patch.setattr(os, "open", lambda path, flags: opened(pipe, flags))
        read_bytes(file)


def test_a_file_over_its_bound_is_not_read_and_the_bound_is_named(tmp_path: Path) -> None:
    path = tmp_path / "notes"
    path.write_bytes(b"x" * 2_000)
    assert len(read_bytes(path, 2_000)) == 2_000
    with pytest.raises(NotRead, match=r"larger than 1\.5 kB") as caught:
        read_bytes(path, 1_500)
    assert str(path) in str(caught.value)
    assert read_beginning(path, 10) == b"x" * 10


def test_a_sparse_file_takes_no_memory(tmp_path: Path) -> None:
    for name, bound in (("main.tex", "20 MB"), ("refs.bib", "60 MB"), ("provenance.json", "20 MB")):
        with (tmp_path / name).open("wb") as stream:
            stream.truncate(10_000_000_000)
        with pytest.raises(NotRead, match=f"larger than {bound}"):
            read_bytes(tmp_path / name)


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="there is no file whose size is told wrongly")
def test_a_file_that_says_it_is_empty_is_bounded_all_the_same() -> None:
    with pytest.raises(NotRead, match="larger than"):
        read_bytes(Path("/proc/self/maps"), 10)


def test_a_link_is_followed_within_the_project_and_not_out_of_it(tmp_path: Path) -> None:
    project, outside = tmp_path / "project", tmp_path / "outside.tex"
    project.mkdir()
    outside.write_text("secret", "utf-8")
    (project / "own.tex").write_text("own", "utf-8")
    (project / "in.tex").symlink_to("own.tex")
    (project / "out.tex").symlink_to(outside)
    assert read_bytes(project / "in.tex", within=project) == b"own"
    assert read_bytes(project / "out.tex") == b"secret"
    with pytest.raises(NotRead, match="leads out of the project"):
        read_bytes(project / "out.tex", within=project)


def test_looking_through_a_folder_follows_no_link_and_has_an_end(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / ".hidden").mkdir()
    for name in ("z.tex", "a/y.tex", "a/b/x.tex", ".hidden/w.tex"):
        (tmp_path / name).touch()
    (tmp_path / "a" / "again").symlink_to(tmp_path, target_is_directory=True)
    found = [path.relative_to(tmp_path).as_posix() for path in walk(tmp_path)]
    assert found == ["z.tex", "a/again", "a/y.tex", "a/b/x.tex"]
    with pytest.raises(TooMany, match="more than 3 files and folders"):
        list(walk(tmp_path, most=3))
    assert names_in(tmp_path) == [".hidden", "a", "z.tex"]
    with pytest.raises(TooMany):
        names_in(tmp_path, 2)


def test_the_files_of_a_project_have_a_bound_together(tmp_path: Path) -> None:
    allowance = Allowance(2_000_000)
    allowance.take(tmp_path / "a.tex", 1_500_000)
    with pytest.raises(NotRead, match="larger than 2 MB together"):
        allowance.take(tmp_path / "b.tex", 600_000)
    allowance.take(tmp_path / "c.tex", 500_000)


def test_a_file_has_one_name_where_a_volume_takes_several(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "Paper").mkdir()
    file = tmp_path / "Paper" / "The\u0301sis.tex"  # as HFS+ lists it
    file.touch()
    ignore_case(monkeypatch)
    for name in ("Paper/Thésis.tex", "PAPER/THÉSIS.tex", "paper/the\u0301sis.TEX", "Paper/The\u0301sis.tex"):
        assert as_spelled(tmp_path / name) == tmp_path / "Paper" / "Thésis.tex"
    assert as_spelled(tmp_path / "paper" / "New.tex") == tmp_path / "Paper" / "New.tex"


def test_names_that_differ_are_two_files_on_other_volumes(tmp_path: Path) -> None:
    for name in ("refs.bib", "Refs.bib", "é.tex", "e\u0301.tex"):
        (tmp_path / name).touch()
        assert as_spelled(tmp_path / name).name == name
    assert as_spelled(tmp_path / "REFS.bib").name == "REFS.bib"
    assert as_spelled(tmp_path / ("x" * 300)).name == "x" * 300

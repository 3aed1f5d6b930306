"""What Windows refuses when a file is written, by the errors that it gives."""

import errno
from pathlib import Path

import pytest

from citeplug.errors import CannotWrite
from citeplug.files.atomic import write_atomically
from tests.files.test_atomic import leftovers


def test_a_file_that_another_program_holds_for_a_moment_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, tries, replace = tmp_path / "f", [], Path.replace

    def held_twice(source: Path, target: Path) -> None:
        tries.append(1)
        if len(tries) < 3:
            error = PermissionError(errno.EACCES, "in use")
            error.winerror = 32  # type: ignore[attr-defined, unused-ignore]
            raise error
        replace(source, target)

    monkeypatch.setattr(Path, "replace", held_twice)
    write_atomically(place, b"new")
    assert (len(tries), place.read_bytes()) == (3, b"new")


def test_a_file_that_another_program_keeps_open_is_a_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def held(_source: Path, _target: Path) -> None:
        error = PermissionError(errno.EACCES, "in use")
        error.winerror = 32  # type: ignore[attr-defined, unused-ignore]
        raise error

    monkeypatch.setattr(Path, "replace", held)
    monkeypatch.setattr("time.sleep", lambda _seconds: None)
    with pytest.raises(CannotWrite, match="another program") as caught:
        write_atomically(tmp_path / "f", b"new")
    assert "close it" in caught.value.hint
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize(("number", "words"), [(3, "longer than Windows allows"), (206, "longer than"), (2, "exist")])
def test_a_path_that_is_too_long_for_windows_is_a_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, words: str
) -> None:
    folder = tmp_path / ("f" * 120) / ("g" * 120)
    folder.mkdir(parents=True)
    (folder / "related.tex").write_bytes(b"old")

    def refuse(_path: Path, _mode: str) -> None:
        error = FileNotFoundError(errno.ENOENT, "The system cannot find the path specified")
        error.winerror = number  # type: ignore[attr-defined, unused-ignore]
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(Path, "open", refuse)
        with pytest.raises(CannotWrite, match=words):
            write_atomically(folder / "related.tex", b"new")
    assert (folder / "related.tex").read_bytes() == b"old"

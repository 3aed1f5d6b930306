"""URIs of an editor on Windows: drives in either case, escaped or not, and shares."""

from pathlib import PureWindowsPath
from typing import Any

import pygls.uris
import pytest

from citeplug.editor import documents
from citeplug.editor.documents import Documents, path_of

Windows: Any = PureWindowsPath  # what Path would be there


class WindowsPath(Windows):  # type: ignore[misc]
    def absolute(self) -> "WindowsPath":
        return self

    @classmethod
    def cwd(cls) -> "WindowsPath":
        return cls("C:\\work")


@pytest.fixture(autouse=True)
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pygls.uris, "IS_WIN", True)
    monkeypatch.setattr(documents, "Path", WindowsPath)


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///c%3A/Users/Ada%20L/main.tex", "C:\\Users\\Ada L\\main.tex"),
        ("file:///C:/Users/Ada%20L/main.tex", "C:\\Users\\Ada L\\main.tex"),
        ("file:///d%3a/%C3%BCber.tex", "D:\\über.tex"),
        ("file://server/share/main.tex", "\\\\server\\share\\main.tex"),
    ],
)
def test_a_uri_names_a_file_on_a_drive_or_a_share(uri: str, path: str) -> None:
    assert str(path_of(uri)).lower() == path.lower()


def test_an_open_file_keeps_the_editors_own_uri_whatever_case_its_name_is_written_in() -> None:
    opened = Documents()
    opened.open("file:///c%3A/Work/Main.tex", 1, "")
    assert opened.uri_of(WindowsPath("C:\\work\\main.tex")) == "file:///c%3A/Work/Main.tex"
    assert path_of(opened.uri_of(WindowsPath("C:\\work\\refs.bib"))) == WindowsPath("c:/work/refs.bib")


def test_a_document_that_was_never_saved_has_a_path_that_no_file_has() -> None:
    path = path_of("untitled:Untitled-1")
    assert documents.scheme_of(path) == "untitled" and path.drive == "C:"

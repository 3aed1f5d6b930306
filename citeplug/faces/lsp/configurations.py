"""The `citeplug.toml` of projects as the author has them: one that is wrong is told of, and counts as it last was."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from lsprotocol import types as lsp

from citeplug.faces.lsp.documents import Documents
from citeplug.faces.lsp.lines import Lined
from citeplug.faces.lsp.places import range_in
from citeplug.faces.lsp.untold import saved_text, stamp_of
from citeplug.records.finding import Finding
from citeplug.settings.project_toml import FILE, WrongConfiguration, places
from citeplug.tex.folders import project_folder

Found = TypeVar("Found")

_LARGEST = 1_000_000  # bytes; no such file is heeded


class Configurations:
    """`wrong` are the files that no run can heed now, with what is wrong."""

    def __init__(self) -> None:
        self.wrong: dict[Path, WrongConfiguration] = {}
        self._states: dict[Path, object] = {}
        self._good: dict[Path, str] = {}

    def read(self, folder: Path, texts: Mapping[Path, Lined], look: Callable[[Mapping[Path, str]], Found]) -> Found:
        """What `look` finds with the files that count in a folder, given those that the editor holds.

        In place of a file that is wrong it is given what that said when it was last right, or nothing.
        """
        now = {path: lined.text for path, lined in texts.items() if path.name == FILE}
        given, wrong = dict(now), dict[Path, WrongConfiguration]()
        while True:
            try:
                found = look(given)
                break
            except WrongConfiguration as error:
                instead = "" if error.path in wrong else self._good.get(error.path, "")
                if error.path in wrong and not given[error.path]:
                    raise
                wrong.setdefault(error.path, error)
                given[error.path] = instead
        for path in {*_near(folder), *now, *wrong, *self.changed(texts)}:
            if path in wrong:
                self.wrong[path] = wrong[path]
                self._states[path] = _state(path, texts)
            else:
                self.wrong.pop(path, None)
                self._good[path] = now[path] if path in now else _saved(path)
        return found

    def changed(self, texts: Mapping[Path, Lined]) -> list[Path]:
        """The files that were wrong and are not what they were then."""
        return [path for path in list(self.wrong) if _state(path, texts) != self._states.get(path)]


def finding_of(error: WrongConfiguration) -> Finding:
    """That a file cannot be heeded, as a finding."""
    what = error.what[:1].upper() + error.what[1:]
    return Finding("configuration_unreadable", "error", what, error.path, error.line, fix=error.hint)


def marked(path: Path, line: int | None, documents: Documents) -> lsp.Range:
    """The range of a line, from 1, without its end; of the first one where none is known."""
    document = documents.at(path)
    text = document.lined.text if document is not None else _saved(path)
    lined = Lined(text)
    number = min(max((line or 1) - 1, 0), len(lined.starts) - 1)
    start = lined.starts[number]
    return range_in(lined, start, start + len(lined.line(number)), documents)


def _saved(path: Path) -> str:
    try:
        return saved_text(path) if path.stat().st_size <= _LARGEST else ""
    except OSError:
        return ""


def _state(path: Path, texts: Mapping[Path, Lined]) -> object:
    """What is another where a file is: its text in the editor, or the stamp of what is saved."""
    return texts[path].text if path in texts else stamp_of(path)


def _near(folder: Path) -> list[Path]:
    """Every place from which a file counts for a document in a folder."""
    bound = project_folder(folder)
    between = [each for each in (folder, *folder.parents) if each.is_relative_to(bound)]
    return [each / FILE for each in dict.fromkeys((*places(folder), *between))]

"""The `citeplug.toml` of projects as the author edits them: an invalid one is reported, its last valid text is used."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from lsprotocol import types as lsp

from citeplug.editor.documents import Documents, range_in, saved_text, stamp_of
from citeplug.editor.lines import Lined
from citeplug.latex.folders import project_folder
from citeplug.records.finding import Finding
from citeplug.settings.project_toml import FILE, WrongConfiguration, places

Found = TypeVar("Found")

_LARGEST = 1_000_000  # bytes; a larger file is ignored


class Configurations:
    """Project settings by file. `wrong` are the invalid files with their errors."""

    def __init__(self) -> None:
        self.wrong: dict[Path, WrongConfiguration] = {}
        self._states: dict[Path, object] = {}
        self._good: dict[Path, str] = {}

    def read(self, folder: Path, texts: Mapping[Path, Lined], look: Callable[[Mapping[Path, str]], Found]) -> Found:
        """Return the result of `look` with the settings files of a folder, given the texts in the editor.

        In place of an invalid file it gets the file's last valid text, or an empty one.
        """
        now = {path: lined.text for path, lined in texts.items() if path.name == FILE}
        settings, wrong = dict(now), dict[Path, WrongConfiguration]()
        while True:
            try:
                configuration = look(settings)
                break
            except WrongConfiguration as error:
                instead = "" if error.path in wrong else self._good.get(error.path, "")
                if error.path in wrong and not settings[error.path]:
                    raise
                wrong.setdefault(error.path, error)
                settings[error.path] = instead
        for path in {*_near(folder), *now, *wrong, *self.changed(texts)}:
            if path in wrong:
                self.wrong[path] = wrong[path]
                self._states[path] = _state(path, texts)
            else:
                self.wrong.pop(path, None)
                self._good[path] = now[path] if path in now else _saved(path)
        return configuration

    def changed(self, texts: Mapping[Path, Lined]) -> list[Path]:
        """Return the invalid files that have changed since."""
        return [path for path in list(self.wrong) if _state(path, texts) != self._states.get(path)]


def finding_of(error: WrongConfiguration) -> Finding:
    """Return the finding on an invalid file."""
    what = error.what[:1].upper() + error.what[1:]
    return Finding("configuration_unreadable", "error", what, error.path, error.line, fix=error.hint)


def marked(path: Path, line: int | None, documents: Documents) -> lsp.Range:
    """Return the range of a line, from 1, without its end; of the first line if `line` is None."""
    document = documents.at(path)
    text = document.lined.text if document is not None else _saved(path)
    lined = Lined(text)
    return range_in(lined, *lined.span_of(line, column=1), documents)


def _saved(path: Path) -> str:
    try:
        return saved_text(path) if path.stat().st_size <= _LARGEST else ""
    except OSError:
        return ""


def _state(path: Path, texts: Mapping[Path, Lined]) -> object:
    """Return the state of a file, to notice changes: its text in the editor, or the stamp of the saved file."""
    return texts[path].text if path in texts else stamp_of(path)


def _near(folder: Path) -> list[Path]:
    """Return every path at which a settings file applies to a document in a folder."""
    bound = project_folder(folder)
    between = [parent for parent in (folder, *folder.parents) if parent.is_relative_to(bound)]
    return [place / FILE for place in dict.fromkeys((*places(folder), *between))]

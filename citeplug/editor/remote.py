"""Files that exist only in the editor, such as those of `overleaf-workshop:`: requested from it, and cached.

The request is `citeplug/readFile` with {uri}; the answer {text}, or null if there is no such file. A client announces
it with the capability `experimental.citeplug.readFile`.
"""

import asyncio
import hashlib
import logging
import os
import re
from collections.abc import Awaitable, Callable, Collection, Mapping
from pathlib import Path

from citeplug.editor.documents import PROJECT_PARTS, scheme_of
from citeplug.editor.file_cache import ProjectFiles
from citeplug.editor.lines import Lined
from citeplug.project.find_project import Project, find_project
from citeplug.project.provenance import PROVENANCE
from citeplug.project.targets import Targets
from citeplug.settings.project_toml import read_configuration

log = logging.getLogger(__name__)

READ_FILE = "citeplug/readFile"
_SECONDS = 5.0  # that a reading waits for the client; a later answer starts another reading
_LARGEST = 50_000_000  # characters
_NOWHERE = frozenset(("untitled", "git", "vscode-notebook-cell", "output"))  # schemes without neighbouring files
_ROOTS = ("main", "paper", "ms", "article", "manuscript", "thesis", "root")
_MOST_FOLDERS_UP = 4
_CLASS = re.compile(r"^[^%\n]*\\document(?:class|style)\s*[\[{]", re.MULTILINE)
_SUBFILE = re.compile(r"^[^%\n]*\\documentclass\s*\[([^\]]+)\]\s*\{subfiles\}", re.MULTILINE)
_MAGIC = re.compile(r"^[ \t]*%+\s*!\s*TEX\s+root\s*=\s*(.+?)\s*$", re.IGNORECASE | re.MULTILINE)


def is_remote(path: Path) -> bool:
    """Return True if a path is that of a file that only the client can read."""
    scheme = scheme_of(path)
    return scheme is not None and scheme not in _NOWHERE


def project_of(root: Path, home: Path, held: Mapping[Path, str] | None = None) -> Project:
    """Return the project of a root document; `held` as in `find_project`. Raises UnreadableInput as that does.

    For one that is not on disk, citeplug's record is kept in the user's data directory, and the files have their
    default names.
    """
    if scheme_of(root) is None:
        return find_project(root, held=held)
    read_configuration(root.parent, held)
    name = hashlib.sha256(str(root).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    folder = root.parent
    record = home / "remote" / name / PROVENANCE
    return Project(root, Targets(folder / "related.tex", folder / "related.bib", record))


def own_files(root: Path) -> list[Path]:
    """Return the files beside a root document that a run reads even if the draft does not name them."""
    return [root.parent / name for name in ("related.tex", "related.bib", "citeplug.toml")]


class Remote:
    """Cache of the client's files. `ask` requests a file's text, None if there is none; `late` is called with a file
    whose answer came after the time limit."""

    def __init__(self, ask: Callable[[Path], Awaitable[str | None]], late: Callable[[Path], None]) -> None:
        self._ask = ask
        self._late = late
        self._texts: dict[Path, Lined | None] = {}
        self._asked: dict[Path, asyncio.Task[None]] = {}

    def known(self) -> Mapping[Path, Lined | None]:
        """Return a copy of the texts by path, for another thread; None for missing files."""
        return dict(self._texts)

    async def fetch(self, paths: Collection[Path]) -> None:
        """Request files; afterwards all of them are known, those that took too long as missing, but for those that
        changed meanwhile: they stay unknown, and are requested again."""
        tasks = {path: self._asked.get(path) or asyncio.ensure_future(self._get(path)) for path in paths}
        self._asked |= tasks
        if tasks:
            await asyncio.wait(tasks.values(), timeout=_SECONDS)
        for path, task in tasks.items():
            if self._asked.get(path) is task:
                self._texts.setdefault(path, None)

    def forget(self, path: Path, *, project: bool = False) -> None:
        """Forget a changed file and missing ones, or with `project` the whole project: they are requested again.

        So is the changed file where a request for it is under way: its answer may be older than the change.
        """
        beside = path.parts[:PROJECT_PARTS]
        for other in {*self._texts, *self._asked}:
            missing = other in self._texts and self._texts[other] is None
            if other == path or (other.parts[:PROJECT_PARTS] == beside and (project or missing)):
                self._texts.pop(other, None)
                self._asked.pop(other, None)

    async def _get(self, path: Path) -> None:
        try:
            text = await self._ask(path)
        except Exception as error:  # a client's error must not stop the session
            log.info("the editor did not send %s: %s", path.name, error)
            text = None
        if self._asked.get(path) is not asyncio.current_task():
            return  # it was changed meanwhile, and is requested again
        was_given_up = path in self._texts
        self._texts[path] = Lined(text) if text is not None and len(text) <= _LARGEST else None
        if was_given_up and text is not None:
            self._late(path)


def remote_root(path: Path, files: ProjectFiles) -> Path:
    """Return the main file of the project of a file that is not on disk; the file itself if none is found.

    `%!TEX root`, the class of a subfile, the file itself, an open document, the usual names in the folders above.
    """
    text = files.read(path).text if files.is_file(path) else ""
    named = _MAGIC.search(text[:20_000]) or _SUBFILE.search(text)
    if named is not None:
        beside = _beside(path.parent, named[1].strip("\"' "), files)
        if beside is not None:
            return beside
    if _CLASS.search(text):
        return path
    folders = [path.parent, *path.parent.parents][: _MOST_FOLDERS_UP + 1]
    above = [folder for folder in folders if len(folder.parts) >= PROJECT_PARTS] or [path.parent]
    opened = [
        file
        for file in files.open_files
        if file.parent in above and file.suffix.lower() == ".tex" and _CLASS.search(files.read(file).text)
    ]
    if opened:
        return min(opened, key=lambda file: (above.index(file.parent), file.name))
    usual = [folder / f"{name}.tex" for folder in above for name in _ROOTS]
    # All are looked up before the first is used, so that the client gets one round of requests.
    there = [file for file in usual if files.is_file(file)]
    return next((file for file in there if _CLASS.search(files.read(file).text)), path)


def _beside(folder: Path, name: str, files: ProjectFiles) -> Path | None:
    folder = Path(os.path.normpath(folder / name.replace("\\", "/").lstrip("/")))
    with_suffix = folder.with_name(folder.name + ".tex")
    candidates = [folder] if folder.suffix else [with_suffix]
    return next((file for file in candidates if len(file.parts) >= PROJECT_PARTS and files.is_file(file)), None)

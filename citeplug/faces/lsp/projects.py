"""The projects that are being edited: read off the loop, and kept as they were last read."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

from citeplug.errors import CiteplugError
from citeplug.faces.lsp.configurations import Configurations
from citeplug.faces.lsp.desk import Desk, Shelf
from citeplug.faces.lsp.documents import Documents
from citeplug.faces.lsp.edits import Planned
from citeplug.faces.lsp.lines import Lined
from citeplug.faces.lsp.remote import Remote, is_remote, own_files, project_of, remote_root
from citeplug.faces.lsp.section import Section, read_section
from citeplug.faces.lsp.snapshot import Snapshot, take
from citeplug.faces.lsp.untold import Untold, saved_text
from citeplug.project.targets import Targets
from citeplug.records.draft import Draft
from citeplug.settings.project_toml import FILE, WrongConfiguration, read_configuration
from citeplug.tex.folders import project_folder
from citeplug.tex.project import configured_root, find_root, read_draft
from citeplug.usecases.find_project import Project

log = logging.getLogger(__name__)

_QUIET = 0.02  # seconds without a keystroke before a project is read again
_LONGEST_WAIT = 0.5  # seconds, however fast is typed
_MOST_ROUNDS = 20  # of asking the client for files that the last ones named
_REPAIR = 1.0  # seconds between two looks at a citeplug.toml that is wrong, where no client tells of its changes
_STALE = 2.0  # seconds after which the disk is looked at again, where no client tells of its changes


class Projects:
    """`generation` counts what the editor told: two equal ones know the same. `read` is told of each reading, `settled`
    of each look at the `configurations`.

    `home` is the user's data directory. `remote` asks for files that the client alone can read. `untold` are edits of
    files that are not open.
    """

    def __init__(
        self,
        documents: Documents,
        read: Callable[[Snapshot], Awaitable[None]],
        home: Path,
        settled: Callable[[], None] = lambda: None,
        remote: Remote | None = None,
    ) -> None:
        self.configurations = Configurations()
        self.untold = Untold(documents)
        self.generation = 0
        self.watched = False
        self.root_file: Path | None = None
        self._documents = documents
        self._read = read
        self._settled = settled
        self._home = home
        self.remote = remote
        self._roots: dict[Path, Path] = {}
        self._snapshots: dict[Path, Snapshot] = {}
        self._tried: dict[Path, tuple[int, float]] = {}
        self._touched: dict[Path, int] = {}
        self._sections: dict[Path, Section | None] = {}
        self._shelf = Shelf()
        self._worker = ThreadPoolExecutor(1, "citeplug-read")
        self._turn = asyncio.Lock()
        self._timer: asyncio.TimerHandle | None = None
        self._first_change: float | None = None
        self._repair: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[object]] = set()

    @property
    def snapshots(self) -> list[Snapshot]:
        return list(self._snapshots.values())

    def latest(self, path: Path) -> Snapshot | None:
        """The project of a file as it was last read, at once."""
        root = self._roots.get(path)
        return self._snapshots.get(root) if root is not None else None

    def of_root(self, root: Path) -> Snapshot | None:
        return self._snapshots.get(root)

    def section(self, snapshot: Snapshot) -> Section | None:
        """The generated section of a project, read with it."""
        return self._sections.get(snapshot.root)

    def is_late(self, snapshot: Snapshot) -> bool:
        """Whether its project was changed since a snapshot was taken."""
        latest = self._snapshots.get(snapshot.root)
        if latest is None:
            return True
        return latest.draft is not snapshot.draft or self._touched.get(snapshot.root, 0) > latest.generation

    def project(self, root: Path) -> Project:
        """A root document and the files that citeplug writes for it. Raises UnreadableInput as `find_project` does."""
        look = partial(project_of, root, self._home)
        return self.configurations.read(root.parent, self.held(), look)

    def held(self) -> dict[Path, Lined]:
        """The texts that the author has in the editor: open documents, and files that the client alone has."""
        known = self.remote.known() if self.remote is not None else {}
        return {**{path: lined for path, lined in known.items() if lined is not None}, **self._texts()}

    def _texts(self) -> dict[Path, Lined]:
        return {**self.untold.texts(), **self._documents.texts()}

    def fits(self, planned: Mapping[Path, Planned]) -> bool:
        """Whether every file still has the text that its edits are of."""
        held = self.held()
        return all((held[p].text if p in held else saved_text(p)) == each.lined.text for p, each in planned.items())

    def applied(self, planned: Mapping[Path, Planned]) -> None:
        """The editor made edits, which it may not tell of."""
        for path, each in planned.items():
            if self.remote is not None and is_remote(path):
                self.remote.forget(path)
            else:
                self.untold.note(path, each.lined.text, each.after)
            self.changed(path, structure=path.name == FILE)

    async def ask_again(self, root: Path) -> None:
        """Read a project once more of which the client alone has the files."""
        if self.remote is not None and is_remote(root):
            self.remote.forget(root, project=True)
            self.changed(root)
            await self.current(root)

    async def current(self, path: Path, *, repaired: bool = False) -> Snapshot | None:
        """The project of a file, read after all that the editor has told by now; None if it cannot be read.

        With `repaired` a citeplug.toml that was wrong is looked at anew: what was missing may be there, with the file
        itself as it was.
        """
        if path.suffix.lower() == ".toml":
            return None
        if repaired and any(path.is_relative_to(wrong.parent) for wrong in self.configurations.wrong):
            self.generation += 1
        wanted = self.generation
        async with self._turn:
            tried, when = self._tried.get(path, (-1, 0.0))
            fresh = self.watched or time.monotonic() - when < _STALE
            if tried < wanted or not fresh:
                await self._study(path)
        return self.latest(path)

    def changed(self, path: Path, *, structure: bool = False) -> None:
        """The editor told of a change to a file; with `structure` another root may be its."""
        self.generation += 1
        if root := self._roots.get(path):
            self._touched[root] = self.generation
        if structure:
            self._roots.clear()
        now = time.monotonic()
        self._first_change = self._first_change or now
        if self._timer is not None:
            self._timer.cancel()
        wait = max(min(_QUIET, self._first_change + _LONGEST_WAIT - now), 0)
        self._timer = asyncio.get_running_loop().call_later(wait, self._due, path)

    def close(self) -> None:
        self._worker.shutdown(wait=False, cancel_futures=True)

    def _due(self, path: Path) -> None:
        self._timer, self._first_change = None, None
        task: asyncio.Task[object] = asyncio.ensure_future(self._again(path))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _again(self, path: Path) -> None:
        """Read what a change of a file may concern: its project, or all those for which a citeplug.toml counts."""
        if path.name != FILE:
            await self.current(path)
            return
        texts = self.held()
        await asyncio.get_running_loop().run_in_executor(self._worker, self._look_at, path, texts)
        for each in {*self._documents.texts(), *self._snapshots}:
            if each.is_relative_to(path.parent):
                await self.current(each)
        self._tell_configurations()

    def _look_at(self, path: Path, texts: Mapping[Path, Lined]) -> None:
        def look(held: Mapping[Path, str]) -> None:
            read_configuration(path.parent, held)
            configured_root(path.parent, held)

        self.configurations.read(path.parent, texts, look)

    def _tell_configurations(self) -> None:
        self._settled()
        if self._repair is None and self.configurations.wrong and not self.watched:
            self._repair = asyncio.get_running_loop().call_later(_REPAIR, self._look_for_repair)

    def _look_for_repair(self) -> None:
        """Where no client tells of files that others change, see whether what was wrong is right by now."""
        self._repair = None
        for path in self.configurations.changed(self.held()):
            self.changed(path, structure=True)
        self._tell_configurations()

    async def _study(self, path: Path) -> None:
        generation, texts = self.generation, self._texts()
        loop = asyncio.get_running_loop()
        snapshot = None
        try:
            for _ in range(_MOST_ROUNDS):
                remote = self.remote.known() if self.remote is not None and is_remote(path) else None
                desk = Desk(texts, self._shelf, remote)
                try:
                    held = {**{at: lined for at, lined in (remote or {}).items() if lined is not None}, **texts}
                    snapshot = await loop.run_in_executor(self._worker, self._look, path, desk, held, generation)
                except CiteplugError:
                    if not desk.wanted:
                        raise
                if self.remote is None or not desk.wanted:
                    break
                # Each answer may name further files.
                await self.remote.fetch(desk.wanted)
        except CiteplugError as error:
            log.info("%s cannot be read: %s", path.name, error)
        except Exception:  # what was read before stays, and the author goes on typing
            log.exception("%s could not be read", path)
        self._tried[path] = (generation, time.monotonic())
        if snapshot is None:
            return
        self._roots[path] = snapshot.root
        for file in snapshot.files:
            self._roots.setdefault(file, snapshot.root)
            self._tried[file] = self._tried[path]
            if file != snapshot.root:
                self._snapshots.pop(file, None)  # it was taken by itself as long as nothing led here
        self._snapshots[snapshot.root] = snapshot
        await self._read(snapshot)
        self._tell_configurations()

    def _look(self, path: Path, desk: Desk, texts: Mapping[Path, Lined], generation: int) -> Snapshot:
        """Read a project. A citeplug.toml that is wrong counts as it was before."""

        def look(held: Mapping[Path, str]) -> Snapshot:
            return self._read_project(path, desk, held, generation)

        return self.configurations.read((self._roots.get(path) or path).parent, texts, look)

    def _read_project(self, path: Path, desk: Desk, held: Mapping[Path, str], generation: int) -> Snapshot:
        root = self._roots.get(path) or self._named_root(path) or self._find_root(path, desk, held)
        where = self._where(root, held) if root.suffix.lower() != ".bib" else None
        draft = read_draft(root, files=desk, prose=False) if root.suffix.lower() != ".bib" else None
        if path.suffix.lower() == ".bib" and (draft is None or path not in draft.bib_files):
            entries = tuple(desk.bibliography(path, {}).entries)
            draft = Draft(root=path, files=(), title="", abstract="", entries=entries, bib_files=(path,))
        assert draft is not None
        before = self._snapshots.get(draft.root)
        if before is not None and _same_texts(before.texts, desk.read_texts) and before.draft == draft:
            snapshot = replace(before, generation=generation)
        else:
            snapshot = take(draft, desk.read_texts, generation, desk.decoded, before)
        if is_remote(root):
            for file in own_files(root):
                desk.is_file(file)  # the client is asked for it
        self._sections[snapshot.root] = read_section(where, desk) if where is not None and draft.files else None
        return snapshot

    def _where(self, root: Path, held: Mapping[Path, str]) -> Targets | None:
        """The files that citeplug writes; None if they cannot be told. Raises WrongConfiguration."""
        try:
            configured_root(root.parent, held)
            return project_of(root, self._home, held).where
        except WrongConfiguration:
            raise
        except CiteplugError:
            return None

    def _named_root(self, path: Path) -> Path | None:
        """The root that the user named, for files of its project."""
        root = self.root_file
        if root is None or not root.is_file() or not path.is_relative_to(project_folder(root.parent)):
            return None
        return root

    def _find_root(self, path: Path, desk: Desk, held: Mapping[Path, str]) -> Path:
        if is_remote(path):
            return remote_root(path, desk)
        try:
            return find_root(path, desk, held)
        except WrongConfiguration:
            raise
        except CiteplugError:
            if not desk.is_file(path):
                raise
            return path  # by itself, whatever it belongs to


def _same_texts(one: Mapping[Path, Lined], other: Mapping[Path, Lined]) -> bool:
    """Whether the very same texts were read."""
    return one.keys() == other.keys() and all(lined is other[path] for path, lined in one.items())

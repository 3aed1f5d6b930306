"""Projects that are being edited: read off the event loop, with the last snapshot of each."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

from citeplug.bib.suppress import ignored_codes
from citeplug.editor.configurations import Configurations
from citeplug.editor.documents import Documents, Untold, saved_text
from citeplug.editor.edits import Planned
from citeplug.editor.file_cache import FileCache, ProjectFiles
from citeplug.editor.lines import Lined
from citeplug.editor.remote import Remote, is_remote, own_files, project_of, remote_root
from citeplug.editor.snapshot import GeneratedSection, Snapshot, Stretch, take
from citeplug.errors import CiteplugError, UsageError
from citeplug.latex.folders import project_folder
from citeplug.latex.project import configured_root, find_root, read_draft
from citeplug.project.author_files import as_tex_path
from citeplug.project.find_project import Project
from citeplug.project.insert import insertion_edits
from citeplug.project.merge_bases import read_bases
from citeplug.project.provenance import read_provenance
from citeplug.project.targets import Targets
from citeplug.records.draft import Draft
from citeplug.records.finding import TextEdit
from citeplug.related.section.accept import Recorded, recorded_sentences
from citeplug.section_file.current import CurrentSection, read_current
from citeplug.section_file.grammar import RelatedFile, places_of, read_related
from citeplug.settings.project_toml import FILE, WrongConfiguration, read_configuration

log = logging.getLogger(__name__)

_QUIET = 0.02  # seconds without a keystroke before a project is read again
_LONGEST_WAIT = 0.5  # seconds, even if typing goes on
_MOST_ROUNDS = 20  # of asking the client for files, which may name further files
_REPAIR = 1.0  # seconds between two looks at an invalid citeplug.toml, if the client does not report file changes
_STALE = 2.0  # seconds after which the disk is read again, if the client does not report file changes


class Projects:
    """Projects of a session. `generation` counts the editor's changes. `read` is called after each reading of a
    project, `settled` after each reading of the `configurations`.

    `home` is the user's data directory. `remote` asks the client for files that only it can read. `untold` are edits of
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
        self._forgotten = 0  # the generation in which the roots were forgotten
        self._snapshots: dict[Path, Snapshot] = {}
        self._tried: dict[Path, tuple[int, float]] = {}
        self._touched: dict[Path, int] = {}
        self._cache = FileCache()
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
        """Return the last snapshot of a file's project, without waiting."""
        root = self._roots.get(path)
        return self._snapshots.get(root) if root is not None else None

    def of_root(self, root: Path) -> Snapshot | None:
        return self._snapshots.get(root)

    def is_late(self, snapshot: Snapshot) -> bool:
        """Return True if the project has changed since the snapshot."""
        latest = self._snapshots.get(snapshot.root)
        if latest is None:
            return True
        return latest.draft is not snapshot.draft or self._touched.get(snapshot.root, 0) > latest.generation

    def project(self, root: Path) -> Project:
        """Return a root document with the files that citeplug writes for it. Raises as `find_project`."""
        look = partial(project_of, root, self._home)
        return self.configurations.read(root.parent, self.held(), look)

    def held(self) -> dict[Path, Lined]:
        """Return the texts in the editor: open documents, and files that only the client has."""
        known = self.remote.known() if self.remote is not None else {}
        return {**{path: lined for path, lined in known.items() if lined is not None}, **self._texts()}

    def _texts(self) -> dict[Path, Lined]:
        return {**self.untold.texts(), **self._documents.texts()}

    def fits(self, planned: Mapping[Path, Planned]) -> bool:
        """Return True if every file still has the text that its edits apply to."""
        held = self.held()
        return all((held[p].text if p in held else saved_text(p)) == change.lined.text for p, change in planned.items())

    def applied(self, planned: Mapping[Path, Planned]) -> None:
        """Note edits that the editor has made and may not report."""
        for path, change in planned.items():
            if self.remote is not None and is_remote(path):
                self.remote.forget(path)
            else:
                self.untold.note(path, change.lined.text, change.after)
            self.changed(path, structure=path.name == FILE)

    async def ask_again(self, root: Path) -> None:
        """Read a project again whose files only the client has."""
        if self.remote is not None and is_remote(root):
            self.remote.forget(root, project=True)
            self.changed(root)
            await self.current(root)

    async def current(self, path: Path, *, repaired: bool = False) -> Snapshot | None:
        """Return a snapshot of a file's project with all changes up to now; None if it cannot be read.

        With `repaired` an invalid citeplug.toml is read again: a file that it names may exist now.
        """
        if path.suffix.lower() == ".toml":
            return None
        if repaired and any(path.is_relative_to(wrong.parent) for wrong in self.configurations.wrong):
            self.generation += 1
        wanted = self.generation
        async with self._turn:
            tried, when = self._tried.get(path, (-1, 0.0))
            fresh = self.watched or time.monotonic() - when < _STALE
            # While this waited for its turn, the roots may have been forgotten.
            if tried < max(wanted, self._forgotten) or not fresh:
                await self._study(path)
        return self.latest(path)

    def changed(self, path: Path, *, structure: bool = False) -> None:
        """Note a change of a file; with `structure` the file may belong to another root now."""
        self.generation += 1
        if root := self._roots.get(path):
            self._touched[root] = self.generation
        if structure:
            self._roots.clear()
            self._forgotten = self.generation
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
        """Read the projects that a change of a file affects: its own, or all those of a citeplug.toml."""
        if path.name != FILE:
            await self.current(path)
            return
        texts = self.held()
        await asyncio.get_running_loop().run_in_executor(self._worker, self._look_at, path, texts)
        for near in {*self._documents.texts(), *self._snapshots}:
            if near.is_relative_to(path.parent):
                await self.current(near)
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
        """Read invalid settings files again, if the client does not report file changes."""
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
                files = ProjectFiles(texts, self._cache, remote)
                try:
                    held = {**{at: lined for at, lined in (remote or {}).items() if lined is not None}, **texts}
                    snapshot = await loop.run_in_executor(self._worker, self._look, path, files, held, generation)
                except CiteplugError:
                    if not files.wanted:
                        raise
                if self.remote is None or not files.wanted:
                    break
                # Each answer may name further files.
                await self.remote.fetch(files.wanted)
        except CiteplugError as error:
            log.info("%s cannot be read: %s", path.name, error)
        except Exception:  # the last snapshot stays in use
            log.exception("%s could not be read", path)
        self._tried[path] = (generation, time.monotonic())
        if snapshot is None:
            return
        self._roots[path] = snapshot.root
        for file in snapshot.files:
            self._roots.setdefault(file, snapshot.root)
            self._tried[file] = self._tried[path]
            if file != snapshot.root:
                self._snapshots.pop(file, None)  # it was a project of its own before
        self._snapshots[snapshot.root] = snapshot
        await self._read(snapshot)
        self._tell_configurations()

    def _look(self, path: Path, files: ProjectFiles, texts: Mapping[Path, Lined], generation: int) -> Snapshot:
        """Read a project, with the last valid text of an invalid citeplug.toml."""

        def look(held: Mapping[Path, str]) -> Snapshot:
            return self._read_project(path, files, held, generation)

        return self.configurations.read((self._roots.get(path) or path).parent, texts, look)

    def _read_project(self, path: Path, files: ProjectFiles, held: Mapping[Path, str], generation: int) -> Snapshot:
        root = self._roots.get(path) or self._named_root(path) or self._find_root(path, files, held)
        where = self._where(root, held) if root.suffix.lower() != ".bib" else None
        draft = read_draft(root, files=files, prose=False) if root.suffix.lower() != ".bib" else None
        if path.suffix.lower() == ".bib" and (draft is None or path not in draft.bib_files):
            entries = tuple(files.bibliography(path, {}).entries)
            draft = Draft(root=path, files=(), title="", abstract="", entries=entries, bib_files=(path,))
        assert draft is not None
        before = self._snapshots.get(draft.root)
        if before is not None and _same_texts(before.texts, files.read_texts) and before.draft == draft:
            snapshot = replace(before, generation=generation)
        else:
            snapshot = take(draft, files.read_texts, generation, files.decoded, before)
        if is_remote(root):
            for file in own_files(root):
                files.is_file(file)  # makes the reader ask the client for it
        section = read_section(where, draft, snapshot.texts, files) if where is not None and draft.files else None
        return replace(snapshot, ignored=ignored_codes(draft.root.parent, held), section=section)

    def _where(self, root: Path, held: Mapping[Path, str]) -> Targets | None:
        """Return the files that citeplug writes; None if they cannot be determined. Raises WrongConfiguration."""
        try:
            configured_root(root.parent, held)
            return project_of(root, self._home, held).where
        except WrongConfiguration:
            raise
        except CiteplugError:
            return None

    def _named_root(self, path: Path) -> Path | None:
        """Return the root document set by the user, for files of its project."""
        root = self.root_file
        if root is None or not root.is_file() or not path.is_relative_to(project_folder(root.parent)):
            return None
        return root

    def _find_root(self, path: Path, files: ProjectFiles, held: Mapping[Path, str]) -> Path:
        if is_remote(path):
            return remote_root(path, files)
        try:
            return find_root(path, files, held)
        except WrongConfiguration:
            raise
        except CiteplugError:
            if not files.is_file(path):
                raise
            return path  # a project of its own


def _same_texts(one: Mapping[Path, Lined], other: Mapping[Path, Lined]) -> bool:
    """Return True if the same text objects were read."""
    return one.keys() == other.keys() and all(lined is other[path] for path, lined in one.items())


def read_section(
    where: Targets, draft: Draft, texts: Mapping[Path, Lined], files: ProjectFiles
) -> GeneratedSection | None:
    """Read the section of a project; None if there is none, or it cannot be read."""
    try:
        if not files.is_file(where.tex):
            return None
        text = files.read(where.tex).text
        related = read_related(text)
        if related.version is None and not related.blocks:
            return None
        record = read_provenance(where.provenance)
        sentences = recorded_sentences(record, related)
        try:
            current = read_current(text, read_bases(where.project).blocks, (), where.tex)
        except CiteplugError:  # it has conflict marks
            current = CurrentSection(text)
    except (CiteplugError, OSError):
        return None
    placed = _places(where.tex, text, related, sentences)
    return GeneratedSection(
        where.tex,
        files.read_texts[where.tex],
        related,
        current,
        tuple((sentence, placed.get(number)) for number, sentence in enumerate(sentences)),
        record.debates,
        _is_inserted(draft, texts, where),
    )


def insertion(draft: Draft, texts: Mapping[Path, Lined], where: Targets) -> Sequence[TextEdit]:
    """Return the edits by which the draft reads its section and the section's entries; none if it does already.

    Raises UsageError for a name that LaTeX cannot read.
    """
    folder, held = draft.root.parent, {file: texts[file].text for file in draft.files if file in texts}
    return insertion_edits(draft, held, as_tex_path(where.tex, folder), as_tex_path(where.bib, folder))


def _is_inserted(draft: Draft, texts: Mapping[Path, Lined], where: Targets) -> bool:
    if where.tex in draft.files and where.bib in draft.bib_files:
        return True
    try:
        return not insertion(draft, texts, where)
    except UsageError:
        return True


def _places(path: Path, text: str, related: RelatedFile, sentences: list[Recorded]) -> Mapping[int, Stretch]:
    blocks = {block.id: block for block in related.blocks}
    standing = [
        (number, block, sentence.text)
        for number, sentence in enumerate(sentences)
        if sentence.stands and (block := blocks.get(sentence.paragraph)) is not None
    ]
    places = places_of(text, [(block, tex) for _, block, tex in standing])
    return {
        number: Stretch(path, *place)
        for (number, _, _), place in zip(standing, places, strict=True)
        if place is not None
    }

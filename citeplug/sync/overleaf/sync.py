"""One sync: the remote's changes in, the section made current, citeplug's own files committed, the branch given back.

Two sides are merged as commits, in git's object store alone; the work tree then goes forward to the result, which git
refuses where that would write over something that is not committed.
"""

import random
import time
from dataclasses import replace
from pathlib import Path

from citeplug.errors import CiteplugError, LeftToAuthor, UnreadableInput
from citeplug.files.project_files import as_given
from citeplug.latex.project import read_draft
from citeplug.project.find_project import Project, find_project
from citeplug.project.keep_record import bring_back, keep
from citeplug.project.section_targets import generated_files
from citeplug.project.targets import insertion
from citeplug.records.draft import Draft
from citeplug.related.section.write_section import write_edits
from citeplug.sync.overleaf.merge_versions import CannotMerge, merged_files
from citeplug.sync.overleaf.own_files import OwnFiles, need_sound, own_files, present
from citeplug.sync.overleaf.repository import Repository
from citeplug.sync.overleaf.steps import Steps
from citeplug.sync.watch.context import WatchContext, WatchEvent
from citeplug.sync.watch.loop import Watcher

ATTEMPTS = 8
RUNS = 3  # attempts in which the section is made again; after that it is pushed as it is
_PAUSE = 0.5  # seconds at most before the second attempt, more before each later one
_BY_HAND = "merge by hand: 'git pull --no-rebase', resolve the conflicts, 'git commit'; then run it again"


class Sync:
    """Syncs the clone around `folder`.

    With `insert` the draft is made to read the section, if it does not yet, and that change is committed too.
    """

    def __init__(
        self,
        folder: Path,
        context: WatchContext,
        *,
        insert: bool = False,
        interactive: bool = False,
    ) -> None:
        self.folder = as_given(folder)
        self.interactive = interactive
        self._context = context
        self._tell = context.tell
        self._insert = insert
        self._code = 0
        self._repository: Repository | None = None

    @property
    def repository(self) -> Repository:
        if self._repository is None:
            self._repository = Repository(self.folder, interactive=self.interactive)
        return self._repository

    def once(self) -> int:
        """Sync, and return the exit code of the command line: 0, or that of what is left to be done.

        Raises RemoteUnavailable, LeftToAuthor and others, with everything of the author's as it was.
        """
        self._repository = None
        repository = self.repository
        repository.need_identity()
        self._steps = Steps(self._context.settings.home, repository.top)
        with self._steps.alone():
            if self._steps.recover(repository):
                self._tell(WatchEvent("merged", "an interrupted sync was completed"))
            try:
                return self._attempts(repository)
            except BaseException:
                self._tidy(repository)
                raise

    def _attempts(self, repository: Repository) -> int:
        for attempt in range(1, ATTEMPTS + 1):
            self._code = 0
            remote = repository.fetch()
            self._integrate(repository, remote)
            if attempt <= RUNS:
                self._bring_up_to_date(repository)
                again = repository.fetch()
                if again != remote:
                    self._integrate(repository, again)
                    remote = again
            head = repository.head()
            if head == remote:
                break
            if repository.push(head):
                self._tell(WatchEvent("pushed", f"{repository.branch} to {repository.address.shown}"))
                break
            self._tell(WatchEvent("waiting", "the remote changed meanwhile: trying again"))
            time.sleep(random.uniform(0, _PAUSE * attempt))
        else:
            raise LeftToAuthor(
                f"the remote changed {ATTEMPTS} times in a row; everything is committed here",
                "run it again when nobody is editing",
            )
        if not self._code:
            self._tell(WatchEvent("synced", "your clone and the remote are the same"))
        return self._code

    # The remote's changes

    def _integrate(self, repository: Repository, remote: str) -> None:
        head = repository.head()
        if repository.is_ancestor(remote, head):
            return
        own = self._own(repository)
        if own is not None and not self._unfinished(repository, own):
            # What was edited in the section is merged as a commit, like everything else.
            self._commit(repository, own, "Keep what was changed in the related work section")
            head = repository.head()
        forward = repository.is_ancestor(head, remote)
        target = remote if forward else self._merge(repository, own, head, remote)
        with self._steps.step("advance", head, target):
            repository.advance(target)
        changed = repository.changed_between(head, target)
        self._tell(WatchEvent("pulled" if forward else "merged", f"files changed at the remote: {len(changed)}"))
        if own is not None and own.record in changed:
            self._bring_back(repository, own)

    def _bring_back(self, repository: Repository, own: OwnFiles) -> None:
        """Keep `.citeplug/` here alone where the remote dropped it and kept the section."""
        if (repository.top / own.record).exists() or not (repository.top / own.tex).exists():
            return
        self._steps.drops_hidden()
        if bring_back(self._context.settings.home, find_project(self.folder).where):
            self._tell(
                WatchEvent(
                    "waiting", "the remote does not keep .citeplug, so it is in this clone only: always sync from here"
                )
            )

    def _merge(self, repository: Repository, own: OwnFiles | None, ours: str, theirs: str) -> str:
        base = repository.merge_base(ours, theirs)
        tree, conflicts = repository.merged(ours, theirs)
        files: dict[str, bytes | None] = {}
        if own is not None:
            try:
                files = merged_files(repository, own, base, ours, theirs)
            except CannotMerge as error:
                raise LeftToAuthor(f"{error}; nothing was changed", _BY_HAND) from error
        torn = [path for path in conflicts if path not in files]
        if torn:
            raise LeftToAuthor(
                f"{', '.join(torn[:5])} changed in the same places here and at the remote; nothing was changed",
                _BY_HAND,
            )
        tree = repository.with_files(tree, files) if files else tree
        message = f"Merge {repository.remote_branch} of the remote\n\nMade by citeplug overleaf sync.\n"
        return repository.merge_commit(tree, ours, theirs, message)

    # The section

    def _bring_up_to_date(self, repository: Repository) -> None:
        project = find_project(self.folder)
        own = own_files(repository, project)
        need_sound(repository, own)
        where = project.where
        draft = read_draft(project.root, skip=generated_files(where))
        if unfinished := self._unfinished(repository, own) + _without_version(repository, own, draft):
            names = ", ".join(unfinished[:5])
            self._leave(
                f"{names}: not committed, and the section is made from committed files",
                "commit them (git add, git commit), then run it again; citeplug never commits your files",
            )
            return
        watcher = Watcher(self.folder, replace(self._context, tell=self._pass_on))
        try:
            self._code = watcher.once()
        finally:
            watcher.stop()
        project = find_project(self.folder)
        keep(self._context.settings.home, project.where)
        self._commit(repository, own_files(repository, project), "Update the related work")
        self._read_section(repository, project)

    def _read_section(self, repository: Repository, project: Project) -> None:
        where = project.where
        if not where.tex.is_file():
            return
        draft = read_draft(project.root, skip=generated_files(where))
        edits, _ = insertion(draft, where)
        if not edits:
            return
        if not self._insert:
            self._tell(
                WatchEvent(
                    "due",
                    f"{project.root.name} does not read the section yet",
                    hint="add \\input{related} and its bibliography, or let --insert do it",
                )
            )
            return
        files = sorted({edit.file for edit in edits})
        write_edits(edits, where)
        names = [file.resolve().relative_to(repository.top).as_posix() for file in files]
        self._commit(repository, own_files(repository, project), "Record what makes the draft read the related work")
        with self._steps.step("commit"):
            repository.commit(names, "Read the related work section in the draft")
        self._tell(WatchEvent("committed", ", ".join(names), tuple(files)))

    def _pass_on(self, event: WatchEvent) -> None:
        if event.kind != "current":
            self._tell(event)

    # Committing

    def _own(self, repository: Repository) -> OwnFiles | None:
        """None while the clone has no draft; raises LeftToAuthor if a merge was left unfinished in the section."""
        try:
            project = find_project(self.folder)
        except UnreadableInput:
            return None
        own = own_files(repository, project)
        need_sound(repository, own)
        return own

    def _unfinished(self, repository: Repository, own: OwnFiles) -> list[str]:
        """The author's files that differ from the last commit."""
        return [path for path in repository.dirty() if path not in own]

    def _commit(self, repository: Repository, own: OwnFiles, message: str) -> None:
        need_sound(repository, own)
        with self._steps.step("commit"):
            files = present(repository, own, hidden=self._steps.hidden)
            done = repository.commit(files, f"{message}\n\nMade by citeplug overleaf sync.")
        if done:
            self._tell(WatchEvent("committed", message[:1].lower() + message[1:]))
        _, ignored = repository.untracked([own.tex, own.bib, own.record])
        if ignored:
            self._leave(
                f"the project's .gitignore leaves out {', '.join(ignored)}, so it is not committed",
                "take it out of .gitignore: co-authors need it for their merges",
            )

    def _leave(self, message: str, hint: str) -> None:
        self._code = 1
        self._tell(WatchEvent("waiting", message, hint=hint))

    def _tidy(self, repository: Repository) -> None:
        """After an interrupt or an error: what a run had written is committed, so that the tree is clean."""
        try:
            own = self._own(repository)
            if own is not None and not self._unfinished(repository, own):
                self._commit(repository, own, "Keep what was changed in the related work section")
        except CiteplugError:
            pass  # what is wrong is reported already


def _without_version(repository: Repository, own: OwnFiles, draft: Draft) -> list[str]:
    """The files of the draft that are not under version control: the others would not have them."""
    files = [(draft.root.parent / name).resolve() for name in draft.files]
    names = [file.relative_to(repository.top).as_posix() for file in files if file.is_relative_to(repository.top)]
    new, _ = repository.untracked([name for name in names if name not in own])
    return new

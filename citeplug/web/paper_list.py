"""The list of papers that a draft should discuss, as the review page has it: made quickly, then refined."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from citeplug.project.find_project import Project
from citeplug.project.provenance import read_provenance
from citeplug.records.finding import Finding
from citeplug.related.papers import Listing
from citeplug.related.progress import Report
from citeplug.related.section.status import state_of
from citeplug.settings.environment import Settings
from citeplug.web.runs import Run
from citeplug.web.tasks import papers


class PaperList:
    """The list of one project, made again where the draft has changed."""

    def __init__(self, project: Callable[[], Project], settings: Settings) -> None:
        self._project = project
        self._chosen = settings
        self._listed: tuple[object, Listing, Settings] | None = None

    def is_made(self) -> bool:
        """Return True if `papers` has nothing to search for."""
        return self._listed is not None and self._listed[0] == self._key()

    def make(self, run: Run) -> tuple[str, Sequence[Finding]]:
        """Make the list that `papers` returns; its page says all that there is to say."""
        self._make(run.report)
        return "", ()

    def papers(self) -> Listing:
        """The papers that the draft should discuss. They are searched for again if the draft has changed."""
        listed = self._listed
        return self._make(lambda *_: None) if listed is None or listed[0] != self._key() else listed[1]

    def refine(self, run: Run) -> tuple[str, Sequence[Finding]]:
        """Compare all candidates with the draft, where the list that is shown has the first of them; say what changed.

        A list that the author's changes have overtaken meanwhile is made anew.
        """
        first, key = self.papers(), self._key()
        settings = replace(self._chosen, dense="all-candidates")
        refined: Listing = run.in_process("refine", root=self._project().root, settings=settings)
        if self._key() != key:
            return "", ()
        self._listed = key, refined, settings
        return refined_in_words(first, refined), ()

    def research(self, run: Run, settings: Settings, *, lists: bool) -> tuple[str, Sequence[Finding]]:
        """Look for the papers of the draft once more, by the citations of those that are found.

        `lists`: the user allows that reference lists are fetched, as `settings` does then.
        """
        key = self._key()
        listing: Listing = run.in_process("research", root=self._project().root, settings=settings, lists=lists)
        self._listed = key, listing, self._chosen
        how = "" if listing.graph is None else f" {listing.graph.in_words}"
        return f"The section chooses among {len(listing.papers)} papers.{how}", listing.findings

    @property
    def settings(self) -> Settings:
        """The settings that the list which is shown was made with: a section is chosen by the same."""
        return self._listed[2] if self._listed is not None and self.is_made() else self._chosen

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Keep the list over a choice, which its page shows anyway: a search takes seconds."""
        listed = self._listed if self.is_made() else None
        yield
        if listed is not None:
            self._listed = self._key(), *listed[1:]

    def _make(self, report: Report) -> Listing:
        key = self._key()
        listing = papers(self._project().root, self._chosen, report, {})
        self._listed = key, listing, self._chosen
        return listing

    def _key(self) -> object:
        """A value that is another one when the draft has changed, or the debates on its papers."""
        project = self._project()
        debates = read_provenance(project.where.provenance).debates
        return tuple(sorted(map(stamp_of, project.root.parent.rglob("*.tex")))), state_of(project).changed, debates


def refined_in_words(first: Listing, refined: Listing) -> str:
    """That the list is refined, and what that brought."""
    before, after = ([listed.paper.id.value for listed in listing.papers] for listing in (first, refined))
    new = len({*after} - {*before})
    return f"The list is refined{': nothing changed' if before == after else f', with {new} new' if new else ''}."


def stamp_of(path: Path) -> str:
    """A text that changes when the file does."""
    try:
        state = path.stat()
    except OSError:
        return f"{path.name}: none"
    return f"{path.name}: {state.st_mtime_ns} {state.st_size} {state.st_ino}"

"""What the review page does to one project: each action a use case, with those that can be undone in their order."""

import os
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citeplug.ask.insertion import Inserted, take_out
from citeplug.audit.inputs import audit_inputs
from citeplug.bib.bib_file import read_bib_file
from citeplug.bib.check import check_bibliography, open_lookup
from citeplug.bib.fix_bibliography import as_recorded, fix_bibliography, fix_entry
from citeplug.bib.fixed import FixRequest, FixResult
from citeplug.corpus.stores import for_project, open_corpus
from citeplug.errors import ChangedMeanwhile, UnreadableInput, UsageError
from citeplug.files.project_files import as_given
from citeplug.latex.project import read_draft
from citeplug.llm.api_keys import VARIABLES
from citeplug.llm.chosen_model import is_hosted
from citeplug.llm.known_models import SERVICES
from citeplug.project.any_draft import is_latex, read_any_draft
from citeplug.project.find_project import Project, find_project
from citeplug.project.provenance import read_provenance
from citeplug.project.section_targets import generated_files
from citeplug.project.targets import insertion, own_text
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding
from citeplug.records.outcome import Options
from citeplug.records.paper import LIBRARY, Paper, library_id
from citeplug.records.provenance import Status
from citeplug.records.report import BibReport
from citeplug.records.work import Service
from citeplug.related.options import settle, standing_options, without_model
from citeplug.related.progress import Report
from citeplug.related.section.choose import choice_of, choose_paper
from citeplug.related.section.edit_section import SectionEdit, edit_section, mark, take_back
from citeplug.related.section.review import ReviewedSection, review_section
from citeplug.related.tools import Job
from citeplug.related.zip_project import changed_files
from citeplug.settings.environment import Settings
from citeplug.settings.user_toml import read_preferences
from citeplug.web.asking import PageQuestions, own_bib_files
from citeplug.web.ledger import LeftOpen, left_open
from citeplug.web.paper_list import PaperList, stamp_of
from citeplug.web.runs import Run, Runs, Work
from citeplug.web.writing import (
    changes_in_words,
    line_with,
    new_entry,
    options_in,
    put_back,
    rewrite,
    sentences_in,
)

if TYPE_CHECKING:
    from citeplug.project.zips import Archive

_MOST_UNDONE = 200
_MOST_SHOWN = 8  # views of the section: those of a few tabs


class Reviewing:
    """One project under review. Actions come one at a time; nothing is sent over the network without consent.

    `path` is its main file or folder; `archive` the zip that this folder was unpacked from, if it was. Raises
    UnreadableInput without a main file.
    """

    def __init__(self, path: Path | None, settings: Settings, archive: "Archive | None" = None) -> None:
        root = find_project(path).root
        settings = for_project(settings, root)
        self.path = root if path is None else as_given(path)
        self.archive = archive
        self.chosen = replace(settings, offline=True)
        self.may_send = not settings.offline
        self.online = settings  # for what a form says that it sends
        self.runs = Runs()
        self.asking = PageQuestions(self.chosen, may_send=self.may_send)
        self._acting = threading.Lock()
        self._done: list[tuple[str, Callable[[], object]]] = []
        self.papers = PaperList(lambda: self.project, self.chosen)
        self._checked: tuple[object, tuple[BibReport, FixResult]] | None = None
        self.fresh: Collection[str] = ()  # sentences that the last run wrote over others, as LaTeX
        self.gone: Mapping[str, str] = {}  # those in whose place it wrote them: how they read in print, by their LaTeX
        self._shown: dict[str, tuple[str, ReviewedSection]] = {}

    @property
    def project(self) -> Project:
        return find_project(self.path)

    @property
    def name(self) -> str:
        """The name of the project, also of one that cannot be read."""
        return self.path.name

    @property
    def folder(self) -> Path:
        """The folder of the project; of a zip that in which the zip is."""
        if self.archive is not None:
            return self.archive.path.absolute().parent
        return self.place

    @property
    def place(self) -> Path:
        """The folder in which the files are; of a zip that in which it was unpacked."""
        return self.path if self.path.is_dir() else self.path.parent

    @property
    def title(self) -> str:
        """The name of the zip, of the folder, or of the main file with its folder's."""
        return self.zip_name or (self.name if self.path.is_dir() else f"{self.folder.name}/{self.name}")

    @property
    def zip_name(self) -> str | None:
        """The name of the zip under review, None for a folder."""
        return None if self.archive is None else self.archive.path.name

    @property
    def undoable(self) -> str | None:
        """The last action that can be undone, in words."""
        done = self._done
        return done[-1][0] if done else None

    def for_arxiv(self) -> Settings:
        """The settings with which arXiv is asked. Raises UsageError offline."""
        if not self.may_send:
            raise UsageError("arXiv is not asked: this is offline", "unset CITEPLUG_OFFLINE")
        return self.online

    def close(self) -> None:
        """Stop the run that is on, wait for its end, and close what questions opened."""
        self.runs.close(self.asking.close)

    def section(self, project: Project) -> ReviewedSection:
        return review_section(project, self.chosen)

    def stamp(self, project: Project) -> str:
        """A text that changes when the files of the section or the main file do."""
        where = project.where
        return " ".join(stamp_of(path) for path in (where.tex, where.bib, where.provenance, project.root))

    def shown(self, stamp: str, project: Project) -> ReviewedSection | None:
        """The section as a page of this stamp shows it; None if that is long ago, or the draft has changed since."""
        draft, section = self._shown.get(stamp, ("", None))
        return section if draft == stamp_of(project.root) else None

    def now_shown(self, stamp: str, project: Project, section: ReviewedSection) -> None:
        """Remember the section that a page of this stamp shows."""
        self._shown[stamp] = stamp_of(project.root), section
        for old in list(self._shown)[:-_MOST_SHOWN]:
            self._shown.pop(old, None)

    def mark(self, what: str, paragraph: str, words: str, status: Status, at: int | None = None) -> None:
        """Accept a generated sentence, reject it, or make it unreviewed again; `at` is its place in the paragraph."""
        self._do(what, lambda: mark(self.project, self.chosen.home, paragraph, words, status, at))

    def edit(self, what: str, change: Callable[[str], str]) -> None:
        """Change the section's text; `what` names the action for the author."""
        self._do(what, lambda: edit_section(self.project, self.chosen.home, change))

    def _do(self, what: str, action: Callable[[], SectionEdit]) -> None:
        with self._acting:
            done = action()
            if done.changed:
                self._remember(what, lambda: take_back(self.project, self.chosen.home, done))

    def insert(self, insert: Callable[[], Inserted]) -> None:
        """Put a sentence of an answer into the draft."""
        with self._acting:
            done = insert()
            self._remember("insert", lambda: take_out(done, self.chosen.home))

    def cite(self, arxiv_id: str) -> None:
        """Put the entry of a paper into the draft's own .bib file. Raises UsageError if there is none."""
        entry = new_entry(arxiv_id, own_bib_files(self.project)[0], self.chosen)
        if entry is not None:
            self.change_file("cite", *entry)

    def change_file(
        self, what: str, file: Path, change: Callable[[str], str], on_undo: Callable[[], object] = lambda: None
    ) -> None:
        """Change the text of one file of the author's; `on_undo` is called when that is taken back."""
        with self._acting:
            back = rewrite(file, change, self.project, self.place, self.chosen.home)
            self._remember(what, lambda: (back(), on_undo()))

    def _remember(self, what: str, back: Callable[[], object]) -> None:
        self._done.append((what, back))
        del self._done[:-_MOST_UNDONE]

    def undo(self) -> None:
        """Take the last action back. Raises UsageError if there is none."""
        with self._acting:
            if not self._done:
                raise UsageError("there is nothing to undo")
            self._done[-1][1]()
            self._done.pop()

    def choose(self, arxiv_id: str, choice: str) -> None:
        """Pin or exclude a paper in citeplug.toml, or neither."""
        with self._acting:
            before = choice_of(self.project.root, arxiv_id)
            with self.papers.kept():
                is_changed = choose_paper(self.project.root, arxiv_id, choice, self.chosen.home)
            if is_changed:
                self._remember(choice, lambda: self._unchoose(arxiv_id, choice, before))

    def _unchoose(self, arxiv_id: str, choice: str, before: str) -> None:
        root = self.project.root
        if choice_of(root, arxiv_id) != choice:
            raise ChangedMeanwhile("this cannot be undone: the choice was changed since", "choose on the page Papers")
        with self.papers.kept():
            choose_paper(root, arxiv_id, before, self.chosen.home)

    def choices(self) -> dict[str, str]:
        """The choice of each paper that citeplug.toml or the document names, `pin` or `exclude`, by id or key.

        A work of the library that is named by its key has its id there, too.
        """
        values = settle(read_any_draft(self.project.root)).values
        named = [(name, choice) for choice in ("pin", "exclude") for name in values.get(choice, ())]
        return {paper: choice for name, choice in named for paper in (name, library_id(name).value)}

    def in_section(self) -> dict[str, str]:
        """The keys of the works that the section cites, by id."""
        section = self.section(self.project)
        sentences = (piece.sentence for paragraph in section.paragraphs for piece in paragraph.pieces)
        cites = {cite for sentence in sentences if sentence for cite in sentence.cites}
        arxiv = {cite: section.entries[cite].key for cite in cites if cite in section.entries}
        return arxiv | {library_id(cite).value: cite.removeprefix(LIBRARY) for cite in cites - arxiv.keys()}

    def insertion(self, project: Project) -> tuple[list[tuple[str, str]], Finding | None]:
        """Lines by which the draft would read the section and its entries, each with its file's name; none if it does.

        With them the finding on a related work of the author's own, which stays beside the section.
        """
        if not is_latex(project.root):
            return [], None
        draft = read_draft(project.root, skip=generated_files(project.where))
        try:
            edits, _ = insertion(draft, project.where)
        except (UnreadableInput, UsageError):
            return [], None
        own = own_text(draft, project.where) if edits else None
        return [(edit.file.name, line_with(edit)) for edit in edits], own

    def draft(self) -> Draft:
        """The draft, without what citeplug wrote."""
        project = self.project
        return read_any_draft(project.root, skip=generated_files(project.where))

    def beginning(self) -> dict[str, Any]:
        """What the page without a section says of the draft and of this machine."""
        draft = self.draft()
        with open_corpus(self.chosen) as corpus:
            known = {"records": corpus.records, "searchable": not corpus.is_empty()}
        cited = {key for cite in draft.cites for key in cite.keys}
        return {**known, "draft_title": draft.title, "cited_works": len(cited), "options": self.options(draft)}

    def is_searchable(self) -> bool:
        """Return False if there is no paper on this machine, and no work of the author's."""
        with open_corpus(self.chosen) as corpus:
            return not corpus.is_empty()

    def options(self, draft: Draft | None = None) -> Options:
        """The options of the section, if it is written now without a model."""
        record = read_provenance(self.project.where.provenance)
        return without_model(standing_options(record, draft or self.draft(), {}))

    def models(self) -> list[str]:
        """The language models that can be chosen: that of the user's settings, and services with a key in the
        environment; the keyring is opened only for one that is chosen."""
        use = read_preferences(self.chosen.home).use
        services = [name for name in SERVICES if self.may_send and any(map(os.environ.get, VARIABLES[name]))]
        named: list[str] = []
        with suppress(UsageError):  # what is no model is not offered; a run in the terminal says what is wrong
            named = [use] if is_hosted(use, self.chosen) is not None else []
        return [
            name for name in dict.fromkeys([*named, *services]) if self.may_send or not is_hosted(name, self.chosen)
        ]

    def writing(self, form: Mapping[str, str], *, deep: bool = False, insert: bool = False) -> Work:
        """The run that writes the section by its plan, with the options that it had and those of the form.

        A form without a model writes without one; `deep` follows citations, with `insert` the draft is made to read the
        section. What the author does meanwhile is not held up: the run takes it in, or begins again. Raises UsageError.
        """
        options, llm = self.options(), form.get("llm") or None
        if llm is not None and llm not in self.models():
            raise UsageError("this model cannot be chosen here", "look at the page again")
        options = replace(
            options, **options_in(form, options), deep=deep or options.deep, replan=form.get("replan") == "yes"
        )
        return partial(self._write, options=options, llm=llm, deep=deep, insert=insert)

    def _write(
        self, run: Run, *, options: Options, llm: str | None, deep: bool, insert: bool
    ) -> tuple[str, Sequence[Finding]]:
        project = self.project
        before = sentences_in(self.section(project))
        job = Job(project.root, options, project.where.tex, project.where.bib, insert=insert)
        model_settings = self.online if llm is not None and is_hosted(llm, self.online) else self.chosen
        graph, findings, changed = run.in_process(
            "write", job=job, project=project, settings=self.papers.settings, llm=llm, model_settings=model_settings
        )
        if changed:
            with self._acting:
                what = "insertion" if insert else "writing"
                self._remember(what, lambda: put_back(project, self.chosen.home, changed))
        message = "Your document now includes the section." if insert else "The section is written."
        if before and not insert:
            after = sentences_in(self.section(project))
            self.fresh = after.keys() - before.keys()
            self.gone = {tex: text for tex, text in before.items() if tex not in after}
            message += f" {changes_in_words(len(self.fresh), len(self.gone))}"
        if deep and graph is not None:
            message += f" {graph.in_words}"
        return message, [finding for finding in findings if finding.severity != "info"]

    def research(self, run: Run, *, lists: bool = False) -> tuple[str, Sequence[Finding]]:
        """Follow the citations of the papers found; `lists`: the user allows that reference lists are fetched."""
        lists = lists and self.may_send
        return self.papers.research(run, self.online if lists else self.chosen, lists=lists)

    def ledger(self) -> Mapping[str, LeftOpen]:
        """What the works of the section leave open, by key and arXiv id, as `citeplug gaps` recorded it last."""
        return left_open(read_provenance(self.project.where.provenance))

    def find_gaps(self, run: Run) -> tuple[str, Sequence[Finding]]:
        """Make the ledger of the section, and record it."""
        with_gap, works = run.in_process("gaps", root=self.project.root, settings=self.chosen)
        return f"{with_gap} of {works} works state a limit: it stands with each source.", ()

    def papers_named(self, names: Sequence[str]) -> list[Paper]:
        """The papers of these ids that are on this machine."""
        with open_corpus(self.chosen) as corpus:
            return list(corpus.papers(sorted(names)).values())

    def entries_are_checked(self) -> bool:
        """Return True if `entries` has nothing to do."""
        return self._checked is not None and self._checked[0] == audit_inputs(self.project.root, self.chosen)

    def check_entries(
        self, run: Run, settings: Settings | None = None, services: Sequence[Service] = ()
    ) -> tuple[str, Sequence[Finding]]:
        """Make what `entries` returns; its page says all that there is to say. What is asked as well is by consent."""
        self._check_entries(run.report, settings, services)
        return "", ()

    def entries(self) -> tuple[BibReport, FixResult]:
        """The check of the draft's entries, and its certain corrections, not yet made."""
        checked = self._checked
        return checked[1] if checked and self.entries_are_checked() else self._check_entries(lambda *_: None)

    def _check_entries(
        self, report: Report, settings: Settings | None = None, services: Sequence[Service] = ()
    ) -> tuple[BibReport, FixResult]:
        files = [self.project.root]
        inputs = audit_inputs(files[0], self.chosen)  # before the check: what changes meanwhile counts as changed
        checked = check_bibliography(files, settings or self.chosen, report=report, sources=services)
        fixed = fix_bibliography(files, settings or self.chosen, FixRequest(), report=report, checked=checked)
        self._checked = inputs, (checked, fixed)
        return checked, fixed

    def fix(self, key: str = "", *, by_record: bool = False) -> None:
        """Make the certain corrections of the entries, or of the one with a key.

        `by_record` gives that one the title and the authors of its record too, which the author has seen.
        """
        with self._acting:
            if key:
                checked, fixed = self.entries()
                files = [change.file for change in fixed.fixed if change.key == key]
                files += [entry.file for entry in checked.entries if by_record and entry.key == key]
                if not files:
                    raise ChangedMeanwhile(f"no certain correction of {key} is left", "look at the page again")
                with open_lookup(self.chosen) as lookup:
                    checked = as_recorded(checked, key, lookup) if by_record else checked
                    one, left = fix_entry(checked, read_bib_file(files[0]), key, lookup, FixRequest())
                if not one.changed:
                    message = left[0].message if left else f"the record of {key} is not on this machine"
                    raise UsageError(message, "correct the entry in your file")
                done = FixResult((one,), (), (), False)
            else:
                done = self.entries()[1]
            done.write(self.chosen.home)
            if any(file.changed for file in done.files):
                self._remember("correction" if key else "corrections", lambda: done.take_back(self.chosen.home))

    def changed_files(self) -> tuple[bytes, list[str]]:
        """A zip of the files that are not as in the zip under review, and their names."""
        if self.archive is None:
            raise UsageError("the project is a folder: its files were written in place")
        return changed_files(self.archive, self.place, self.chosen.home)

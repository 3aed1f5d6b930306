"""`citeplug remove`: remove citeplug's files and lines from a project; files with the author's words stay."""

import contextlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from citeplug.bibtex.entries import parse_bib
from citeplug.files.atomic import Change, write_together
from citeplug.files.project_files import walk
from citeplug.project import merge_bases
from citeplug.project.any_draft import read_any_draft
from citeplug.project.author_files import (
    as_tex_path,
    edited,
    edits_as_changes,
    one_at_a_time,
    read_exactly,
    read_or_none,
)
from citeplug.project.find_project import Project, find_project
from citeplug.project.provenance import PROVENANCE, inserted_texts, read_provenance_file
from citeplug.project.section_targets import generated_files
from citeplug.project.take_back import left_in_record, readers_of_entries, readers_of_section, take_back
from citeplug.project.targets import Targets
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding, TextEdit
from citeplug.records.provenance import InsertedText, Provenance
from citeplug.records.section import HEADER
from citeplug.related.section.accept import Recorded, recorded_sentences
from citeplug.related.section.files_before import (
    Before,
    checked_change,
    look,
    need_unchanged,
    record_change,
    with_files,
    without_equal,
)
from citeplug.related.section.write_plan import is_recorded_plan
from citeplug.section_file.grammar import read_related, recorded_hash, text_hash, was_generated
from citeplug.section_file.provenance_tex import is_tex_record, print_tex_record, tex_record_of
from citeplug.text.three_way_merge import unified

_Readers = Callable[[Mapping[Path, str]], list[tuple[Path, int]]]

_CHANGED = {
    "text": "its text was changed",
    "plan": "its plan was changed, or there is no record of the generated one",
    "due": "you wrote its plan",
    "keep": "it is marked 'citeplug:keep'",
    "unknown": "its text was changed",
}


@dataclass(frozen=True, slots=True)
class Removed:
    """Result of a removal, or of a dry run: `files` are deleted, `edited` are the draft's.

    The findings (`not_removed`) name what stays, the reason, and what to do. `sentences` are those that go with `tex`.
    """

    root: Path
    tex: Path
    files: tuple[Path, ...]
    edited: tuple[Path, ...]
    findings: tuple[Finding, ...]
    dry_run: bool
    sentences: tuple[Recorded, ...] = ()
    diff: str = ""


def remove_section(start: Path | None, home: Path, *, dry_run: bool = False, diff: bool = False) -> Removed:
    """Remove the lines inserted into the draft, and the files that are all citeplug's; everything or nothing.

    A file with words of the author's stays, and so do the lines that read it. Raises UnreadableInput, CannotWrite,
    ChangedMeanwhile if a file is saved at that moment, WouldOverwrite for a section with conflict marks.
    """
    project = find_project(start)
    with nullcontext() if dry_run or diff else one_at_a_time(home, project.root):
        removal = _Removal(project, read_any_draft(project.root, skip=generated_files(project.where)))
        removal.decide()
        changes = removal.changes()
        if not (dry_run or diff):
            write_together(changes)
            for folder in (merge_bases.FOLDER, PROVENANCE.parent):
                with contextlib.suppress(OSError):
                    (project.root.parent / folder).rmdir()
    return Removed(
        project.root,
        project.where.tex,
        tuple(change.path for change in changes if change.data is None),
        tuple(dict.fromkeys(edit.file for edit in removal.edits)),
        tuple(removal.findings),
        dry_run or diff,
        removal.sentences(),
        removal.difference() if diff else "",
    )


@dataclass(slots=True)
class _Removal:
    """Files and lines of citeplug's in a project. `edits` are to the draft; `gone` are files to delete, `staying` are
    section and entries, if they stay."""

    project: Project
    draft: Draft
    edits: list[TextEdit] = field(default_factory=list)
    gone: list[Path] = field(default_factory=list)
    staying: set[Path] = field(default_factory=set)
    findings: list[Finding] = field(default_factory=list)
    before: Before = field(init=False)
    texts: dict[Path, str] = field(init=False)
    own: list[tuple[Path, str]] = field(init=False)

    def __post_init__(self) -> None:
        where = self.project.where
        text = read_or_none(where.tex)
        record_file = read_provenance_file(where.provenance)
        self.before = look(where, record_file, force=text is not None and not was_generated(text))
        self.own = inserted_texts(self.before.record, where.project)
        files = [where.project / name for name in self.draft.files] if self.draft.is_latex else []
        files += [file for file, _ in self.own if file.is_file() and file not in files]
        # First: what is saved after this is seen in the last moment.
        self.before = with_files(self.before, files)
        self.texts = {file: read_exactly(file)[0] for file in dict.fromkeys(files)}

    def decide(self) -> None:
        """Decide for each file: delete it if all of it is citeplug's and nothing else reads it."""
        where = self.project.where
        tex_name, bib_name = self._names
        back = take_back(self.own, self.texts, tex_name, bib_name)
        readers: _Readers = partial(readers_of_section, tex_name=tex_name)
        self._settle(where.tex, _authors_part(self.before, where), back.section, readers)
        if where.tex not in self.staying:
            self._tex_record()
        why = f"{where.tex.name} needs it" if where.tex in self.staying else self._needed()
        readers = partial(readers_of_entries, bib_name=bib_name)
        self._table()
        self._settle(where.bib, why or _authors_entries(self.before), back.entries, readers)
        self._others()

    def changes(self) -> list[Change]:
        """The draft's files first, so that none reads what is gone; the record last, so that a kill loses nothing."""
        folder = self.project.where.project
        changes = edits_as_changes(self.edits, folder, lambda file: partial(need_unchanged, file, self.before))
        changes += [checked_change(path, None, self.before) for path in self.gone]
        return [*changes, *self._record()]

    def sentences(self) -> tuple[Recorded, ...]:
        """The generated sentences that go with the section, if it is deleted."""
        tex = self.project.where.tex
        if tex not in self.gone:
            return ()
        recorded = recorded_sentences(self.before.record, read_related(self.before.texts.get(tex, "")))
        return tuple(sentence for sentence in recorded if sentence.stands)

    def difference(self) -> str:
        """Return a unified diff of the draft's files, the section and its entries."""
        folder = self.project.where.project
        after = {
            file: edited(text, [edit for edit in self.edits if edit.file == file]) for file, text in self.texts.items()
        }
        before = {**self.texts, **self.before.texts}
        after |= {path: "" for path in self.gone if path in before}
        return "".join(unified(before[path], text, as_tex_path(path, folder)) for path, text in after.items())

    def _settle(self, path: Path, why: str, edits: Sequence[TextEdit], readers: _Readers) -> None:
        """Keep a file, for the reason `why` or because other lines of the draft read it; else delete it."""
        there = self.before.seen[path] is not None
        if there and why:
            fix = "move your own words elsewhere, or delete the file and the line that reads it by hand"
            self._report(f"{path.name} and the lines that read it stay: {why}", path, None, fix)
            self.staying.add(path)
        elif self._still_read(path, edits, readers):
            self.staying.add(path)
        else:
            self.edits += edits
            self.gone += [path] if there else []

    def _still_read(self, path: Path, edits: Sequence[TextEdit], readers: _Readers) -> bool:
        """Return True if lines that are not recorded as citeplug's still read a file after these edits."""
        after = {file: edited(text, [e for e in edits if e.file == file]) for file, text in self.texts.items()}
        if not readers(after):
            return False
        for file, line in readers(self.texts):
            message = f"{file.name} reads {path.name} by a line that is not recorded as citeplug's: both stay"
            self._report(message, file, line, "remove the line, and run the same command again")
        return True

    def _needed(self) -> str:
        """Return the reason if the author's own text cites keys that only citeplug's file defines."""
        defined = {entry.key for entry in parse_bib(self.before.shelf.text or "", self.project.where.bib)}
        cited = {key for cite in self.draft.cites for key in cite.keys}
        needed = sorted((defined & cited) - {entry.key for entry in self.draft.entries})
        return f"your own text cites {', '.join(needed)}, which no other file defines" if needed else ""

    def _tex_record(self) -> None:
        where = self.project.where
        file = tex_record_of(where.tex)
        text = read_or_none(file)
        if text is None or not is_tex_record(text):
            return
        self.before = with_files(self.before, [file])
        section = self.before.texts.get(where.tex, "")
        if text.replace("\r\n", "\n") == print_tex_record(self.before.record, section.lstrip("\ufeff")):
            self.gone.append(file)
        else:
            self._report(f"{file.name} stays: it was changed", file, None, "delete it if you do not need it")

    def _table(self) -> None:
        table = self.project.where.table
        sha, below = recorded_hash(read_or_none(table) or "")
        if sha is None:
            return
        self.before = with_files(self.before, [table])
        name = as_tex_path(table, self.project.where.project)
        why = "" if text_hash(below) == sha else "its text was changed"
        self._settle(table, why, (), partial(readers_of_section, tex_name=name))

    def _others(self) -> None:
        folder = self.project.where.project
        loaded = "citeplug" in self.draft.packages
        load = f"remove \\usepackage{{citeplug}} from {self.project.root.name}, then delete it" if loaded else ""
        for name, why, fix in (
            ("citeplug.sty", "there is no record that citeplug wrote it", load),
            ("citeplug.toml", "it holds your choices", ""),
        ):
            if (folder / name).is_file():
                self._report(f"{name} stays: {why}", folder / name, None, fix or "delete it if you do not need it")

    def _record(self) -> list[Change]:
        """Return the changes of the record and the bases; they are deleted with the last of their files."""
        where, record = self.project.where, self.before.record
        if self.before.seen[where.provenance] is None:
            return []
        left = self._left_of_record()
        if where.table in self.staying or any((where.project / name).is_file() for name in left.written):
            return without_equal([record_change(where, left, self.before)]) if left != record else []
        files = merge_bases.files_of_bases(where.project)
        for other in walk(where.project / PROVENANCE.parent, skip=lambda name: False):
            if not other.is_dir() and other not in (*files, where.provenance):
                self._report(
                    f"{other.name} stays: it is not citeplug's", other, None, "delete it if you do not need it"
                )
        return [*(Change(path, None) for path in files), checked_change(where.provenance, None, self.before)]

    def _left_of_record(self) -> Provenance:
        """The record without the files that go, and without what is taken out of the draft."""
        where = self.project.where
        record = self.before.record
        names = {where.name_of(path) for path in (where.tex, where.bib) if path not in self.staying}
        left = replace(
            record,
            written={name: digest for name, digest in record.written.items() if name not in names},
            blocks={name: blocks for name, blocks in record.blocks.items() if name not in names},
            deleted={name: blocks for name, blocks in record.deleted.items() if name not in names},
            table=() if where.table in self.gone else record.table,
        )
        if where.tex in self.staying:
            return left
        inserted = left_in_record(self.own, *self._names, entries=where.bib in self.staying)
        return replace(left, inserted=tuple(InsertedText(where.name_of(file), text) for file, text in inserted))

    @property
    def _names(self) -> tuple[str, str]:
        """Section and entries file, as LaTeX names them."""
        where = self.project.where
        return as_tex_path(where.tex, where.project), as_tex_path(where.bib, where.project)

    def _report(self, message: str, file: Path, line: int | None, fix: str) -> None:
        self.findings.append(Finding("not_removed", "info", message, file, line, fix=fix))


def _authors_part(before: Before, where: Targets) -> str:
    """Return the author's part of the section, or "". A sentence that was accepted is still citeplug's."""
    text = before.texts.get(where.tex, "")
    if not was_generated(text):
        return "it was written by hand" if text.strip() else ""
    if read_related(text).outside.strip():
        return "there is text of yours outside the paragraphs"
    planned = is_recorded_plan(before, where)
    changed = [
        f"{block.at.id}: {_CHANGED[block.state]}"
        for block in before.current.blocks
        if block.state != "fresh" and not (block.state == "due" and planned)
    ]
    return "; ".join(changed)


def _authors_entries(before: Before) -> str:
    """Return the author's part of the entries' file, or ""."""
    text = before.shelf.text or ""
    rest, at, others = [], 0, []
    for entry in parse_bib(text, before.shelf.file):
        rest.append(text[at : entry.span.start])
        at = entry.span.end
        raw = " ".join(text[entry.span.start : at].split())
        if all(" ".join(base.text.split()) != raw for base in before.bases.entries.get(entry.key, ())):
            others.append(entry.key)
    if others:
        return f"{', '.join(others)} added or changed by you"
    outside = "".join([*rest, text[at:]]).replace("\r\n", "\n").lstrip("\ufeff").replace(HEADER.strip(), "", 1)
    return "there is text of yours between the entries" if outside.strip() else ""

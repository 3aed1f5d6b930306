"""A sentence of an answer put into the draft: the sentence, its entry and its provenance, all of it or nothing."""

import re
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from citeplug.ask.for_draft import cited_papers, draft_tex, recorded
from citeplug.bib.cite import Citing, cite_papers
from citeplug.corpus.stores import Announce
from citeplug.errors import ChangedMeanwhile, UsageError
from citeplug.files.atomic import Change, write_together
from citeplug.files.project_files import as_given
from citeplug.latex.live import why_no_text
from citeplug.latex.project import find_root, read_draft
from citeplug.latex.resources import newline
from citeplug.project.author_files import (
    as_tex_path,
    bytes_or_none,
    edited,
    edits_as_changes,
    one_at_a_time,
    read_exactly,
)
from citeplug.project.provenance import ProvenanceFile, read_provenance_file
from citeplug.project.targets import Targets, targets
from citeplug.records.answer import Answer, AnswerSentence
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding, TextEdit
from citeplug.records.provenance import Happened, RecordedSentence, with_events
from citeplug.related.section.files_before import record_change
from citeplug.section_file.cite_style import cite_style, unfit_for_cite
from citeplug.settings.environment import Settings
from citeplug.text.three_way_merge import unified

_WAIT = 2.0  # seconds for the lock of a project, while an editor waits
_PLACE = re.compile(r"(?P<file>.+):(?P<line>\d{1,7})")


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a file of the draft, from 1, behind which a sentence is put."""

    file: Path
    line: int


@dataclass(frozen=True, slots=True)
class Inserted:
    """A sentence in the draft: its LaTeX, the keys it cites, and those that are new in the .bib file.

    `diff` is the unified diff of the draft's file and the .bib file. `stretch` is what `place.file` got, `entries` what
    the .bib file is with and without.
    """

    tex: str
    keys: tuple[str, ...]
    new_keys: tuple[str, ...]
    files: tuple[Path, ...]
    findings: tuple[Finding, ...]
    diff: str
    root: Path
    place: Place
    stretch: str
    entries: Citing


def read_place(text: str) -> Place:
    """The place in `FILE:LINE`. Raises UsageError."""
    found = _PLACE.fullmatch(text.strip())
    if found is None:
        raise UsageError(f"{text!r} is no place", "write FILE.tex:LINE; the sentence is put behind that line")
    return Place(as_given(found["file"]), int(found["line"]))


def insert_sentence(
    answer: Answer,
    sentence: AnswerSentence,
    place: Place,
    chosen: Settings,
    *,
    bib: Path | None = None,
    announce: Announce | None = None,
    dry_run: bool = False,
) -> Inserted:
    """Put a sentence of `answer` behind a line of the draft, and the entries of what it cites into its .bib file.

    `bib` names that file where the draft has several. A dry run changes nothing. Raises UsageError for a place or a
    paper that cannot be, UnreadableInput, ChangedMeanwhile, WouldOverwrite; then nothing was changed.
    """
    cited = cited_papers(sentence, answer.looked_through)
    root = find_root(place.file)
    draft = read_draft(root)
    folder = draft.root.parent
    text, _ = read_exactly(place.file)
    at = _offset(text, place)
    before = f"{newline(text)}{_indent(text, at)}"
    need_place(draft, place.file, text, at, before)
    citing = cite_papers(cited, chosen, bib=bib or root, announce=announce)
    keys = _keys(cited, citing)
    tex = draft_tex(sentence, cited, keys, cite_style(draft))
    stretch = f"{before}{tex}"
    edit = TextEdit(place.file, at, at, stretch)
    where = targets(draft.root, None, None)
    name = as_tex_path(place.file, folder)
    said = recorded(
        sentence, tex, cited, answer.looked_through, file=name, question=answer.question, model=answer.model
    )
    changes = edits_as_changes([edit], folder, lambda file: partial(_need_text, file, text))
    changes += _entry_changes(citing)
    with ExitStack() as locks:
        for path in () if dry_run else sorted({draft.root, *([citing.file.path] if citing.file else [])}):
            locks.enter_context(one_at_a_time(chosen.home, path))
        found = read_provenance_file(where.provenance)
        if not dry_run:
            write_together([*changes, _record(where, found, (*_others(found.record.asked, said), said))])
    diff = unified(text, edited(text, [edit]), name)
    if citing.file is not None:
        diff += unified(citing.file.text, citing.after, citing.file.path.name)
    new = tuple(one.key for one in citing.cited if one.entry is not None and one.key)
    files = tuple(change.path for change in changes)
    return Inserted(tex, tuple(keys.values()), new, files, citing.findings, diff, draft.root, place, stretch, citing)


def take_out(done: Inserted, home: Path) -> None:
    """Take an inserted sentence out of the draft and of the record; its new entries go where nothing else cites them.

    Raises ChangedMeanwhile if the sentence is not in the file as it was put there, CannotWrite, UnreadableInput.
    """
    file, where = done.place.file, targets(done.root, None, None)
    with one_at_a_time(home, done.root):
        text, _ = read_exactly(file)
        if text.count(done.stretch) != 1:
            raise ChangedMeanwhile(f"the sentence in {file.name} was changed meanwhile", "change it in your editor")
        at = text.index(done.stretch)
        edit = TextEdit(file, at, at + len(done.stretch), "")
        changes = edits_as_changes([edit], where.project, lambda file: partial(_need_text, file, text))
        bib, cites = done.entries.file, [key for cite in read_draft(done.root).cites for key in cite.keys]
        if bib is not None and done.new_keys and all(cites.count(key) <= 1 for key in done.new_keys):
            now, encode = read_exactly(bib.path)
            if now == done.entries.after:
                changes.append(Change(bib.path, encode(bib.text), check=partial(_need_text, bib.path, now)))
        found = read_provenance_file(where.provenance)
        left = [each for each in found.record.asked if each.tex != done.tex]
        write_together([*changes, _record(where, found, left)])


def keep_record(root: Path, said: RecordedSentence, home: Path) -> Callable[[], None]:
    """Record a sentence that an editor puts into the draft; return what takes the record back, and no other one.

    Raises StoreBusy, ChangedMeanwhile, CannotWrite, UnreadableInput.
    """
    where = targets(root, None, None)
    with one_at_a_time(home, root, _WAIT):
        before = read_provenance_file(where.provenance)
        written = _record(where, before, (*_others(before.record.asked, said), said))
        write_together([written])

    def take_back() -> None:
        with one_at_a_time(home, root, _WAIT):
            found = read_provenance_file(where.provenance)
            if found.data == written.data:
                write_together([Change(where.provenance, before.data, within=where.project)])
                return
            replaced = [each for each in before.record.asked if each not in found.record.asked]
            write_together([_record(where, found, (*replaced, *_others(found.record.asked, said)))])

    return take_back


def _record(where: Targets, found: ProvenanceFile, asked: Sequence[RecordedSentence]) -> Change:
    """The record with these sentences; refused if the file is not as it was found."""

    def need_unchanged() -> None:
        if bytes_or_none(where.provenance) != found.data:
            raise ChangedMeanwhile(f"{where.provenance} was changed in the meantime", "run the same command again")

    left = {each.words for each in asked}
    gone: list[tuple[Happened, RecordedSentence]] = [("deleted", e) for e in found.record.asked if e.words not in left]
    record = with_events(replace(found.record, asked=tuple(asked)), found.record, gone)
    return replace(record_change(where, record), check=need_unchanged)


def need_place(draft: Draft, file: Path, text: str, at: int, before: str) -> None:
    """Raise UsageError if a sentence at the offset `at` of `text`, behind the white space `before`, is in no paragraph.

    `text` is that of `file`, which must be one of the draft's.
    """
    if file.resolve() not in [(draft.root.parent / name).resolve() for name in draft.files]:
        raise UsageError(f"{file} is not a file of the draft {draft.root}", "name one that the draft reads")
    why = why_no_text(text, at, before)
    if why is not None:
        line = len(re.findall(r"\r\n|\r|\n", text[:at])) + 1
        raise UsageError(f"line {line} of {file.name} is {why}, where no sentence can be put", "choose a paragraph")


def _offset(text: str, place: Place) -> int:
    """The end of the line. Raises UsageError for one that is not there."""
    ends = [found.start() for found in re.finditer(r"\r\n|\r|\n|\Z", text)]
    if not 1 <= place.line <= len(ends):
        raise UsageError(f"{place.file} has {len(ends)} lines", "name a line of the file")
    return ends[place.line - 1]


def _keys(cited: Sequence[str], citing: Citing) -> dict[str, str]:
    """The keys by paper. Raises UsageError for one that cannot be cited."""
    keys: dict[str, str] = {}
    for value, one in zip(cited, citing.cited, strict=True):
        if one.status not in ("new", "exists") or not one.key:
            raise UsageError(one.message or f"{value} cannot be cited", one.fix or "cite it yourself")
        if why := unfit_for_cite(one.key):
            raise UsageError(f"LaTeX cannot cite the key {one.key}: {why}", "change it in your .bib file")
        keys[value] = one.key
    return keys


def _entry_changes(citing: Citing) -> list[Change]:
    file = citing.file
    if file is None or citing.after == file.text:
        return []
    return [Change(file.path, file.encoded(citing.after), check=file.need_unchanged)]


def _need_text(file: Path, text: str) -> None:
    if read_exactly(file)[0] != text:
        raise ChangedMeanwhile(f"{file} was changed in the meantime; it is left alone", "run the same command again")


def _indent(text: str, at: int) -> str:
    """The white space at the beginning of the line that ends at `at`."""
    start = max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1
    line = text[start:at]
    return line[: len(line) - len(line.lstrip())]


def _others(asked: Sequence[RecordedSentence], new: RecordedSentence) -> list[RecordedSentence]:
    return [each for each in asked if (each.tex, each.others.get("file")) != (new.tex, new.others.get("file"))]

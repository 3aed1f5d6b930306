"""A sentence of an answer put into the draft: the sentence, its entry and its provenance, all of it or nothing."""

import re
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from citeplug.answer.for_draft import cited_papers, draft_tex, recorded
from citeplug.errors import ChangedMeanwhile, UsageError
from citeplug.files.atomic import Change, write_together
from citeplug.files.project_files import as_given
from citeplug.project.author_files import as_tex_path, edits_as_changes, read_exactly
from citeplug.project.files_before import record_change
from citeplug.project.provenance import read_provenance_file
from citeplug.project.targets import targets
from citeplug.records.answer import Answer, AnswerSentence
from citeplug.records.finding import Finding, TextEdit
from citeplug.records.provenance import RecordedSentence
from citeplug.section_file.cite_style import cite_style
from citeplug.settings.environment import Settings
from citeplug.tex.live import live
from citeplug.tex.project import find_root, read_draft
from citeplug.tex.resources import newline
from citeplug.text.cite_key import unfit_for_cite
from citeplug.usecases.cite import Citing, cite_papers
from citeplug.usecases.locks import one_at_a_time
from citeplug.usecases.stores import Announce

_BEGIN = re.compile(r"\\begin\s*\{document\}")
_PLACE = re.compile(r"(?P<file>.+):(?P<line>\d{1,7})")


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a file of the draft, from 1, behind which a sentence is put."""

    file: Path
    line: int


@dataclass(frozen=True, slots=True)
class Inserted:
    """A sentence in the draft: its LaTeX, the keys it cites, and those that are new in the .bib file."""

    tex: str
    keys: tuple[str, ...]
    new_keys: tuple[str, ...]
    files: tuple[Path, ...]
    findings: tuple[Finding, ...]


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
) -> Inserted:
    """Put a sentence of `answer` behind a line of the draft, and the entries of what it cites into its .bib file.

    `bib` names that file where the draft has several. Raises UsageError for a place or a paper that cannot be,
    UnreadableInput, ChangedMeanwhile, WouldOverwrite; then nothing was changed.
    """
    cited = cited_papers(sentence, answer.looked_through)
    root = find_root(place.file)
    draft = read_draft(root)
    folder = draft.root.parent
    if place.file.resolve() not in [(folder / name).resolve() for name in draft.files]:
        raise UsageError(f"{place.file} is not a file of the draft {root}", "name one that the draft reads")
    text, _ = read_exactly(place.file)
    at = _offset(text, place)
    citing = cite_papers(cited, chosen, bib=bib or root, announce=announce)
    keys = _keys(cited, citing)
    tex = draft_tex(sentence, cited, keys, cite_style(draft))
    edit = TextEdit(place.file, at, at, f"{newline(text)}{_indent(text, at)}{tex}")
    where = targets(draft.root, None, None)
    name = as_tex_path(place.file, folder)
    said = recorded(
        sentence, tex, cited, answer.looked_through, file=name, question=answer.question, model=answer.model
    )
    with ExitStack() as locks:
        for path in sorted({draft.root, *([citing.file.path] if citing.file else [])}):
            locks.enter_context(one_at_a_time(chosen.home, path))
        before = read_provenance_file(where.provenance)
        record = replace(before.record, asked=(*_others(before.record.asked, said), said))
        changes = edits_as_changes([edit], folder, lambda file: partial(_need_text, file, text))
        changes += _entry_changes(citing)
        write_together([*changes, record_change(where, record)])
    new = tuple(one.key for one in citing.cited if one.entry is not None and one.key)
    return Inserted(tex, tuple(keys.values()), new, tuple(change.path for change in changes), citing.findings)


def keep_record(root: Path, said: RecordedSentence) -> Callable[[], None]:
    """Record a sentence that an editor puts into the draft; return what takes the record back.

    Raises CannotWrite, UnreadableInput.
    """
    where = targets(root, None, None)
    before = read_provenance_file(where.provenance)
    record = replace(before.record, asked=(*_others(before.record.asked, said), said))
    write_together([record_change(where, record)])
    return lambda: write_together([Change(where.provenance, before.data, within=where.project)])


def _offset(text: str, place: Place) -> int:
    """The end of the line. Raises UsageError for a line that is not there, or that LaTeX does not print."""
    ends = [found.start() for found in re.finditer(r"\r\n|\r|\n|\Z", text)]
    if not 1 <= place.line <= len(ends):
        raise UsageError(f"{place.file} has {len(ends)} lines", "name a line of the file")
    at = ends[place.line - 1]
    begin = _BEGIN.search(live(text))
    printed = live(f"{text[:at]}\nx{text[at:]}")[at + 1] == "x" and (begin is None or begin.end() <= at)
    if not printed:
        raise UsageError(
            f"line {place.line} of {place.file.name} is not followed by text that LaTeX prints",
            "name a line of a paragraph",
        )
    return at


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

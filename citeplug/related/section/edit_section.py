"""Edits of a section that its author asks for: sentences rejected or reworded, paragraphs and plan lines moved.

Each reads the section and its record anew under the project's lock, changes what it names, and writes both or neither:
what an editor saved meanwhile is never overwritten. An entry that a run took out comes back with what cites it. Each
edit can be taken back while what it changed is as it left it.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from citeplug.bib.write.layout import append_entries, ends_within_a_block
from citeplug.bibtex.entries import parse_bib
from citeplug.errors import ChangedMeanwhile, UnreadableInput, UsageError
from citeplug.files.atomic import Change, write_together
from citeplug.project.any_draft import read_any_draft
from citeplug.project.author_files import bytes_or_none, encoded, one_at_a_time, read_exactly
from citeplug.project.find_project import Project
from citeplug.project.merge_bases import read_bases
from citeplug.project.provenance import read_provenance
from citeplug.project.section_targets import generated_files
from citeplug.project.targets import Targets
from citeplug.records.plan import Plan
from citeplug.records.provenance import Happened, Provenance, RecordedSentence, Status, with_events
from citeplug.records.section import HEADER
from citeplug.related.section.accept import Recorded, chosen_sentences, recorded_sentences
from citeplug.related.section.outcome_provenance import is_recorded, plan_digest, with_written
from citeplug.related.section.write_section import statuses_as_changes
from citeplug.section_file import edit
from citeplug.section_file.cite_style import cited_keys
from citeplug.section_file.current import read_current
from citeplug.section_file.grammar import plan_of, read_related
from citeplug.text.scanning import newline_of

_LINE = re.compile(r"([^\s:#]+)#(\d{1,3})")
Name = tuple[str, str]  # of a sentence in the record: its paragraph and its words


@dataclass(frozen=True, slots=True)
class SectionEdit:
    """A change that was made: the section's text before and after it, and the statuses of sentences, both ways."""

    before: str
    after: str
    statuses: Mapping[Name, tuple[Status, Status]]

    @property
    def changed(self) -> bool:
        return self.before != self.after or bool(self.statuses)


def edit_section(project: Project, home: Path, change: Callable[[str], str]) -> SectionEdit:
    """Change the text of the section, one process at a time.

    Raises UnreadableInput if there is none, WouldOverwrite for one with conflict marks or of a newer citeplug,
    ChangedMeanwhile if another program saves it at that moment, and what `change` raises.
    """
    return _edit(project, home, lambda text, record: (change(text), {}))


def move_place(project: Project, home: Path, place: str, by: int) -> SectionEdit:
    """Exchange a paragraph (`p1`) or a plan line (`p1#2`) with the next one (`by` 1) or the one before (-1)."""
    if line := _LINE.fullmatch(place):
        return edit_section(project, home, lambda text: edit.move_line(text, line[1], int(line[2]), by))
    return edit_section(project, home, lambda text: edit.move_paragraph(text, place, by))


def edit_place(
    project: Project, home: Path, place: str, new: str | None = None, *, add: str | None = None, delete: bool = False
) -> SectionEdit:
    """Change one place of the section.

    With `new` the heading of a paragraph (`p1`), a plan line (`p1#2`) or a generated sentence (`p1:2`); with `add` the
    paragraph gets one more plan line, `new` as the place is a paragraph with that heading; with `delete` it goes.
    """
    if line := _LINE.fullmatch(place):
        if add is not None:
            raise UsageError("a line can be added only to a paragraph", "name one, such as p1")
        name, number = line[1], int(line[2])
        if delete:
            return edit_section(project, home, lambda text: edit.delete_line(text, name, number))
        return edit_section(project, home, lambda text: edit.set_line(text, name, number, new or ""))
    if ":" in place:
        return _reword(project, home, place, new)
    if add is not None and place == "new":
        return edit_section(project, home, lambda text: edit.add_paragraph(text, new or "", add))
    if add is not None:
        return edit_section(project, home, lambda text: edit.add_line(text, place, add))
    if delete:
        return edit_section(project, home, lambda text: edit.delete_paragraph(text, place))
    return edit_section(project, home, lambda text: edit.set_heading(text, place, new or ""))


def _reword(project: Project, home: Path, place: str, new: str | None) -> SectionEdit:
    if new is None:
        raise UsageError(
            "a sentence takes no plan line, and cannot be deleted here", f"use 'citeplug section reject {place}'"
        )

    def change(text: str, record: Provenance) -> tuple[str, Mapping[Name, Status]]:
        sentences = [s for s in chosen_sentences([place], recorded_sentences(record, read_related(text))) if s.stands]
        if len(sentences) != 1:
            raise UsageError(f"{place} is not one sentence as it was generated", "change it in your editor")
        return edit.set_sentence(text, sentences[0].paragraph, sentences[0].text, new), {}

    return _edit(project, home, change)


def mark(project: Project, home: Path, name: str, words: str, status: Status, at: int | None = None) -> SectionEdit:
    """Give the sentence of these recorded words another status; a rejected one goes from the section.

    `at` is as in `edit.sentence_place`. Raises UsageError if it is not in the section as it was generated.
    """

    def named(text: str, record: Provenance) -> Recorded | None:
        recorded = recorded_sentences(record, read_related(text))
        return next(
            (
                sentence
                for sentence in recorded
                if (sentence.paragraph, sentence.words) == (name, words) and sentence.stands
            ),
            None,
        )

    def change(text: str, record: Provenance) -> tuple[str, dict[Name, Status]]:
        sentence = named(text, record)
        if sentence is None:
            raise UsageError("this sentence is no longer in the section: it was changed meanwhile")
        after = edit.delete_sentence(text, name, sentence.text, at) if status == "rejected" else text
        if sentence.status == status or (status == "rejected" and named(after, record) is not None):
            return after, {}  # one of two equal sentences went: the other is as it was
        return after, {(name, words): status}

    return _edit(project, home, change)


def reject(project: Project, home: Path, places: Sequence[str]) -> tuple[Recorded, ...]:
    """Take generated sentences out of the section, and record that they are not wanted; return those that went.

    `places` are as for `accept`. A sentence that the author changed is the author's, and stays. Raises UsageError on a
    place that does not exist.
    """
    gone: list[Recorded] = []

    def change(text: str, record: Provenance) -> tuple[str, dict[Name, Status]]:
        sentences = recorded_sentences(record, read_related(text))
        gone[:] = [sentence for sentence in chosen_sentences(places, sentences) if sentence.stands]
        for sentence in gone:
            text = edit.delete_sentence(text, sentence.paragraph, sentence.text)
        return text, {(sentence.paragraph, sentence.words): "rejected" for sentence in gone}

    _edit(project, home, change)
    return tuple(gone)


def restore(project: Project, home: Path, places: Sequence[str]) -> tuple[Recorded, ...]:
    """Put rejected sentences back, each behind the one that it followed; return those that came back."""
    back: list[Recorded] = []

    def change(text: str, record: Provenance) -> tuple[str, dict[Name, Status]]:
        sentences = recorded_sentences(record, read_related(text))
        back[:] = [sentence for sentence in chosen_sentences(places, sentences) if sentence.status == "rejected"]
        for sentence in back:
            of_paragraph = [other for other in sentences if other.paragraph == sentence.paragraph]
            earlier = [other.text for other in of_paragraph[: of_paragraph.index(sentence)]]
            text = edit.put_sentence(text, sentence.paragraph, sentence.text, earlier)
        return text, {(sentence.paragraph, sentence.words): "unreviewed" for sentence in back}

    _edit(project, home, change)
    return tuple(back)


def take_back(project: Project, home: Path, done: SectionEdit) -> SectionEdit:
    """Undo an edit: the text, and the statuses that are still those it gave.

    Raises ChangedMeanwhile if the text is not as the edit left it, or, of an edit of statuses alone, none of these is.
    """

    def change(text: str, record: Provenance) -> tuple[str, Mapping[Name, Status]]:
        if done.before != done.after and text != done.after:
            raise ChangedMeanwhile(
                f"this cannot be undone: {project.where.tex.name} was changed since, by another program",
                "change it back by hand, there or here",
            )
        now = {sentence.name: sentence.status for sentence in record.sentences}
        back = {name: had for name, (had, status) in done.statuses.items() if now.get(name) == status}
        if done.before == done.after and not back:
            raise ChangedMeanwhile(
                "this cannot be undone: the sentence was accepted, rejected or written again since",
                "check its present state",
            )
        return (text if done.before == done.after else done.before), back

    return _edit(project, home, change)


def _edit(
    project: Project, home: Path, change: Callable[[str, Provenance], tuple[str, Mapping[Name, Status]]]
) -> SectionEdit:
    where = project.where
    with one_at_a_time(home, project.root):
        data = bytes_or_none(where.tex)
        if data is None:
            raise UnreadableInput(
                f"there is no section: {where.tex} does not exist", "write one with 'citeplug related MAIN.tex'"
            )
        text, encode = read_exactly(where.tex, project.encoding)
        read_current(text, {}, (), where.tex)  # refuse what no run would change either
        record = read_provenance(where.provenance)
        after, statuses = change(text, record)
        changed_statuses = {e.name: (e.status, statuses[e.name]) for e in record.sentences if e.name in statuses}
        changed = replace(
            record,
            sentences=tuple(
                replace(sentence, status=statuses[sentence.name]) if sentence.name in changed_statuses else sentence
                for sentence in record.sentences
            ),
        )
        changes: list[Change] = []
        more: Iterable[tuple[Happened, RecordedSentence]] = ()
        if after != text:
            changed = _with_plan(changed, project, text, after)
            more = _edits(record, text, after, statuses)
            cites = cited_keys(after) - cited_keys(text)
            changes.append(
                Change(where.tex, encoded(after, where.tex, encode), check=partial(need_same, where.tex, data))
            )
            changes += restored_entries(where, cites, partial(_defined_in_draft, project))
        changed = with_events(changed, record, more)
        if changed != record:
            changes += statuses_as_changes(where, changed, after)
        write_together(changes)
    return SectionEdit(text, after, changed_statuses)


def _edits(
    record: Provenance, before: str, after: str, statuses: Mapping[Name, Status]
) -> Iterator[tuple[Happened, RecordedSentence]]:
    """The sentences that an edit changed or deleted, or that are there again, without those with a new status."""
    then, now = (recorded_sentences(record, read_related(text)) for text in (before, after))
    there = {block.id for block in read_related(after).blocks}
    for sentence, old, new in zip(record.sentences, then, now, strict=True):
        if sentence.name not in statuses and old.stands != new.stands:
            yield "restored" if new.stands else "edited" if new.paragraph in there else "deleted", sentence


def _with_plan(record: Provenance, project: Project, before: str, after: str) -> Provenance:
    """The record, in which paragraphs of other order or number count as written where their plans do."""
    old, new = (plan_of(read_related(text)) or Plan(()) for text in (before, after))
    digest = plan_digest(old)
    same_plans = all(paragraph in old.paragraphs for paragraph in new.paragraphs)
    if not is_recorded(record, project.where.tex, project.where, digest) or not same_plans or old == new:
        return record
    return with_written(record, project.where, {project.where.tex: plan_digest(new)})


def _defined_in_draft(project: Project) -> set[str]:
    where = project.where
    return {entry.key for entry in read_any_draft(project.root, skip=generated_files(where)).entries}


def need_same(path: Path, data: bytes | None) -> None:
    """Raise ChangedMeanwhile if a file does not have this content."""
    if bytes_or_none(path) != data:
        raise ChangedMeanwhile(f"{path} was changed in the meantime, so it was not changed", "do it again")


def restored_entries(where: Targets, cited: Collection[str], elsewhere: Callable[[], Collection[str]]) -> list[Change]:
    """The change of the file that brings back the entries of `cited` keys, as they were last generated; none if all
    are there, or are defined `elsewhere`.

    Raises UnreadableInput.
    """
    if not cited:
        return []
    bases = read_bases(where.project).entries
    before = bytes_or_none(where.bib)
    text, encode = (HEADER, str.encode) if before is None else read_exactly(where.bib)
    there = {entry.key for entry in parse_bib(text, where.bib)}
    lacking = {key for key in cited if key in bases and key not in there}
    lacking -= set(elsewhere()) if lacking else set()
    if not lacking or ends_within_a_block(text):
        return []
    texts = [bases[key][0].text.strip() for key in sorted(lacking)]
    newline = newline_of(text)
    after = append_entries(text, [entry.replace("\n", newline) for entry in texts])
    return [Change(where.bib, encode(after), check=partial(need_same, where.bib, before))]


def drop_entries(bib: Path, before: str, cited: Collection[str]) -> None:
    """Take the entries out of a file that a run added to the text `before`, and that are not `cited`."""
    there = {entry.key for entry in parse_bib(before, bib)}
    text, encode = read_exactly(bib)
    for entry in reversed(parse_bib(text, bib)):
        if entry.key not in there and entry.key not in cited and "*" not in cited:
            after = re.sub(r"\A[ \t]*(?:\r\n|\r|\n){0,2}", "", text[entry.span.end :])
            text = text[: entry.span.start] + after
    bib.write_bytes(encode(text))

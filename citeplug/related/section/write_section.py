"""Writing a section: its text, its entries, the record, and the bases of later merges, all of it or nothing.

The record says for each sentence and entry where it comes from, and, for authors who must disclose it, who wrote the
sentence and when; the bases (`.citeplug/base/`) show a later run what the author has changed since.
"""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path

from citeplug.errors import WouldOverwrite
from citeplug.files.atomic import Change, write_together
from citeplug.files.project_files import names_in, obstacle, read_bytes
from citeplug.project.author_files import copy_kept, edits_as_changes, read_exactly, read_or_none
from citeplug.project.merge_bases import base_changes, prune_bases, prune_entries
from citeplug.project.provenance import read_provenance, remember_record, with_inserted
from citeplug.project.targets import Targets
from citeplug.records.finding import TextEdit
from citeplug.records.outcome import Outcome
from citeplug.records.plan import Plan
from citeplug.records.provenance import UNNAMED, Provenance, with_events
from citeplug.related.section.files_before import (
    Before,
    checked_change,
    encoded_as_before,
    need_unchanged,
    record_change,
    without_equal,
)
from citeplug.related.section.outcome_provenance import (
    entries_digest,
    is_recorded,
    plan_digest,
    provenance_of,
    with_blocks_of,
    with_rejected,
    with_written,
)
from citeplug.section_file.grammar import plan_of, read_related
from citeplug.section_file.provenance_tex import is_tex_record, print_tex_record, tex_record_of


def write_section(outcome: Outcome, where: Targets, edits: Sequence[TextEdit], before: Before) -> tuple[Path, ...]:
    """Write bases, entries, section and record, then the edits to the draft: all of it or nothing.

    Returns the files whose bytes changed.

    A file in which words of the author's are replaced, by `--force` or `--replan`, is copied first. The entries come
    before the section, so that a run killed in the middle leaves no citation undefined. Files that `edits` touch must
    have been `seen` (`with_draft`). Raises ChangedMeanwhile if the author saves one of them at that moment,
    WouldOverwrite if another's file has the name of one of citeplug's.
    """
    for_tex = where.tex_record(outcome.draft)
    if for_tex is not None and not is_tex_record(read_or_none(for_tex) or ""):
        raise WouldOverwrite(f"{for_tex} was not written by citeplug; it was not changed", "choose another name")
    bib = encoded_as_before(outcome.bib_content, where.bib, before)
    tex = encoded_as_before(outcome.tex_content, where.tex, before)
    record = _record_of(outcome, where, edits, before)
    changes = _copies(tex, bib, where, before)
    changes += base_changes(where.project, outcome.bases, outcome.entry_bases)
    changes += [checked_change(where.bib, bib, before), checked_change(where.tex, tex, before)]
    changes.append(record_change(where, record, before))
    if for_tex is not None:
        encoder = before.encoders.get(where.tex, str.encode)
        changes.append(_tex_record_change(for_tex, record, outcome.tex_content, encoder))
    changes += edits_as_changes(edits, where.project, lambda file: partial(need_unchanged, file, before))
    changes = without_equal(changes)
    write_together(changes)
    old = {block.at.recorded or "" for block in before.current.blocks}
    with contextlib.suppress(OSError):  # where a block may lie unseen, its base stays
        prune_bases(where.project, old - {""}, _texts_with_blocks(where, outcome))
    prune_entries(where.project, outcome.entry_bases)
    return tuple(change.path for change in changes)


def write_edits(edits: Sequence[TextEdit], where: Targets) -> None:
    """Make the draft read its section, by the edits of an insertion, and record them; all of it or nothing.

    Raises CannotWrite, UnreadableInput.
    """
    record = with_inserted(read_provenance(where.provenance), edits, where.project)
    write_together([record_change(where, record), *edits_as_changes(edits, where.project)])


def statuses_as_changes(where: Targets, record: Provenance, section: str | None = None) -> list[Change]:
    """The record with other statuses, and the record for the LaTeX package, if that is there.

    `section` is the text that the section will have, None for the one on disk.
    """
    changes = [record_change(where, record)]
    remember_record(changes[0].data or b"", record)  # it was read, and has other statuses
    file = tex_record_of(where.tex)
    text = read_or_none(file)
    if text is not None and is_tex_record(text) and read_or_none(where.tex) is not None:
        on_disk, encoder = read_exactly(where.tex)
        changes.append(_tex_record_change(file, record, on_disk if section is None else section, encoder))
    return without_equal(changes)


def _record_of(outcome: Outcome, where: Targets, edits: Sequence[TextEdit], before: Before) -> Provenance:
    """The record of the outcome; what `before` has of other files and of earlier insertions stays in it."""
    plan = plan_of(read_related(outcome.tex_content)) or Plan(())
    record = provenance_of(outcome)
    record = replace(
        record,
        blocks=before.record.blocks,
        deleted=before.record.deleted,
        written=before.record.written,
        inserted=before.record.inserted,
        asked=before.record.asked,
        debates=record.debates or before.record.debates,
        ledger=before.record.ledger,
        table=before.record.table,
    )
    record = with_rejected(record, before.record, outcome.tex_content)
    record = with_blocks_of(record, where.name_of(where.tex), outcome, before.current.gone)
    record = with_written(record, where, {where.tex: plan_digest(plan), where.bib: entries_digest(outcome.bib_content)})
    record = credited(record, before.record, outcome.model, date.today())
    record = with_events(record, before.record)
    return with_inserted(record, edits, where.project)


def _copies(tex: bytes, bib: bytes, where: Targets, before: Before) -> list[Change]:
    """Copies of the files in which `tex` and `bib` replace words of the author's."""
    copies = []
    if before.current.overwrites and before.seen[where.tex] not in (None, tex):
        copies.append(copy_kept(where.tex))
    if before.shelf.force and before.seen[where.bib] not in (None, bib) and _is_changed_bib(before, where):
        copies.append(copy_kept(where.bib))
    return copies


def _is_changed_bib(before: Before, where: Targets) -> bool:
    return not is_recorded(before.record, where.bib, where, entries_digest(before.shelf.text or ""))


def _tex_record_change(file: Path, record: Provenance, section: str, encoder: Callable[[str], bytes]) -> Change:
    # In the section's own encoding, since TeX compares the two; a key may have a letter that the section has not.
    text = print_tex_record(record, section)
    try:
        data = encoder(text)
    except UnicodeEncodeError:
        data = text.encode()
    return Change(file, data)


def _texts_with_blocks(where: Targets, outcome: Outcome) -> Iterator[str]:
    """Texts of the project that may have blocks: what was copied elsewhere still needs its base.

    Raises OSError if one cannot be read, or if there are too many.
    """
    folders = {where.project, where.tex.parent}
    files = {folder / name for folder in folders for name in names_in(folder) if name.endswith(".tex")}
    files |= {outcome.draft.root.parent / name for name in outcome.draft.files}
    for file in sorted(files):
        if obstacle(file) is None and file.exists():
            yield read_bytes(file).decode("utf-8", "replace").lower()


def credited(record: Provenance, before: Provenance, model: str | None, today: date) -> Provenance:
    """The record with a date, `made_on`, and the name of the `model` for each sentence that is `by` one.

    A sentence that was in the record `before` keeps its writer: a run leaves alone what is current. The date stays
    too, unless the section changes.
    """
    known = {sentence.name[1]: sentence.by for sentence in before.sentences}
    sentences = tuple(
        replace(sentence, by=known.get(sentence.name[1]) or (model or UNNAMED if sentence.by else None))
        for sentence in record.sentences
    )
    new = replace(record, sentences=sentences)
    unchanged = before.made_on is not None and _section_of(new) == _section_of(before)
    return replace(new, made_on=before.made_on if unchanged else today.isoformat())


def _section_of(record: Provenance) -> Provenance:
    return replace(record, made_on=None, inserted=())

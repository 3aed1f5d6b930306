"""Two sides' records of how a section was made (`.citeplug/provenance.json`) made one."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from citeplug.project.provenance import one_side
from citeplug.records.provenance import Provenance, RecordedBlock
from citeplug.section_file.grammar import read_related

_Part = TypeVar("_Part")


def reunite_records(theirs: Provenance, ours: Provenance, *, before: str, after: str, section: str) -> Provenance:
    """The record of theirs, with what only ours has, and what either accepted or deleted.

    `before` and `after` are the text of the section's file, named `section`, in the common past and after the merge.
    The inputs are forgotten, so that a run follows that makes the section current.
    """
    record = one_side([theirs, ours])
    settled = _settled(before, after)
    blocks = _joined_by_file(theirs.blocks, ours.blocks)
    return replace(
        record,
        sentences=_joined(record.sentences, ours.sentences, lambda each: (each.paragraph, each.text)),
        entries=_joined(record.entries, ours.entries, lambda each: each.key),
        inserted=_joined(record.inserted, ours.inserted, lambda each: each),
        asked=_joined(record.asked, ours.asked, lambda each: (each.tex, each.others.get("file"))),
        blocks={
            name: tuple(each for each in there if name != section or settled(each.hash))
            for name, there in blocks.items()
        },
        deleted=_joined_by_file(theirs.deleted, ours.deleted),
        inputs={},
    )


def _settled(before: str, after: str) -> Callable[[str], bool]:
    """True if a block of this hash is there, or was deleted by somebody; what both made anew was not."""
    blocks = read_related(after).blocks
    there = {block.recorded for block in blocks}
    names = {block.id for block in blocks}
    deleted = {block.recorded for block in read_related(before).blocks if block.id not in names}
    return lambda sha: sha in there or sha in deleted


def _joined_by_file(
    one: Mapping[str, tuple[RecordedBlock, ...]], other: Mapping[str, tuple[RecordedBlock, ...]]
) -> dict[str, tuple[RecordedBlock, ...]]:
    names = dict.fromkeys([*one, *other])
    return {name: _joined(one.get(name, ()), other.get(name, ()), lambda each: each.hash) for name in names}


def _joined(one: Iterable[_Part], other: Iterable[_Part], name: Callable[[_Part], Any]) -> tuple[_Part, ...]:
    known = {name(each) for each in one}
    return (*one, *(each for each in other if name(each) not in known))

"""Two sides' records of how a section was made (`.citeplug/provenance.json`) made one."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from citeplug.project.provenance import read_record
from citeplug.section_file.grammar import read_related

# What tells two of a kind apart.
_NAMES = {"sentences": ("paragraph", "text"), "entries": ("key",), "inserted": ("file", "text")}


def reunite_records(
    theirs: Mapping[str, Any], ours: Mapping[str, Any], *, before: str, after: str, section: str
) -> dict[str, Any]:
    """The record of theirs, with what only ours has, and what either accepted or deleted.

    `before` and `after` are the text of the section's file, named `section`, in the common past and after the merge.
    The inputs are forgotten, so that a run follows that makes the section current.
    """
    sides = [dict(theirs), dict(ours)]
    record = read_record(f"<<<<<<<\n{json.dumps(sides[0])}\n=======\n{json.dumps(sides[1])}\n>>>>>>>\n")
    for kind, names in _NAMES.items():
        record[kind] = _joined(_dicts(record.get(kind)), _dicts(ours.get(kind)), names)
    settled = _settled(before, after)
    for kind in ("blocks", "deleted"):
        by_file: dict[str, list[dict[str, Any]]] = {}
        for side in sides:
            found = side.get(kind)
            for name, blocks in found.items() if isinstance(found, dict) else ():
                by_file[name] = _joined(by_file.get(name, []), _dicts(blocks), ("hash",))
        if kind == "blocks" and section in by_file:
            by_file[section] = [each for each in by_file[section] if settled(each.get("hash"))]
        record[kind] = by_file
    return record | {"inputs": {}}


def _settled(before: str, after: str) -> Callable[[Any], bool]:
    """True if a block of this hash is there, or was deleted by somebody; what both made anew was not."""
    blocks = read_related(after).blocks
    there = {block.recorded for block in blocks}
    names = {block.id for block in blocks}
    deleted = {block.recorded for block in read_related(before).blocks if block.id not in names}
    return lambda sha: sha in there or sha in deleted


def _joined(one: list[dict[str, Any]], other: list[dict[str, Any]], names: tuple[str, ...]) -> list[dict[str, Any]]:
    known = [[each.get(name) for name in names] for each in one]
    return [*one, *(each for each in other if [each.get(name) for name in names] not in known)]


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []

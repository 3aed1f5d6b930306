"""Reader and writer of `.citeplug/provenance.json`.

The file came with the project, and may be damaged or in conflict: nothing of the author's depends on it.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass, replace
from pathlib import Path
from typing import Any

import orjson

from citeplug.files.project_files import leads_inside
from citeplug.project.author_files import as_tex_path, bytes_or_none
from citeplug.records.finding import TextEdit
from citeplug.records.from_json import record_from
from citeplug.records.provenance import (
    NOTHING_RECORDED,
    InsertedText,
    Provenance,
    RecordedBlock,
    RecordedSentence,
    Status,
)
from citeplug.section_file.grammar import read_related
from citeplug.text.cleaning import collapsed

PROVENANCE = Path(".citeplug") / "provenance.json"
_LATER_FIELDS = ("tex", "digest")  # which the first records lack
_READ: dict[bytes, Provenance] = {}  # the last ones, by the bytes of their files
_MOST_READ = 4
_SURROGATE = re.compile(r"\\u[dD]")
_OURS = re.compile(r"^<{7}[^\n]*\n(.*?)^={7}[^\n]*\n.*?^>{7}[^\n]*(?:\n|\Z)", re.MULTILINE | re.DOTALL)
_THEIRS = re.compile(r"^<{7}[^\n]*\n.*?^={7}[^\n]*\n(.*?)^>{7}[^\n]*(?:\n|\Z)", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class ProvenanceFile:
    """The file as it was read: its bytes, None if there is none, and the record in them."""

    data: bytes | None
    record: Provenance


def read_provenance_file(path: Path) -> ProvenanceFile:
    """Read the file. Raises UnreadableInput if it is there and cannot be read: it says what the author accepted."""
    data = bytes_or_none(path)
    return ProvenanceFile(data, NOTHING_RECORDED if data is None else _record_in(data))


def read_provenance(path: Path) -> Provenance:
    """The record of the last run. Raises UnreadableInput as `read_provenance_file` does."""
    return read_provenance_file(path).record


def _record_in(data: bytes) -> Provenance:
    record = _READ.get(data)
    return record or remember_record(data, parse_provenance(data.decode("utf-8-sig", "replace")))


def remember_record(data: bytes, record: Provenance) -> Provenance:
    """The record, which is not parsed again when a file has these bytes: one view of a section asks several times."""
    _READ[data] = record
    for old in list(_READ)[:-_MOST_READ]:
        _READ.pop(old, None)
    return record


def parse_provenance(text: str | None) -> Provenance:
    """The record in the text of the file; `NOTHING_RECORDED` without a text, or if it is damaged.

    Damaged parts are left out. Of a text with the marks of an unfinished merge one side is taken, as in `one_side`.
    """
    if not text:
        return NOTHING_RECORDED
    text = text.replace("\r\n", "\n")
    sides = [text] if "<<<<<<<" not in text else [_OURS.sub(r"\1", text), _THEIRS.sub(r"\1", text)]
    return one_side([_parsed(side) for side in sides])


def one_side(sides: Sequence[Provenance]) -> Provenance:
    """The first of `sides` that records anything, with what any of them accepts or rejects; a rejection prevails."""
    record = next((side for side in sides if side != NOTHING_RECORDED), NOTHING_RECORDED)
    reviewed = reviewed_names(sides)
    sentences = [
        replace(sentence, status=reviewed.get(sentence.name, sentence.status)) for sentence in record.sentences
    ]
    known = {sentence.name for sentence in sentences}
    others = {sentence.name: sentence for side in sides for sentence in side.sentences if sentence.status == "rejected"}
    sentences += [sentence for name, sentence in others.items() if name not in known]
    history = sorted({event for side in sides for event in side.history}, key=lambda event: event.when)
    return replace(record, sentences=tuple(sentences), history=tuple(history) if len(sides) > 1 else record.history)


def reviewed_names(records: Iterable[Provenance]) -> dict[tuple[str, str], Status]:
    """The names of all sentences that are accepted or rejected in a record; a rejection prevails."""
    statuses: dict[tuple[str, str], Status] = {}
    for sentence in (sentence for record in records for sentence in record.sentences):
        if sentence.status == "rejected" or (sentence.status == "accepted" and sentence.name not in statuses):
            statuses[sentence.name] = sentence.status
    return statuses


def rejected_sentences(record: Provenance, section: str) -> list[RecordedSentence]:
    """The sentences that the author rejected; one that is in the text of the section again was put back."""
    words = collapsed(section)
    return [
        sentence
        for sentence in record.sentences
        if sentence.status == "rejected" and not (sentence.tex and collapsed(sentence.tex) in words)
    ]


def print_provenance(record: Provenance) -> bytes:
    """The content of the file. What an older citeplug did not record is left out again."""
    printed = _printed(record)
    # Of a plan alone no section was made yet: an empty list would be one of a section without sentences.
    made = record.citeplug is not None
    later = {"inserted", "asked", "history", "debates", "queries", "ledger", "table"}
    optional = later if made else printed.keys() - {"inputs"}
    empty = [name for name, value in printed.items() if value is None or (not value and name in optional)]
    return _as_json({name: value for name, value in printed.items() if name not in {*empty} - {*record.others}}) + b"\n"


def recorded_blocks(record: Provenance, name: str, text: str = "") -> list[RecordedBlock]:
    """The blocks that earlier runs left in the file `name`, or knew to be deleted from it.

    If its `text` has a block of citeplug's that the record does not know, a run was killed before it wrote the record,
    and replaced blocks that the author did not delete: then only those that were known to be deleted.
    """
    there, deleted = record.blocks.get(name, ()), record.deleted.get(name, ())
    known = {recorded.hash for recorded in (*there, *deleted)}
    cut = any(
        block.recorded not in known and block.text.strip() and not block.edited and not block.keep
        for block in read_related(text).blocks
    )
    return list(deleted) if cut else [*there, *deleted]


def with_blocks(
    record: Provenance, name: str, there: Iterable[RecordedBlock], deleted: Iterable[RecordedBlock]
) -> Provenance:
    """The record with the blocks that are in the file `name` now, and those that the author deleted from it."""
    return replace(
        record,
        blocks={**record.blocks, name: tuple(there)},
        deleted={**record.deleted, name: tuple(deleted)},
    )


def with_inserted(record: Provenance, edits: Iterable[TextEdit], folder: Path) -> Provenance:
    """The record with the texts that `edits` put into the draft, for their removal; `folder` is the project's."""
    new = tuple(InsertedText(as_tex_path(edit.file, folder), edit.new_text) for edit in edits)
    return replace(record, inserted=(*(text for text in record.inserted if text not in new), *new))


def inserted_texts(record: Provenance, folder: Path) -> list[tuple[Path, str]]:
    """The texts that were put into the draft, by file; none in a file outside the project's `folder`."""
    texts = ((folder / inserted.file, inserted.text) for inserted in record.inserted)
    return [(file, text) for file, text in texts if leads_inside(file, folder)]


def _parsed(text: str) -> Provenance:
    try:
        document = json.loads(text)
        if _SURROGATE.search(text):  # half of a pair is no text, and no page can show it
            document = json.loads(json.dumps(document, ensure_ascii=False).encode("utf-8", "replace"))
        return record_from(Provenance, document, lenient=True)
    except (ValueError, RecursionError):
        return NOTHING_RECORDED


def _printed(value: Any) -> Any:
    """What JSON has of a value; the `others` of a record are among its own fields again."""
    if isinstance(value, tuple):
        return [_printed(item) for item in value]
    if not is_dataclass(value):
        return value
    printed = {name: _printed(getattr(value, name)) for name in value.__dataclass_fields__}
    others = printed.pop("others", {})
    return {name: x for name, x in printed.items() if x is not None or name not in _LATER_FIELDS} | others


def _as_json(fields: Mapping[str, Any]) -> bytes:
    """The text of a JSON object, indented by one space. The standard library takes 50 ms for 200 sentences."""
    try:
        data = orjson.dumps(fields, option=orjson.OPT_INDENT_2)
    except TypeError:  # lone surrogates, and whole numbers of more than 64 bits
        return json.dumps(fields, ensure_ascii=False, indent=1, default=asdict).encode("utf-8", "replace")
    depth = 1  # no text has a line feed: what stands behind one is indentation
    while (indent := b"\n" + b" " * (depth + 1)) in data:
        data = data.replace(indent, indent[:-1])
        depth += 1
    return data

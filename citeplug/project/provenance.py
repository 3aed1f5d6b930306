"""Reader and writer of `.citeplug/provenance.json`.

The file came with the project, and may be damaged or in conflict: nothing of the author's depends on it.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, get_args

import orjson

from citeplug.files.project_files import leads_inside
from citeplug.project.author_files import as_tex_path, bytes_or_none
from citeplug.records.finding import TextEdit
from citeplug.records.provenance import (
    BY_MODEL,
    NOTHING_RECORDED,
    UNNAMED,
    Event,
    Happened,
    InsertedText,
    Provenance,
    RecordedBlock,
    RecordedEntry,
    RecordedSentence,
    RecordedSource,
    Status,
)
from citeplug.records.section import Judgement, SourceText, Verdict
from citeplug.section_file.grammar import read_related
from citeplug.text.cleaning import collapsed

PROVENANCE = Path(".citeplug") / "provenance.json"
_TEXTS: tuple[SourceText, ...] = get_args(SourceText)
_VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
_STATUSES: tuple[Status, ...] = get_args(Status)
_HAPPENED: tuple[Happened, ...] = get_args(Happened)
_NAMES: Mapping[type, Sequence[str]] = {
    kind: [each.name for each in fields(kind)] for kind in (Provenance, RecordedSentence, RecordedSource, RecordedEntry)
}
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
    found = next((side for side in sides if side != NOTHING_RECORDED), NOTHING_RECORDED)
    reviewed = reviewed_names(sides)
    sentences = [replace(each, status=reviewed.get(each.name, each.status)) for each in found.sentences]
    known = {each.name for each in sentences}
    others = {each.name: each for side in sides for each in side.sentences if each.status == "rejected"}
    sentences += [each for name, each in others.items() if name not in known]
    history = sorted({event for side in sides for event in side.history}, key=lambda event: event.when)
    return replace(found, sentences=tuple(sentences), history=tuple(history) if len(sides) > 1 else found.history)


def reviewed_names(records: Iterable[Provenance]) -> dict[tuple[str, str], Status]:
    """The names of all sentences that are accepted or rejected in a record; a rejection prevails."""
    found: dict[tuple[str, str], Status] = {}
    for each in (sentence for record in records for sentence in record.sentences):
        if each.status == "rejected" or (each.status == "accepted" and found.get(each.name) != "rejected"):
            found[each.name] = each.status
    return found


def rejected_sentences(record: Provenance, section: str) -> list[RecordedSentence]:
    """The sentences that the author rejected; one that is in the text of the section again was put back."""
    there = collapsed(section)
    return [
        each
        for each in record.sentences
        if each.status == "rejected" and not (each.tex and collapsed(each.tex) in there)
    ]


def print_provenance(record: Provenance) -> bytes:
    """The content of the file. What an older citeplug did not record is left out again."""
    said = _fields_of(record)
    for name in ("sentences", "asked"):
        said[name] = [_printed_sentence(each) for each in said[name]]
    said["entries"] = [_printed_entry(each) for each in record.entries]
    # Of a plan alone no section was made yet: an empty list would be one of a section without sentences.
    optional = {"inserted", "asked", "history"} if record.citeplug is not None else said.keys() - {"inputs", "others"}
    kept = {name: value for name, value in said.items() if value is not None and (value or name not in optional)}
    return _as_json(_spliced(kept)) + b"\n"


def recorded_blocks(record: Provenance, name: str, text: str = "") -> list[RecordedBlock]:
    """The blocks that earlier runs left in the file `name`, or knew to be deleted from it.

    If its `text` has a block of citeplug's that the record does not know, a run was killed before it wrote the record,
    and replaced blocks that the author did not delete: then only those that were known to be deleted.
    """
    there, deleted = record.blocks.get(name, ()), record.deleted.get(name, ())
    known = {each.hash for each in (*there, *deleted)}
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
    return replace(record, inserted=(*(each for each in record.inserted if each not in new), *new))


def inserted_texts(record: Provenance, folder: Path) -> list[tuple[Path, str]]:
    """The texts that were put into the draft, by file; none in a file outside the project's `folder`."""
    texts = ((folder / each.file, each.text) for each in record.inserted)
    return [(file, text) for file, text in texts if leads_inside(file, folder)]


def _parsed(text: str) -> Provenance:
    try:
        found = json.loads(text)
        if _SURROGATE.search(text):  # half of a pair is no text, and no page can show it
            found = json.loads(json.dumps(found, ensure_ascii=False).encode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return NOTHING_RECORDED
    if not isinstance(found, dict):
        return NOTHING_RECORDED
    made_by = _text_or_none(found.get("made_by"))
    # Older records say for the whole section alone that a model wrote it.
    writer = UNNAMED if made_by == BY_MODEL else None
    inputs = found.get("inputs")
    return Provenance(
        citeplug=_text_or_none(found.get("citeplug")),
        format=_whole(found.get("format")),
        made_by=made_by,
        inputs=_texts_by_name(inputs) if isinstance(inputs, dict) else None,
        options=_dict(found.get("options")),
        deep=_dict(deep) if (deep := found.get("deep")) else None,
        dense=_text_or_none(found.get("dense")),
        quotes_from=_texts_by_name(found.get("quotes_from")),
        sentences=tuple(_sentence(each, writer) for each in _dicts(found.get("sentences"))),
        entries=tuple(map(_entry, _dicts(found.get("entries")))),
        blocks=_blocks(found.get("blocks")),
        deleted=_blocks(found.get("deleted")),
        written=_texts_by_name(found.get("written")),
        made_on=_text_or_none(found.get("made_on")),
        inserted=tuple(
            InsertedText(each["file"], each["text"])
            for each in _dicts(found.get("inserted"))
            if isinstance(each.get("file"), str) and isinstance(each.get("text"), str)
        ),
        asked=tuple(_sentence(each, None) for each in _dicts(found.get("asked"))),
        history=tuple(filter(None, map(_event, _dicts(found.get("history"))))),
        others=_others(found, Provenance),
    )


def _event(said: Mapping[str, Any]) -> Event | None:
    what = next((name for name in _HAPPENED if name == said.get("what")), None)
    if what is None:
        return None
    when, paragraph, words = (_text(said.get(name)) for name in ("when", "paragraph", "words"))
    return Event(when, what, paragraph, words, _text_or_none(said.get("by")))


def _sentence(said: Mapping[str, Any], writer: str | None) -> RecordedSentence:
    return RecordedSentence(
        paragraph=_text(said.get("paragraph")),
        text=_text(said.get("text")),
        tex=_text_or_none(said.get("tex")),
        kind=_text(said.get("kind")),
        cites=tuple(map(str, _list(said.get("cites")))),
        sources=tuple(map(_source, _dicts(said.get("sources")))),
        attribution=None if said.get("attribution", 0) is None else _number(said.get("attribution")),
        status=next((name for name in _STATUSES if name == said.get("status")), "unreviewed"),
        by=_text_or_none(said.get("by", writer)),
        judgement=_judgement(said.get("judgement")),
        others=_others(said, RecordedSentence),
    )


def _judgement(said: Any) -> Judgement | None:
    if not isinstance(said, dict):
        return None
    return Judgement(
        next((name for name in _VERDICTS if name == said.get("verdict")), None),
        _text(said.get("unsupported")),
        _text_or_none(said.get("by")),
        _text(said.get("suspicion")),
    )


def _source(said: Mapping[str, Any]) -> RecordedSource:
    return RecordedSource(
        arxiv_id=_text_or_none(said.get("arxiv_id")),
        version=_whole(said.get("version")),
        start=_whole(said.get("start")),
        end=_whole(said.get("end")),
        quote=_text(said.get("quote")),
        of=next((name for name in _TEXTS if name == said.get("of")), "abstract"),
        section=_text_or_none(said.get("section")),
        page=_whole(said.get("page")),
        newer=_whole(said.get("newer")),
        others=_others(said, RecordedSource),
    )


def _entry(said: Mapping[str, Any]) -> RecordedEntry:
    return RecordedEntry(
        key=_text(said.get("key")),
        arxiv_id=_text_or_none(said.get("arxiv_id")),
        origin=_text_or_none(said.get("origin")),
        verdict=_text(said.get("verdict")),
        checked_against=_text_or_none(said.get("checked_against")),
        evidence=tuple(_dicts(said.get("evidence"))),
        digest=_text_or_none(said.get("digest")),
        others=_others(said, RecordedEntry),
    )


def _blocks(value: Any) -> dict[str, tuple[RecordedBlock, ...]]:
    return {
        name: tuple(
            RecordedBlock(_text(each.get("hash")), _text(each.get("heading")), tuple(map(str, each["papers"])))
            for each in _dicts(said)
            if isinstance(each.get("papers"), list)
        )
        for name, said in _dict(value).items()
    }


def _others(said: Mapping[str, Any], kind: type) -> dict[str, Any]:
    known = _NAMES[kind]
    return {name: value for name, value in said.items() if name not in known or name == "others"}


def _fields_of(record: Any) -> dict[str, Any]:
    return {name: getattr(record, name) for name in _NAMES[type(record)]}


def _printed_sentence(sentence: RecordedSentence) -> dict[str, Any]:
    said = _spliced(_fields_of(sentence))
    said["sources"] = [_spliced(_fields_of(source)) for source in sentence.sources]
    if sentence.tex is None:
        del said["tex"]
    return said


def _printed_entry(entry: RecordedEntry) -> dict[str, Any]:
    said = _spliced(_fields_of(entry))
    if entry.digest is None:
        del said["digest"]
    return said


def _as_json(said: Mapping[str, Any]) -> bytes:
    """The text of a JSON object, indented by one space. The standard library takes 50 ms for 200 sentences."""
    try:
        data = orjson.dumps(said, option=orjson.OPT_INDENT_2)
    except TypeError:  # lone surrogates, and whole numbers of more than 64 bits
        return json.dumps(said, ensure_ascii=False, indent=1, default=asdict).encode("utf-8", "replace")
    depth = 1  # no text has a line feed: what stands behind one is indentation
    while (indent := b"\n" + b" " * (depth + 1)) in data:
        data = data.replace(indent, indent[:-1])
        depth += 1
    return data


def _spliced(said: Mapping[str, Any]) -> dict[str, Any]:
    """A record with its `others` among its own fields."""
    return {**{name: value for name, value in said.items() if name != "others"}, **said["others"]}


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [each for each in _list(value) if isinstance(each, dict)]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _text_or_none(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _texts_by_name(value: Any) -> dict[str, str]:
    return {name: str(each) for name, each in _dict(value).items()}


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) else None


def _number(value: Any) -> float:
    try:
        return float(value) if isinstance(value, int | float) else 0.0
    except OverflowError:
        return 0.0

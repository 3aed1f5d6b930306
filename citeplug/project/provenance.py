"""`.citeplug/provenance.json`: where each sentence and entry comes from, and what was written.

The record came with the project, and may be damaged or in conflict: nothing of the author's depends on it.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Literal

from citeplug import __version__
from citeplug.files.project_files import leads_inside
from citeplug.pipeline.input_digests import digests_of
from citeplug.project.author_files import as_tex_path
from citeplug.project.disclosure import UNNAMED
from citeplug.records.finding import TextEdit
from citeplug.records.outcome import Outcome
from citeplug.records.paper import Paper
from citeplug.records.section import Sentence
from citeplug.section_file.cite_style import cite_style
from citeplug.section_file.current import Gone, papers_of
from citeplug.section_file.grammar import read_related
from citeplug.section_file.merge import hash_of
from citeplug.section_file.print_sentence import print_sentence
from citeplug.settings.choices import as_plain

PROVENANCE = Path(".citeplug") / "provenance.json"
_OURS = re.compile(r"^<{7}[^\n]*\n(.*?)^={7}[^\n]*\n.*?^>{7}[^\n]*(?:\n|\Z)", re.MULTILINE | re.DOTALL)
_THEIRS = re.compile(r"^<{7}[^\n]*\n.*?^={7}[^\n]*\n(.*?)^>{7}[^\n]*(?:\n|\Z)", re.MULTILINE | re.DOTALL)


def read_record(text: str | None) -> dict[str, Any]:
    """What the last run recorded; empty if nothing did, or if the record is damaged.

    Of a record with the marks of an unfinished merge one side is taken, and what was accepted on either.
    """
    if not text:
        return {}
    text = text.replace("\r\n", "\n")
    sides = [text] if "<<<<<<<" not in text else [_OURS.sub(r"\1", text), _THEIRS.sub(r"\1", text)]
    found = [side for side in map(_parsed, sides) if side]
    if not found:
        return {}
    accepted = {name for side in found for name in _accepted(side)}
    record = found[0]
    for sentence in _dicts(record.get("sentences")):
        if _name(sentence) in accepted:
            sentence["status"] = "accepted"
    return record


def _parsed(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def with_statuses(outcome: Outcome, record: Mapping[str, Any]) -> Outcome:
    """The outcome with the sentences accepted that the record says the author accepted, word for word."""
    accepted = _accepted(record)

    def judged(paragraph: str, sentence: Sentence) -> Sentence:
        known = (paragraph, _flat(sentence.text)) in accepted
        status: Literal["accepted", "unreviewed"] = "accepted" if known else "unreviewed"
        return replace(sentence, status=status)

    paragraphs = tuple(
        replace(p, sentences=tuple(judged(p.id, sentence) for sentence in p.sentences))
        for p in outcome.section.paragraphs
    )
    return replace(outcome, section=replace(outcome.section, paragraphs=paragraphs))


def _accepted(record: Mapping[str, Any]) -> set[tuple[str, str]]:
    return {_name(each) for each in _dicts(record.get("sentences")) if each.get("status") == "accepted"}


def _name(sentence: Mapping[str, Any]) -> tuple[str, str]:
    return str(sentence.get("paragraph")), _flat(str(sentence.get("text")))


def recorded_blocks(record: Mapping[str, Any], name: str, text: str = "") -> list[Gone]:
    """The blocks that earlier runs left in the file `name`, or knew to be deleted from it.

    Where its `text` has a block of citeplug's that the record does not know, a run was killed before it wrote the
    record, and replaced blocks that the author did not delete: then only those that were known to be deleted.
    """
    there, deleted = (_recorded(record, kind, name) for kind in ("blocks", "deleted"))
    known = {each.hash for each in (*there, *deleted)}
    cut = any(
        block.recorded not in known and block.text.strip() and not block.edited and not block.keep
        for block in read_related(text).blocks
    )
    return deleted if cut else [*there, *deleted]


def _recorded(record: Mapping[str, Any], kind: str, name: str) -> list[Gone]:
    return [
        Gone(str(each.get("hash")), str(each.get("heading", "")), tuple(map(str, papers)))
        for each in _dicts(_by_file(record, kind).get(name))
        if isinstance(papers := each.get("papers"), list)
    ]


def blocks_of(record: Mapping[str, Any], name: str, outcome: Outcome, gone: Iterable[Gone]) -> dict[str, Any]:
    """What `recorded_blocks` needs in the next run; what is known of other files stays."""
    bases = {hash_of(base): base for base in outcome.bases}
    there = [
        Gone(block.recorded, bases[block.recorded].plan.heading, papers_of(bases[block.recorded]))
        for block in read_related(outcome.tex_content).blocks
        if block.recorded in bases
    ]
    return recorded_again(record, name, there, gone)


def recorded_again(record: Mapping[str, Any], name: str, there: Iterable[Gone], gone: Iterable[Gone]) -> dict[str, Any]:
    """The part of the record that `recorded_blocks` reads, for a file with these blocks `there`, and these `gone`."""
    return {
        "blocks": {**_by_file(record, "blocks"), name: [asdict(each) for each in there]},
        "deleted": {**_by_file(record, "deleted"), name: [asdict(each) for each in gone]},
    }


def with_inserted(record: Mapping[str, Any], edits: Iterable[TextEdit], folder: Path) -> dict[str, Any]:
    """The record with what `edits` put into the draft, so that it can be taken back; `folder` is the project's."""
    new = [{"file": as_tex_path(edit.file, folder), "text": edit.new_text} for edit in edits]
    known = [each for each in _dicts(record.get("inserted")) if each not in new]
    return {**record, **({"inserted": [*known, *new]} if known or new else {})}


def inserted(record: Mapping[str, Any], folder: Path) -> list[tuple[Path, str]]:
    """The files that were written to, inside the project's `folder`, and the texts that were put there."""
    found = [(each.get("file"), each.get("text")) for each in _dicts(record.get("inserted"))]
    texts = [(folder / file, text) for file, text in found if isinstance(file, str) and isinstance(text, str)]
    return [(file, text) for file, text in texts if leads_inside(file, folder)]


def _by_file(record: Mapping[str, Any], kind: str) -> dict[str, Any]:
    found = record.get(kind)
    return found if isinstance(found, dict) else {}


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _flat(text: str) -> str:
    return " ".join(text.split())


def _quoted_from(paper: Paper) -> str:
    if not paper.id.on_arxiv:
        return "the abstract in the author's library"
    return "a summary, not arXiv's abstract" if paper.abstract_kind == "summary" else "arXiv's abstract"


def provenance_of(outcome: Outcome) -> dict[str, Any]:
    """Per sentence the cited ids and versions, the span, the quote and the score; per entry the evidence.

    Also what the section was made from: digests of the draft's parts (`citeplug.pipeline.input_digests`), the
    options, and by what.
    """
    style = cite_style(outcome.draft)
    return {
        "citeplug": __version__,
        "format": 1,
        "made_by": "language model" if any(stage.name == "prose" for stage in outcome.stages) else "extractive",
        "inputs": digests_of(outcome.draft),
        "options": {
            name: as_plain(value)
            for name, value in asdict(outcome.options).items()
            if name not in ("plan_text", "replan", "plan")  # they hold for one run, or stand in the document
        },
        "quotes_from": {value: _quoted_from(paper) for value, paper in sorted(outcome.papers.items())},
        "sentences": [
            {
                "paragraph": paragraph.id,
                "text": sentence.text,
                "tex": print_sentence(sentence, outcome.keys, style, outcome.papers)[-1],
                "kind": sentence.kind,
                "cites": list(sentence.cites),
                "sources": [
                    {"arxiv_id": s.arxiv_id, "version": s.version, "start": s.start, "end": s.end, "quote": s.text}
                    for s in sentence.sources
                ],
                "attribution": round(sentence.attribution, 4),
                "status": sentence.status,
                "by": UNNAMED if sentence.by_model else None,
            }
            for paragraph in outcome.section.paragraphs
            for sentence in paragraph.sentences
        ],
        "entries": [
            {
                "key": entry.check.key,
                "arxiv_id": entry.check.arxiv_id,
                "origin": entry.origin,
                "verdict": entry.check.verdict,
                "checked_against": entry.check.checked_against,
                "evidence": [
                    {"field": e.field, "given": e.given, "found": e.found, "verdict": e.verdict}
                    for e in entry.check.fields
                ],
            }
            for entry in outcome.entries
        ],
    }

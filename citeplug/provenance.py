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
from citeplug.credits import UNNAMED
from citeplug.inputs import digests_of
from citeplug.records.choices import as_plain
from citeplug.records.outcome import Outcome
from citeplug.records.paper import Paper
from citeplug.records.review import Sentence
from citeplug.standing import Gone, papers_of
from citeplug.tex.cite_style import cite_style
from citeplug.tex.edits import read_related
from citeplug.tex.merge import hash_of
from citeplug.tex.sentences import print_sentence

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


def recorded_blocks(record: Mapping[str, Any], name: str) -> list[Gone]:
    """The blocks that earlier runs left in the file `name`, or knew to be deleted from it."""
    found = []
    for kind in ("blocks", "deleted"):
        by_file = record.get(kind)
        for each in _dicts(by_file.get(name) if isinstance(by_file, dict) else None):
            papers = each.get("papers")
            if isinstance(papers, list):
                found.append(Gone(str(each.get("hash")), str(each.get("heading", "")), tuple(map(str, papers))))
    return found


def blocks_of(record: Mapping[str, Any], name: str, outcome: Outcome, gone: Iterable[Gone]) -> dict[str, Any]:
    """What `recorded_blocks` needs in the next run; what is known of other files stays."""
    bases = {hash_of(base): base for base in outcome.bases}
    there = [
        Gone(block.recorded, bases[block.recorded].plan.heading, papers_of(bases[block.recorded]))
        for block in read_related(outcome.tex_content).blocks
        if block.recorded in bases
    ]
    return {
        "blocks": {**_by_file(record, "blocks"), name: [asdict(each) for each in there]},
        "deleted": {**_by_file(record, "deleted"), name: [asdict(each) for each in gone]},
    }


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

    Also what the section was made from: digests of the draft's parts (`citeplug.inputs`), the options, and by what.
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

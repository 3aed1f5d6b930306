"""What the works of a section leave open, as `citeplug gaps` recorded it: a row for the card of each work.

The record comes with the project, from co-authors too: what is not as it should be in it is left out.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from citeplug.records.provenance import Provenance

_LONGEST = 600  # characters of a text that is shown


@dataclass(frozen=True, slots=True)
class LeftOpen:
    """`limit`: what a text states as the limit of a work, and where; `answer`: the draft's sentence on it, and where.

    Empty where there is none.
    """

    limit: str = ""
    limit_place: str = ""
    answer: str = ""
    answer_place: str = ""


def left_open(record: Provenance) -> dict[str, LeftOpen]:
    """The rows of the recorded ledger, by key and by arXiv id."""
    rows: dict[str, LeftOpen] = {}
    for work in record.ledger:
        limit, answer = part_in(work, "limit"), part_in(work, "draft")
        row = LeftOpen(text_in(limit, "text"), _stated(limit), text_in(answer, "text"), _placed(answer))
        rows |= {name: row for name in (text_in(work, "key"), text_in(work, "arxiv_id")) if name}
    return rows


def _stated(limit: Mapping[str, Any]) -> str:
    paper, section = text_in(limit, "paper"), text_in(limit, "section")
    if not text_in(limit, "text"):
        return ""
    if limit.get("of") == "citation":
        return f"said of it in {paper}" if paper else "said of it by another paper"
    return "its abstract" if limit.get("of") == "abstract" else ", ".join(filter(None, ("its full text", section)))


def _placed(answer: Mapping[str, Any]) -> str:
    file, line = text_in(answer, "file"), answer.get("line")
    return f"{file}:{line}" if file and isinstance(line, int) else file


def part_in(work: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """A part of a recorded row; empty if it is none."""
    part = work.get(name)
    return part if isinstance(part, Mapping) else {}


def text_in(part: Mapping[str, Any], name: str) -> str:
    """A text of a recorded row; empty if it is none."""
    text = part.get(name)
    return text[:_LONGEST] if isinstance(text, str) else ""

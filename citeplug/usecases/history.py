"""The history of a section: what was generated, accepted, edited, rejected and inserted, and when."""

import re
from dataclasses import dataclass
from datetime import datetime

from citeplug.project.author_files import read_or_none
from citeplug.project.provenance import read_provenance
from citeplug.records.provenance import Happened
from citeplug.section_file.grammar import read_related
from citeplug.usecases.accept import recorded_sentences
from citeplug.usecases.find_project import Project
from citeplug.usecases.review import readable

_MARKER = re.compile(r"\{\{(?:cite|author):([^{}]*)\}\}")


@dataclass(frozen=True, slots=True)
class Past:
    """One thing that happened to a sentence; `by` as in `Event`.

    `words` are the sentence's as plain text, `heading` is that of its paragraph, empty where that is gone. `when` is
    None where no time was recorded, and without a time zone where only the day was.
    """

    when: datetime | None
    what: Happened
    heading: str
    words: str
    by: str | None = None


def history_of(project: Project) -> list[Past]:
    """The history, the newest first, then what has no time: old records, and what was changed in an editor.

    Raises UnreadableInput.
    """
    record = read_provenance(project.where.provenance)
    related = read_related(read_or_none(project.where.tex) or "")
    headings = {block.id: block.plan.heading for block in related.blocks}
    texts = {each.words: each.tex for each in (*record.sentences, *record.asked)}

    def shown(words: str) -> str:
        tex = texts.get(words)
        return readable(tex) if tex else _MARKER.sub(r"[\1]", words)

    dated: list[Past] = []
    for event in record.history:
        when = _time(event.when)
        dated.append(Past(when, event.what, headings.get(event.paragraph, ""), shown(event.words), event.by))
    known = {(event.what, event.words) for event in record.history}
    undated = []
    for sentence, said in zip(recorded_sentences(record, related), record.sentences, strict=True):
        heading = headings.get(sentence.paragraph, "")
        happened: list[Happened] = ["generated"]
        if sentence.status != "unreviewed":
            happened.append(sentence.status)
        if sentence.edited and ("deleted", sentence.words) not in known:
            happened.append("edited")
        undated += [
            Past(None, what, heading, shown(sentence.words), said.by)
            for what in happened
            if (what, sentence.words) not in known
        ]
    return [*reversed(dated), *undated]


def _time(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None

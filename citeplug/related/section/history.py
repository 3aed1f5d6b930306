"""The history of a section: what was generated, accepted, edited, rejected, inserted, pinned and excluded, and when."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import get_args

from citeplug.corpus.stores import open_corpus
from citeplug.project.author_files import read_or_none
from citeplug.project.find_project import Project
from citeplug.project.provenance import read_provenance
from citeplug.records.provenance import Happened, OfPaper
from citeplug.related.section.accept import recorded_sentences
from citeplug.related.section.review import readable
from citeplug.section_file.grammar import read_related
from citeplug.settings.environment import Settings

_OF_PAPERS: tuple[OfPaper, ...] = get_args(OfPaper)
_MARKER = re.compile(r"\{\{(?:cite|author):([^{}]*)\}\}")


@dataclass(frozen=True, slots=True)
class Past:
    """One thing that happened to a sentence or a paper; `by` as in `Event`.

    `words` are the sentence's as plain text, or the paper's title and id; `heading` is that of the sentence's
    paragraph, empty where that is gone. `when` is
    None where no time was recorded, and without a time zone where only the day was.
    """

    when: datetime | None
    what: Happened
    heading: str
    words: str
    by: str | None = None


def history_of(project: Project, chosen: Settings) -> list[Past]:
    """The history, the newest first, then what has no time: old records, and what was changed in an editor.

    Raises UnreadableInput, StoreBroken.
    """
    record = read_provenance(project.where.provenance)
    related = read_related(read_or_none(project.where.tex) or "")
    headings = {block.id: block.plan.heading for block in related.blocks}
    texts = {each.words: each.tex for each in (*record.sentences, *record.asked)}

    def shown(words: str) -> str:
        tex = texts.get(words)
        return readable(tex) if tex else _MARKER.sub(r"[\1]", words)

    titles = _titles([event.words for event in record.history if event.what in _OF_PAPERS], chosen)
    dated: list[Past] = []
    for event in record.history:
        when = _time(event.when)
        words = titles.get(event.words, event.words) if event.what in _OF_PAPERS else shown(event.words)
        dated.append(Past(when, event.what, headings.get(event.paragraph, ""), words, event.by))
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


def _titles(ids: Collection[str], chosen: Settings) -> dict[str, str]:
    """The titles of papers that are in the catalogue, each with its id."""
    if not ids:
        return {}
    with open_corpus(chosen) as corpus:
        return {value: f"{paper.title} [{value}]" for value, paper in corpus.papers(sorted(set(ids))).items()}


def _time(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None

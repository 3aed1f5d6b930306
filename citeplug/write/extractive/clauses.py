"""Sentences on papers: a contribution in the paper's own words, quoted where they are many, or a place in a group."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from citeplug.plan.clusters import has_theme
from citeplug.records.paper import Paper
from citeplug.records.section import Source, source_in_passage
from citeplug.text.cited_text import copied_runs, words
from citeplug.text.sentences import split_sentences
from citeplug.text.stop_words import STOPWORDS
from citeplug.write.extractive.contributions import is_plural
from citeplug.write.extractive.pointers import leans_outside
from citeplug.write.extractive.statements import Contribution
from citeplug.write.extractive.wording import LONGEST, readable, unexplained_symbols

_OUR = re.compile(r"\bour\b(?!-)")
_MOST_IN_GROUP = 4


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause on one paper, without its stop; `quoted` says that eight words in a row or more are the source's."""

    text: str
    source: Source
    quoted: bool


def clause(told: Contribution, paper: Paper, *, again: bool = False, quotes: bool = True, who: str = "") -> Clause:
    """`told` with the authors as its subject, in the third person; `again` where they are spoken of a second time.

    `who` is the authors' marker, with the title where that must stand before what is said, to say what it is on.

    Eight words in a row that are the source's stand in quotation marks, unless `quotes` is False. In these a word in
    brackets takes the place of the first person, or writes an acronym out.
    """
    source = _told_in(paper, told)
    front = f"{told.front}, " if told.front else ""
    lead = f"{front}{who or author(paper.id.value)} {'also ' if again else ''}{told.verb}"
    close = bool(copied_runs(f"{lead} {told.said}", source.text))
    whose = "their" if is_plural(paper) else "the author's"
    if not close or not quotes:
        return Clause(f"{lead} {_in_third_person(told, whose, '{}')}", source, close)
    return Clause(f"{lead} “{_in_third_person(told, whose, '[{}]')}”", source, True)


def own_words(paper: Paper, packages: tuple[str, ...]) -> tuple[str, Source]:
    """A sentence, without its stop, on a paper that must be cited and states no contribution that can be reported.

    It quotes the whole sentence of the abstract that has most words of the title, of those that need no other sentence;
    without one it only names the paper as further work, with its title for a source.
    """
    title = set(words(paper.title)) - STOPWORDS
    best: tuple[int, str, Source] | None = None
    for start, end in split_sentences(paper.abstract):
        said = readable(paper.abstract[start:end], packages)
        if said is None or not 5 <= len(words(said)) <= LONGEST or leans_outside(said) or unexplained_symbols(said):
            continue
        shared = len(title & set(words(said)))
        if best is None or shared > best[0]:
            best = shared, said.removesuffix("."), _source(paper, start, end)
    if best is not None:
        return f"In the words of {author(paper.id.value)}, “{best[1]}”", best[2]
    return f"Further work includes {cite(paper.id.value)}", title_source(paper)


def group(papers: Sequence[Paper], theme: str, *, first: bool = False) -> tuple[str, list[Source]] | None:
    """One sentence, without its stop, that names `papers` as work on `theme`, and what puts each there.

    It is further work, unless nothing was written before it (`first`).

    `papers` are two to four, and all have the theme, two words or more that name more than a kind of thing, in their
    titles; None otherwise. A theme that more of them share is wider than what they are on.
    """
    if not 2 <= len(papers) <= _MOST_IN_GROUP or not all(has_theme(paper.title, theme) for paper in papers):
        return None
    marker = cite(*(paper.id.value for paper in papers))
    return f"{'Work' if first else 'Further work'} on {theme} includes {marker}", [*map(title_source, papers)]


def title_source(paper: Paper) -> Source:
    title = " ".join(paper.title.split())
    return Source(paper.id.value, paper.id.version, title, 0, len(title), of="title")


def author(*ids: str) -> str:
    """The marker of a textual citation."""
    return f"{{{{author:{','.join(ids)}}}}}"


def cite(*ids: str) -> str:
    """The marker of a parenthetical citation."""
    return f"{{{{cite:{','.join(ids)}}}}}"


def _told_in(paper: Paper, told: Contribution) -> Source:
    if told.passage is not None:
        return source_in_passage(told.passage, told.start, told.end)
    return _source(paper, told.start, told.end)


def _source(paper: Paper, start: int, end: int) -> Source:
    return Source(paper.id.value, paper.id.version, paper.abstract[start:end], start, end)


def _in_third_person(told: Contribution, whose: str, change: str) -> str:
    """What is told in the third person, acronyms written out where they first stand; `change` frames each change."""
    said = _OUR.sub(change.format(whose), told.said)
    for acronym, written in told.long:
        at = re.search(rf"(?<![\w-]){re.escape(acronym)}(?=[\s.,;:)’-]|$)", said)
        if at is not None:
            frame = " [{}]" if change == "[{}]" else " ({})"
            said = f"{said[: at.end()]}{frame.format(written)}{said[at.end() :]}"
    return said

"""Sentences on papers: a contribution in the paper's own words, quoted where they are many, or a place in a group."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from citeplug.records.paper import Paper
from citeplug.records.section import Source
from citeplug.text.cited_text import copied_runs, words
from citeplug.text.folding import is_collective, split_name
from citeplug.text.inflection import third_person
from citeplug.text.letters import lower_first
from citeplug.text.plaintext import plain_text
from citeplug.text.sentences import split_sentences
from citeplug.text.stems import stem
from citeplug.text.stop_words import STOPWORDS
from citeplug.write.extractive.contributions import Contribution

_TITLED = 3  # works at most are named by their titles
_OUR = re.compile(r"\bour\b(?!-)")
_LEAD = re.compile(r"^(?P<adverb>(?:[a-z]+ly )?)(?P<verb>[a-z]+)(?P<rest>.*)$")


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause on one paper, without its stop; `quoted` says that a part of it stands in quotation marks."""

    text: str
    source: Source
    quoted: bool


def clause(told: Contribution, paper: Paper, *, again: bool = False) -> Clause:
    """`told` with the authors as its subject, in the third person; `again` where they are spoken of a second time.

    Eight words in a row that are the source's stand in quotation marks. In these a word in brackets takes the place of
    the first person, or writes an acronym out.
    """
    source = _source(paper, told.start, told.end)
    who = author(paper.id.value)
    if told.subject == "authors":
        subject, verb = who, _agree(told.verb, past=told.verb.split()[0].endswith("ed"), plural=is_plural(paper))
        if again:
            verb = f"also {verb}"
    else:
        subject, verb = f"the {told.subject} of {who}", told.verb
    front = f"{told.front}, " if told.front else ""
    if not copied_runs(f"{front}{subject} {verb} {told.said}", source.text):
        return Clause(f"{front}{subject} {verb} {_in_third_person(told.said, told.long, '{}')}", source, False)
    said = _in_third_person(told.said, told.long, "[{}]")
    if copied_runs(front, source.text):
        front = f"“{told.front},” "
    return Clause(f"{front}{subject} {verb} “{said}”", source, True)


def group(papers: Sequence[Paper], heading: str, small: frozenset[str] = frozenset()) -> tuple[str, list[Source]]:
    """One sentence, without its stop, that names `papers` as further work on the theme of `heading`.

    Papers whose text does not have the theme are only pointed to; where none has it, they are named by their titles,
    or, if they are many, by their authors.
    `small` are words known to need no capital.
    """
    inside = [paper.id.value for paper in papers if _has(paper, heading)]
    outside = [paper for paper in papers if paper.id.value not in inside]
    if inside:
        text = f"There is further work on {lower_first(heading, small)} {cite(*inside)}"
        text += f"; see also {cite(*(paper.id.value for paper in outside))}" if outside else ""
    elif len(papers) > _TITLED:
        text = f"Related work includes that of {author(*(paper.id.value for paper in papers))}"
    else:
        titled = [f"“{title_text(paper)}” {cite(paper.id.value)}" for paper in outside]
        text = f"Related work includes {_listed(titled)}"
    return text, [title_source(paper) for paper in papers]


def _has(paper: Paper, heading: str) -> bool:
    return bool(words(heading)) and _stemmed(heading) in _stemmed(f"{paper.title} | {paper.abstract}")


def _listed(items: Sequence[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def author(*ids: str) -> str:
    """The marker of a textual citation."""
    return f"{{{{author:{','.join(ids)}}}}}"


def cite(*ids: str) -> str:
    """The marker of a parenthetical citation."""
    return f"{{{{cite:{','.join(ids)}}}}}"


def is_plural(paper: Paper) -> bool:
    """Return True if the names that a textual citation prints are more than one: "Ho", "the CMS Collaboration" are not."""
    return len(paper.authors) != 1 and not (paper.authors and is_collective(split_name(paper.authors[0]).surname))


def title_text(paper: Paper) -> str:
    """The title as plain text, without quotation marks of its own."""
    plain = plain_text(paper.title)
    if plain is None:
        plain = re.sub(r"\\[A-Za-z]+|[{}\\$^_]", " ", paper.title)
    return " ".join(plain.replace("“", "‘").replace("”", "’").rstrip(".").split())


def title_source(paper: Paper) -> Source:
    """The sentence of the abstract that shares most words with the title; empty if there is no abstract."""
    topic = {word for word in words(paper.title) if word not in STOPWORDS}
    places = split_sentences(paper.abstract) or [(0, 0)]
    return _source(paper, *max(places, key=lambda p: (len(topic & set(words(paper.abstract[p[0] : p[1]]))), -p[0])))


def _source(paper: Paper, start: int, end: int) -> Source:
    return Source(paper.id.value, paper.id.version, paper.abstract[start:end], start, end)


def _agree(verb: str, *, past: bool, plural: bool) -> str:
    if plural or past:
        return verb
    match = _LEAD.match(verb)
    return f"{match['adverb']}{third_person(match['verb'])}{match['rest']}" if match else verb


def _in_third_person(said: str, long: Sequence[tuple[str, str]], change: str) -> str:
    """`said` in the third person, its acronyms written out where they first stand; `change` frames each change."""
    said = _OUR.sub(change.format("their"), said)
    for acronym, written in long:
        at = re.search(rf"(?<![\w-]){re.escape(acronym)}(?!\w)", said)
        if at is not None:
            frame = " [{}]" if change == "[{}]" else " ({})"
            said = f"{said[: at.end()]}{frame.format(written)}{said[at.end() :]}"
    return said


def _stemmed(text: str) -> str:
    return f" {' '.join(stem(word) for word in words(text))} "

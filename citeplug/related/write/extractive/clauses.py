"""Sentences on papers: a contribution in the paper's own words, quoted where they are many, or a place in a group."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from citeplug.records.paper import Paper
from citeplug.records.section import Source, source_in_passage
from citeplug.related.plan.themes import has_theme
from citeplug.related.write.extractive.contributions import is_plural, whole_sentences
from citeplug.related.write.extractive.statements import Contribution, content_words
from citeplug.related.write.extractive.titles import cite, title_source
from citeplug.text.cited_text import copied_runs
from citeplug.text.sentences import split_sentences
from citeplug.text.stems import stem, stemmed

_LONG = 22  # words of what is said
_LEAST_LEFT = 6  # without its last clause
_RELATIVE = re.compile(r"(?<=\w{3}), (?:which|where|whose|who)\b")
_OUR = re.compile(r"\bour\b(?!-)")
_DEFINED = re.compile(r"(?P<name>[\w.+-]+) (?P<is>is) an? (?=[\w-]+ [\w-]+)")
# "BERT", "SG-RL", "word2vec": more than one capital, or a figure.
_NAME_OF_SYSTEM = re.compile(r"(?=\S*[A-Z\d]\S*[A-Z\d]|[a-z]\S*[A-Z\d])[A-Za-z][\w+-]{2,}")


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause on one paper, without its stop; `quoted` says that eight words in a row or more are its authors'."""

    text: str
    source: Source
    quoted: bool


def clause(told: Contribution, paper: Paper, *, again: bool = False, quotes: bool = True, who: str = "") -> Clause:
    """`told` with the authors as its subject, in the third person; `again` where they are spoken of a second time.

    `who` is the authors' marker, with the title where that must stand before what is said, to say what it is on.

    Eight words in a row that are the source's stand in quotation marks, unless `quotes` is False, or the source is a
    summary by others. In these a word in brackets takes the place of the first person, or writes an acronym out.
    """
    source = _told_in(paper, told)
    told = _up_to_relative(told)
    front = f"{told.front}, " if told.front else ""
    lead = f"{front}{who or author(paper.id.value)} {'also ' if again else ''}{told.verb}"
    by_authors = told.passage is not None or paper.abstract_kind == "abstract"
    close = by_authors and bool(copied_runs(f"{lead} {told.said}", source.text))
    whose = "their" if is_plural(paper) else "the author's"
    if not close or not quotes:
        return Clause(f"{lead} {_in_third_person(told, whose, '{}')}", source, close)
    return Clause(f"{lead} “{_in_third_person(told, whose, '[{}]')}”", source, True)


def _up_to_relative(told: Contribution) -> Contribution:
    """What is told without the relative clause at its end, where it is long."""
    cut = _RELATIVE.search(told.said)
    if (
        cut is None
        or len(told.said.split()) <= _LONG
        or len(told.said[: cut.start()].split()) < _LEAST_LEFT
        or told.said.count("(", 0, cut.start()) > told.said.count(")", 0, cut.start())
        or ", and " in told.said[cut.end() :]  # what follows it may go on with what was before
    ):
        return told
    return replace(told, said=told.said[: cut.start()])


def definition(paper: Paper, packages: tuple[str, ...]) -> Clause | None:
    """What the thing is that the title names, as its abstract says: "SciPy {{cite:...}} is “a library of ...”"."""
    for start, end, said in whole_sentences(paper, packages):
        defined = _DEFINED.match(said)
        if defined is not None and _is_named(defined["name"], paper.title):
            quoted, rest = paper.abstract_kind == "abstract", said[defined.end("is") + 1 :]
            text = f"{defined['name']} {cite(paper.id.value)} is {f'“{rest}”' if quoted else rest}"
            return Clause(text, _source(paper, start, end), quoted)
    return None


def own_words(paper: Paper, packages: tuple[str, ...]) -> tuple[str, Source] | None:
    """A sentence, without its stop, that quotes a whole one of the abstract, the one with most words of the title.

    None if each sentence needs another, or shows what a document cannot print, or the abstract is a summary by others.
    """
    if paper.abstract_kind == "summary":
        return None
    title = {stem(word) for word in content_words(paper.title)}
    best: tuple[int, str, Source] | None = None
    for start, end, said in whole_sentences(paper, packages):
        shared = len(title & {stem(word) for word in content_words(said)})
        if best is None or shared > best[0]:
            best = shared, said, _source(paper, start, end)
    return None if best is None else (f"In the words of {author(paper.id.value)}, “{best[1]}”", best[2])


def _is_named(name: str, title: str) -> bool:
    """Return True for the name of a thing at the head of the title: "SciPy", which no word is, or what has a colon."""
    return title.startswith(f"{name}:") or (
        re.match(rf"{re.escape(name)}(?![\w-])", title) is not None and re.search(r"(?<!^)[A-Z\d]", name) is not None
    )


def on_theme(paper: Paper, theme: str) -> Source | None:
    """What shows that a paper is on a theme: its title, or else the sentence of its abstract that has the theme."""
    if has_theme(paper.title, theme):
        return title_source(paper)
    wanted = stemmed(theme)
    spans = split_sentences(paper.abstract)
    found = ((start, end) for start, end in spans if wanted in stemmed(paper.abstract[start:end]))
    return next((_source(paper, start, end) for start, end in found), None)


def system_names(papers: Iterable[Paper]) -> dict[str, str]:
    """The names that papers give to what they made, as titles have them in front, "BERT: ...", with their arXiv ids."""
    parts = ((paper.title.partition(": "), paper) for paper in papers)
    return {name: paper.id.value for (name, colon, _), paper in parts if colon and _NAME_OF_SYSTEM.fullmatch(name)}


def mentions(text: str, name: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None


def with_citation(text: str, name: str, value: str) -> str:
    """The sentence with a citation of the paper behind the first mention of its system; none in a title or a formula."""
    place = re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-]|:)", text)
    if place is None or text.count("$", 0, place.start()) % 2:
        return text
    return f"{text[: place.end()]} {cite(value)}{text[place.end() :]}"


def author(*ids: str) -> str:
    """The marker of a textual citation."""
    return f"{{{{author:{','.join(ids)}}}}}"


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

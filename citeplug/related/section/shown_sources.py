"""The sources of a sentence under review: those recorded, or what comes nearest in the works that it cites."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Literal

from citeplug.corpus.fulltext.store import TextStore
from citeplug.records.debate import Debate
from citeplug.records.paper import Paper
from citeplug.records.provenance import RecordedSource
from citeplug.related.rank import proved
from citeplug.related.section.accept import source_in_words
from citeplug.related.section.in_print import readable
from citeplug.related.section.review import ReviewedPiece, ReviewedSection
from citeplug.section_file.cite_style import keys_in_order
from citeplug.settings.environment import Settings
from citeplug.text.cleaning import collapsed
from citeplug.text.sentences import split_sentences
from citeplug.text.stems import content_stems

_AROUND = 700  # code points of a full text that are shown on each side of a passage


@dataclass(frozen=True, slots=True)
class Mark:
    """A stretch of a source's text: `kind` is `this` for the words that support the sentence, `other` for words quoted
    in another sentence, whose `place` in the record is given."""

    text: str
    kind: Literal["", "this", "other"] = ""
    place: str | None = None


@dataclass(frozen=True, slots=True)
class ShownSource:
    """One source of a sentence: the text it is from, marked; `found` is False if the words are not there any more.

    `named` says which text it is. `paper` is None for the draft's own abstract, and for a paper that is not known here.
    `debate` is a model's on the paper, None without one.
    """

    source: RecordedSource
    named: str
    paper: Paper | None
    marks: tuple[Mark, ...]
    found: bool
    debate: Debate | None = None


def sources_of(section: ReviewedSection, piece: ReviewedPiece, settings: Settings) -> list[ShownSource]:
    """The sources of a sentence, each once, with what other sentences of the section quote of the same text.

    No source is recorded of the author's own: it has what comes nearest to it in each work that it or an offer cites.
    """
    sentence = piece.sentence
    sources = nearest_sources(section, piece) if sentence is None else sentence.sources
    standing = [p.sentence for paragraph in section.paragraphs for p in paragraph.pieces if p.sentence is not None]
    shown = []
    for source in {(*_whose(recorded), recorded.quote): recorded for recorded in sources}.values():
        text = _text_of(source, section.papers, settings)
        others = [
            (other.place, quoted)
            for other in standing
            if sentence is None or other.place != sentence.place
            for quoted in other.sources
            if (quoted.arxiv_id, quoted.of, quoted.section, quoted.page)
            == (source.arxiv_id, source.of, source.section, source.page)
        ]
        marks, is_there = _marked(text, source, others)
        paper = section.papers.get(source.arxiv_id or "")
        debate = section.debates.get(source.arxiv_id or "")
        debate = None if debate is None or paper is None else proved(debate, paper.abstract)
        named = source_in_words(source, {} if sentence is None else sentence.quotes_from)
        shown.append(ShownSource(source, named, paper, marks, is_there, debate))
    return shown


def nearest_sources(section: ReviewedSection, piece: ReviewedPiece) -> list[RecordedSource]:
    """The sentence of each cited work's abstract that shares the most content words; its title where none has any."""
    sources = []
    for own, key in {(tex, key): None for tex in (piece.tex, *piece.offers) for key in keys_in_order(tex)}:
        if (paper := section.papers_by_key.get(key)) is None:
            continue
        abstract = collapsed(paper.abstract) if paper.has_abstract else ""
        words, spans = content_stems(readable(own)), split_sentences(abstract)
        start, end = max(spans, key=lambda span: len(words & content_stems(abstract[slice(*span)])), default=(0, 0))
        quote = abstract[start:end]
        nearest = RecordedSource(paper.id.value, paper.id.version, start, end, quote)
        is_near = not words.isdisjoint(content_stems(quote))
        sources.append(nearest if is_near else RecordedSource(paper.id.value, quote=paper.title, of="title"))
    return sources


def marked_in_text(source: RecordedSource, papers: Mapping[str, Paper], settings: Settings) -> tuple[Mark, ...]:
    """The text that a source's words are from, with these marked."""
    return _marked(_text_of(source, papers, settings), source, ())[0]


def _whose(source: RecordedSource) -> tuple[str | None, str, str | None]:
    return source.arxiv_id, source.of, source.section


def _text_of(source: RecordedSource, papers: Mapping[str, Paper], settings: Settings) -> str:
    """The text in which a source's span is, white space collapsed; its quotation where the text is not here."""
    if source.of == "full text" and source.arxiv_id is not None:
        with closing(TextStore(settings.home)) as store:
            text = store.read(source.arxiv_id, source.version)
        sections = () if text is None else text.sections
        return next((collapsed(section.text) for section in sections if section.title == source.section), source.quote)
    paper = papers.get(source.arxiv_id or "")
    if paper is None:
        return source.quote
    return collapsed(paper.title if source.of == "title" else paper.abstract)


def _marked(
    text: str, source: RecordedSource, others: Sequence[tuple[str, RecordedSource]]
) -> tuple[tuple[Mark, ...], bool]:
    """The text in stretches, with the source's words marked, and those of others that do not overlap them."""
    this = _span(text, source)
    spans: list[tuple[int, int, Literal["this", "other"], str | None]] = []
    if this is not None:
        spans.append((*this, "this", None))
    for place, other in others:
        span = _span(text, other)
        if span is not None and all(span[1] <= start or span[0] >= end for start, end, _, _ in spans):
            spans.append((*span, "other", place))
    first, last = (0, len(text)) if source.of != "full text" or this is None else _window(text, *this)
    marks, at = [], first
    for start, end, kind, whose in sorted(spans):
        if start < first or end > last:
            continue
        marks += [Mark(text[at:start]), Mark(text[start:end], kind, whose)]
        at = end
    marks.append(Mark(text[at:last]))
    return tuple(mark for mark in marks if mark.text), this is not None


def _window(text: str, start: int, end: int) -> tuple[int, int]:
    return max(0, start - _AROUND), min(len(text), end + _AROUND)


def _span(text: str, source: RecordedSource) -> tuple[int, int] | None:
    """The code points of a source's words in the text: those recorded, or wherever the words are now."""
    quote = collapsed(source.quote)
    if not quote:
        return None
    if source.start is not None and source.end is not None and text[source.start : source.end] == quote:
        return source.start, source.end
    at = text.find(quote)
    return None if at < 0 else (at, at + len(quote))

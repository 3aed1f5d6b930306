"""A section as its author reviews it: paragraphs with their plans, sentences in their order, each with its sources."""

import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Literal, get_args

from citeplug.bibtex.syntax import read_blocks
from citeplug.corpus.fulltext.store import TextStore
from citeplug.corpus.stores import open_corpus
from citeplug.latex.project import read_draft
from citeplug.project.author_files import read_or_none
from citeplug.project.find_project import Project
from citeplug.project.provenance import read_provenance
from citeplug.records.debate import Debate
from citeplug.records.paper import LIBRARY, Paper
from citeplug.records.plan import PlanLine
from citeplug.records.provenance import Happened, OfPaper, RecordedEntry, RecordedSource
from citeplug.related.rank import proved
from citeplug.related.retrieve.cited_papers import work_of_entry
from citeplug.related.section.accept import Recorded, recorded_sentences, source_in_words
from citeplug.related.section.in_print import readable
from citeplug.section_file.current import cites_of
from citeplug.section_file.edit import paragraph_hash, plan_lines, units_of
from citeplug.section_file.grammar import RelatedBlock, has_conflict_marks, places_of, read_plan_line, read_related
from citeplug.section_file.merge import NEW
from citeplug.settings.environment import Settings
from citeplug.text.cleaning import collapsed

PieceKind = Literal["generated", "own", "heading", "remark"]

_HEADING = re.compile(r"\\(?:sub)*(?:section|paragraph)\*?\s*(?:\[[^\]]*\]\s*)?\{(.*)\}\s*", re.DOTALL)
_AROUND = 700  # code points of a full text that are shown on each side of a passage

_OF_PAPERS: tuple[OfPaper, ...] = get_args(OfPaper)
_MARKER = re.compile(r"\{\{(?:cite|author):([^{}]*)\}\}")


@dataclass(frozen=True, slots=True)
class ReviewedPiece:
    """A sentence, heading or remark of a paragraph's text. `tex` is its LaTeX, `shown` that as plain text, and
    `at` where it begins, in code points from the beginning of its paragraph.

    `sentence` is the record of a generated one that is as it was generated; `notes` are citeplug's on it, and `offers`
    new versions of it, as LaTeX.
    """

    kind: PieceKind
    tex: str
    shown: str
    at: int
    sentence: Recorded | None = None
    notes: tuple[str, ...] = ()
    offers: tuple[str, ...] = ()


_Numbered = tuple[ReviewedPiece, int | None]  # with the number of its sentence among those of its paragraph


@dataclass(frozen=True, slots=True)
class ReviewedParagraph:
    """A block of the section. `lines` are its plan lines as they are written; `cites` are its papers, ids or keys.

    `is_whole`: its marks are in order, so that it can be moved and edited here. `hash` is that of all of it.
    """

    id: str
    heading: str
    lines: tuple[tuple[str, PlanLine], ...]
    pieces: tuple[ReviewedPiece, ...]
    cites: tuple[str, ...]
    keep: bool
    is_whole: bool
    hash: str


@dataclass(frozen=True, slots=True)
class ReviewedSection:
    """A section with the records of its papers and the checks of its entries, both by arXiv id.

    `written` is False without a file; with `conflict` it has marks of an unfinished merge. `bib` has the text of each
    entry in the section's own .bib file, by key. `debates` are as recorded, by arXiv id.
    """

    written: bool
    conflict: bool
    paragraphs: tuple[ReviewedParagraph, ...]
    papers: Mapping[str, Paper]
    entries: Mapping[str, RecordedEntry]
    bib: Mapping[str, str]
    rejected: tuple[Recorded, ...]
    debates: Mapping[str, Debate]

    def count(self, status: str) -> int:
        """The number of generated sentences in the section with a status."""
        sentences = (piece.sentence for paragraph in self.paragraphs for piece in paragraph.pieces)
        return sum(sentence is not None and sentence.status == status for sentence in sentences)

    def year_of(self, paper: Paper) -> str:
        """The year in a paper's entry, or that of its first version on arXiv; empty if neither is known."""
        entry = self.entries.get(paper.id.value)
        evidence = () if entry is None else entry.evidence
        entered = next((str(item.get("given") or "") for item in evidence if item.get("field") == "year"), "")
        return entered[:4] or (str(paper.published.year) if paper.published.year > 1 else "")


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


def review_section(project: Project, settings: Settings) -> ReviewedSection:
    """Read the section of a project as its author reviews it. Raises UnreadableInput, StoreBroken."""
    text = read_or_none(project.where.tex, project.encoding)
    record = read_provenance(project.where.provenance)
    related = read_related(text or "")
    sentences = recorded_sentences(record, related)
    standing = [[s for s in sentences if s.paragraph == block.id and s.stands] for block in related.blocks]
    cut = _cut(text or "", tuple(tuple(s.text for s in sentences_of_block) for sentences_of_block in standing))
    paragraphs = tuple(
        replace(
            paragraph, pieces=tuple(p if n is None else replace(p, sentence=sentences_of_block[n]) for p, n in pieces)
        )
        for sentences_of_block, (paragraph, pieces) in zip(standing, cut, strict=True)
    )
    cites = {cite for paragraph in paragraphs for cite in paragraph.cites}
    cites |= {cite for sentence in sentences for cite in sentence.cites}
    with open_corpus(settings) as corpus:
        papers = dict(corpus.papers(sorted(cites)))
        files = corpus.own_texts()
    if own := {value for value in cites if value.startswith(LIBRARY)} - papers.keys():
        # The draft's own entries and files of the library alone tell of them.
        entries = read_draft(project.root, prose=False).entries
        works = (work_of_entry(entry, files) for entry in entries)
        papers |= {work.id.value: work for work in works if work.id.value in own}
    return ReviewedSection(
        text is not None,
        has_conflict_marks(text or ""),
        paragraphs,
        papers,
        {entry.arxiv_id or entry.key: entry for entry in record.entries},
        _entries(read_or_none(project.where.bib) or ""),
        tuple(sentence for sentence in sentences if sentence.status == "rejected"),
        record.debates,
    )


def sources_of(section: ReviewedSection, sentence: Recorded, settings: Settings) -> list[ShownSource]:
    """The sources of a sentence, each once, with what other sentences of the section quote of the same text."""
    standing = [p.sentence for paragraph in section.paragraphs for p in paragraph.pieces if p.sentence is not None]
    shown = []
    for source in {(*_whose(recorded), recorded.quote): recorded for recorded in sentence.sources}.values():
        text = _text_of(source, section.papers, settings)
        others = [
            (other.place, quoted)
            for other in standing
            if other.place != sentence.place
            for quoted in other.sources
            if (quoted.arxiv_id, quoted.of, quoted.section, quoted.page)
            == (source.arxiv_id, source.of, source.section, source.page)
        ]
        marks, is_there = _marked(text, source, others)
        paper = section.papers.get(source.arxiv_id or "")
        debate = section.debates.get(source.arxiv_id or "")
        debate = None if debate is None or paper is None else proved(debate, paper.abstract)
        shown.append(ShownSource(source, source_in_words(source, sentence.quotes_from), paper, marks, is_there, debate))
    return shown


def marked_in_text(source: RecordedSource, papers: Mapping[str, Paper], settings: Settings) -> tuple[Mark, ...]:
    """The text that a source's words are from, with these marked."""
    return _marked(_text_of(source, papers, settings), source, ())[0]


def _whose(source: RecordedSource) -> tuple[str | None, str, str | None]:
    return source.arxiv_id, source.of, source.section


@lru_cache(4)
def _entries(text: str) -> dict[str, str]:
    return {block.key: text[block.start : block.end] for block in read_blocks(text) if block.is_entry and block.key}


@lru_cache(4)  # with the same words, other statuses
def _cut(text: str, standing: Sequence[Sequence[str]]) -> list[tuple[ReviewedParagraph, list[_Numbered]]]:
    """The paragraphs of a section without their pieces, and these; `standing` has the LaTeX of each one's sentences."""
    blocks = read_related(text).blocks
    return [
        (_paragraph(block, text), _pieces(block, text, latex_of_block))
        for block, latex_of_block in zip(blocks, standing, strict=True)
    ]


def _paragraph(block: RelatedBlock, text: str) -> ReviewedParagraph:
    lines = plan_lines(text, block)
    return ReviewedParagraph(
        block.id,
        block.plan.heading,
        tuple((line, read_plan_line(line)) for line in lines),
        (),
        tuple(dict.fromkeys(cites_of(block.plan))),
        block.keep,
        block.ended and not block.torn,
        paragraph_hash(text, block),
    )


def _pieces(block: RelatedBlock, text: str, standing: Sequence[str]) -> list[_Numbered]:
    """The text of a block in its order; a unit that holds generated sentences is cut into them and what is between."""
    places = places_of(text, [(block, tex) for tex in standing])
    known = sorted((place, number) for number, place in enumerate(places) if place is not None)
    pieces: list[_Numbered] = []
    notes: list[str] = []
    offers: list[str] = []
    end = 0

    def put(kind: PieceKind, start: int, stop: int, number: int | None = None) -> None:
        tex = text[start:stop].strip()
        if not tex:
            return
        at = text.index(tex, start) - block.start
        heading = _HEADING.fullmatch(tex) if kind == "own" else None
        if heading is not None:
            pieces.append((ReviewedPiece("heading", tex, readable(heading[1]), at), None))
            return
        pieces.append((ReviewedPiece(kind, tex, readable(tex), at, None, tuple(notes), tuple(offers)), number))
        notes.clear()
        offers.clear()

    for start, unit in units_of(text, block):
        if unit.kind == "directive":
            if unit.key.startswith(NEW):
                offers.append(unit.key.removeprefix(NEW))
            else:
                notes.append(unit.key.removeprefix("note ").strip())
            continue
        stop = start + len(unit.raw)
        at = max(start, end)
        while known and known[0][0][0] < stop:
            place, number = known.pop(0)
            if place[0] < at:
                continue  # recorded twice, and there once
            put("own", at, place[0])
            put("generated", *place, number)
            at = end = place[1]
        put("remark" if unit.kind == "comment" else "own", at, stop)
    return pieces


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


@dataclass(frozen=True, slots=True)
class Past:
    """One thing that happened to a sentence or a paper; `by` as in `Event`.

    `words` are the sentence's as plain text, or the paper's title and id; `heading` is that of the sentence's
    paragraph, empty where that is gone. `when` is None where no time was recorded, and without a time zone where only
    the day was. `tex` is the sentence as LaTeX, or as it is recorded.
    """

    when: datetime | None
    what: Happened
    heading: str
    words: str
    by: str | None = None
    tex: str = ""


def history_of(project: Project, settings: Settings) -> list[Past]:
    """The history, the newest first, then what has no time: old records, and what was changed in an editor.

    Raises UnreadableInput, StoreBroken.
    """
    record = read_provenance(project.where.provenance)
    related = read_related(read_or_none(project.where.tex) or "")
    headings = {block.id: block.plan.heading for block in related.blocks}
    texts = {sentence.words: sentence.tex for sentence in (*record.sentences, *record.asked)}

    def shown(words: str) -> str:
        tex = texts.get(words)
        return readable(tex) if tex else _MARKER.sub(r"[\1]", words)

    def as_tex(words: str) -> str:
        return texts.get(words) or words.replace("{{cite:", r"\citep{").replace("{{author:", r"\citet{")

    titles = _titles([event.words for event in record.history if event.what in _OF_PAPERS], settings)
    dated: list[Past] = []
    for event in record.history:
        when = _time(event.when)
        words = titles.get(event.words, event.words) if event.what in _OF_PAPERS else shown(event.words)
        heading = headings.get(event.paragraph, "")
        dated.append(Past(when, event.what, heading, words, event.by, as_tex(event.words)))
    known = {(event.what, event.words) for event in record.history}
    undated = []
    for sentence, recorded in zip(recorded_sentences(record, related), record.sentences, strict=True):
        heading = headings.get(sentence.paragraph, "")
        happened: list[Happened] = ["generated"]
        if sentence.status != "unreviewed":
            happened.append(sentence.status)
        if sentence.edited and ("deleted", sentence.words) not in known:
            happened.append("edited")
        undated += [
            Past(None, what, heading, shown(sentence.words), recorded.by, as_tex(sentence.words))
            for what in happened
            if (what, sentence.words) not in known
        ]
    return [*reversed(dated), *undated]


def _titles(ids: Collection[str], settings: Settings) -> dict[str, str]:
    """The titles of papers that are in the catalogue, each with its id."""
    if not ids:
        return {}
    with open_corpus(settings) as corpus:
        return {value: f"{paper.title} [{value}]" for value, paper in corpus.papers(sorted(set(ids))).items()}


def _time(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None

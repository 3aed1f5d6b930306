"""A section as its author reviews it: paragraphs with their plans, sentences in their order, each with its sources."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Literal, get_args

from citeplug.bibtex.syntax import read_blocks
from citeplug.corpus.stores import open_corpus
from citeplug.latex.project import read_draft
from citeplug.project.author_files import read_or_none
from citeplug.project.find_project import Project
from citeplug.project.provenance import read_provenance
from citeplug.records.debate import Debate
from citeplug.records.paper import LIBRARY, Paper
from citeplug.records.plan import PlanLine
from citeplug.records.provenance import Happened, OfPaper, RecordedEntry
from citeplug.related.retrieve.cited_papers import work_of_entry
from citeplug.related.section.accept import Recorded, recorded_sentences
from citeplug.related.section.in_print import readable
from citeplug.section_file.current import cites_of
from citeplug.section_file.edit import paragraph_hash, plan_lines, units_of
from citeplug.section_file.grammar import RelatedBlock, has_conflict_marks, places_of, read_plan_line, read_related
from citeplug.section_file.merge import NEW
from citeplug.settings.environment import Settings

PieceKind = Literal["generated", "own", "heading", "remark"]

_HEADING = re.compile(r"\\(?:sub)*(?:section|paragraph)\*?\s*(?:\[[^\]]*\]\s*)?\{(.*)\}\s*", re.DOTALL)

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

    @property
    def papers_by_key(self) -> dict[str, Paper]:
        """The papers of the section, by the keys under which it cites them."""
        papers = {entry.key: self.papers[value] for value, entry in self.entries.items() if value in self.papers}
        return papers | {v.removeprefix(LIBRARY): paper for v, paper in self.papers.items() if v.startswith(LIBRARY)}

    def year_of(self, paper: Paper) -> str:
        """The year in a paper's entry, or that of its first version on arXiv; empty if neither is known."""
        entry = self.entries.get(paper.id.value)
        evidence = () if entry is None else entry.evidence
        entered = next((str(item.get("given") or "") for item in evidence if item.get("field") == "year"), "")
        return entered[:4] or (str(paper.published.year) if paper.published.year > 1 else "")


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

"""Rows of a comparison table without a model: the cells of each work from its abstract and full text, and the draft's own.

Columns that an author names are filled by a clause that has their words, or else by one that is near them in meaning.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from citeplug.latex.prose import read_prose, sentences_of_draft
from citeplug.positioning.by_model import WorkTexts
from citeplug.positioning.cells import COLUMNS as FOUND
from citeplug.positioning.cells import find_clauses, find_in_title, find_places, has_all_words
from citeplug.positioning.works import DiscussedWork
from citeplug.protocols import Vectors
from citeplug.records.comparison import THIS_WORK, TableCell, TableRow
from citeplug.records.draft import Draft
from citeplug.records.gaps import OwnSentence, StatedPassage
from citeplug.related.limits import is_heading_on_others, is_own_limit
from citeplug.related.progress import Tools
from citeplug.text.people import cited_people

COLUMNS = ("Task", "Method", "Data", "Limit", "Code")
# Cosine to the work's title from which a phrase is what the work is about, and not something in passing.
ABOUT = {"Task": 0.5, "Method": 0.45}
NEAR = 0.55  # cosine from which a clause says what a column of the author's asks, in other words
_LONGEST_LIMIT = 20  # words: a sentence that is no longer
_MOST_CLAUSES = 60  # of a work that are compared with a column

Source = StatedPassage | OwnSentence
Embed = Callable[[Sequence[str]], Vectors]


@dataclass(frozen=True, slots=True)
class SplitText:
    """A text of a work, or a sentence of the draft, in which cells are found; `full`: it is part of the whole text."""

    source: Source
    full: bool = False

    def cell(self, start: int, end: int) -> TableCell:
        """The cell of these code points of the text."""
        source, text = self.source, self.source.text[start:end]
        if isinstance(source, StatedPassage):
            base = source.start or 0
            return TableCell(text, replace(source, text=text, start=base + start, end=base + end))
        return TableCell(text, source)


def texts_of_work(work: WorkTexts) -> list[SplitText]:
    """The abstract, and the sections of the full text that are not on the works of others."""
    if work.paper is None:
        return []
    value, abstract = work.paper.id.value, work.paper.abstract
    texts = []
    if work.paper.has_abstract:
        texts.append(SplitText(StatedPassage(abstract, "abstract", value, "", 0, len(abstract))))
    for section in work.full.sections if work.full is not None else ():
        if not is_heading_on_others(section.title):
            body = section.text[: section.captions]
            texts.append(SplitText(StatedPassage(body, "full text", value, section.title, 0, len(body)), full=True))
    return texts


def texts_of_draft(draft: Draft) -> list[SplitText]:
    """The sentences of the draft, those of its abstract first."""
    prose = read_prose(draft) if draft.is_latex else []
    return [SplitText(sentence, full=bool(sentence.section)) for sentence, _ in sentences_of_draft(draft, prose)]


def find_rows(
    draft: Draft,
    works: Sequence[DiscussedWork],
    texts: Sequence[Sequence[SplitText]],
    columns: Sequence[str],
    tools: Tools,
) -> list[TableRow]:
    """A row for each work, and the draft's own last; `texts` are those of the works, and the draft's."""
    rows = []
    asked = [column for column in columns if column not in COLUMNS]
    near = _Nearness(asked, tools)
    titles: list[Source | None] = [_title_of(work) for work in works]
    about = [
        phrases_about(title, read, tools.index.embed)
        for title, read in zip([*titles, OwnSentence(draft.title, draft.root, None)], texts, strict=True)
    ]
    limits = [[limit for limit in work.limits if limit.of != "citation"] for work in works]
    for work, stated, told, read in zip([*works, None], [*limits, []], about, texts, strict=True):
        cells = tuple(
            _limit(stated, read)
            if column == "Limit"
            else told.get(column)
            if column in ABOUT
            else first_found(column, read)
            if column in FOUND
            else near.cell(column, read)
            for column in columns
        )
        if work is None:
            rows.append(TableRow("", THIS_WORK, None, cells))
            continue
        paper = work.paper
        arxiv_id = paper.id.value if paper is not None and paper.id.on_arxiv else None
        rows.append(TableRow(work.key, _name(work), arxiv_id, cells))
    return rows


def _name(work: DiscussedWork) -> str:
    """How a reader knows a work: "Lee and Bo (2018)", or its title."""
    paper = work.paper
    if paper is None or not paper.authors:
        return work.title or work.key
    who = cited_people(paper.authors)
    return f"{who} ({paper.published.year})" if paper.published.year > 1 else who


def _title_of(work: DiscussedWork) -> StatedPassage | None:
    title = work.paper.title if work.paper is not None else ""
    return StatedPassage(title, "title", work.paper.id.value, "", 0, len(title)) if work.paper is not None else None


def phrases_about(title: Source | None, texts: Sequence[SplitText], embed: Embed) -> dict[str, TableCell]:
    """The cells on what the work is about: of the phrases of its title and abstract those nearest to the title."""
    if title is None or not title.text:
        return {}
    abstract = [text for text in texts if not text.full]
    clauses = [
        (column, text.cell(*place))
        for column in ABOUT
        for text, find in ((SplitText(title), find_in_title), *((text, find_places) for text in abstract))
        for place in find(column, text.source.text)
    ]
    if not clauses:
        return {}
    vectors = embed([title.text, *(cell.text for _, cell in clauses)])
    cosines = np.round(vectors[1:] @ vectors[0], 6)
    cells: dict[str, TableCell] = {}
    for row in np.argsort(-cosines, kind="stable"):
        column, cell = clauses[int(row)]
        if cosines[row] >= ABOUT[column]:
            cells.setdefault(column, cell)
    return cells


def first_found(column: str, texts: Sequence[SplitText]) -> TableCell | None:
    """The first cell of a column on the data or the code."""
    cells = (text.cell(*place) for text in texts for place in find_places(column, text.source.text))
    return next(cells, None)


def _limit(stated: Sequence[StatedPassage], texts: Sequence[SplitText]) -> TableCell | None:
    own = (text.source for text in texts if isinstance(text.source, OwnSentence) and is_own_limit(text.source.text))
    sources: list[Source] = [*stated, *own]
    for source in sources:
        text = source.text.rstrip(" .!")
        if len(text.split()) <= _LONGEST_LIMIT:
            return SplitText(source).cell(0, len(text))
    return None


class _Nearness:
    """Columns of the author's, and the clauses that say what they ask."""

    def __init__(self, columns: Sequence[str], tools: Tools) -> None:
        self.embed = tools.index.embed
        asked = [column.rstrip("? ") for column in columns]
        self.vectors = dict(zip(columns, self.embed(asked), strict=True)) if asked else {}

    def cell(self, column: str, texts: Sequence[SplitText]) -> TableCell | None:
        worded = [clause for clause in _clauses(texts) if has_all_words(column, clause[2])]
        clauses = worded or [clause for clause in _clauses(texts) if not clause[0].full]
        clauses = clauses[:_MOST_CLAUSES]
        if not clauses:
            return None
        cosines = np.round(self.embed([text for _, _, text in clauses]) @ self.vectors[column], 6)
        best = int(cosines.argmax())
        text, place, _ = clauses[best]
        return text.cell(*place) if worded or cosines[best] >= NEAR else None


def _clauses(texts: Sequence[SplitText]) -> Iterator[tuple[SplitText, tuple[int, int], str]]:
    for text in texts:
        of_draft = isinstance(text.source, OwnSentence)
        for start, end in find_clauses(text.source.text, speaking=of_draft):
            yield text, (start, end), text.source.text[start:end]

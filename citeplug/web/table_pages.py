"""The comparison table in the review page: what works say they do and report, and further cells that are recorded.

The record comes with the project, from co-authors too: what is not as it should be in it is left out.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import Any, get_args

from starlette.requests import Request
from starlette.responses import Response

from citeplug.errors import CiteplugError
from citeplug.positioning.stated import does_of, result_of
from citeplug.positioning.table_rows import ABOUT, COLUMNS
from citeplug.project.find_project import Project
from citeplug.project.provenance import read_provenance
from citeplug.records.finding import Finding
from citeplug.records.paper import LIBRARY, ArxivId, Paper
from citeplug.records.provenance import RecordedSource
from citeplug.records.section import SourceText
from citeplug.related.section.review import ReviewedSection
from citeplug.related.section.shown_sources import marked_in_text
from citeplug.web.frame import PageFrame
from citeplug.web.ledger import part_in, text_in
from citeplug.web.runs import Run
from citeplug.web.section_pages import heading_of, sentences_of
from citeplug.web.section_prose import works_of

_TEXTS: Mapping[str, SourceText] = {of: of for of in get_args(SourceText)}
_SAYS = {"What it does": does_of, "What it reports": result_of}


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A cell as it is recorded; `place` is the file and line of a sentence of the draft."""

    text: str
    source: RecordedSource
    place: str


class TablePages:
    """The handlers; `pages` renders them."""

    def __init__(self, pages: PageFrame) -> None:
        self._pages = pages
        pages.templates.globals["compares"] = self._compares

    @property
    def get(self) -> Mapping[str, Callable[[Request], Response]]:
        return {"/table": self.table}

    @property
    def post(self) -> Mapping[str, Callable[[Request], Response]]:
        return {"/table": lambda request: self._pages.begin("The table", "/table", self._make)}

    def table(self, request: Request, error: CiteplugError | None = None) -> Response:
        review = self._pages.review
        project = review.project
        section = review.section(project)
        draft = review.draft()
        own = Paper(ArxivId(""), draft.title, " ".join(draft.abstract.split()), (), date.min, date.min)
        cells = {**_stated({"": own, **section.papers_by_key}), **_recorded(project)}
        columns, papers = _columns(cells), {**section.papers, "": own}
        works, places = works_of(section), _places(section)
        shown = {place: cell for place, cell in cells.items() if place[1] in columns}
        keys = [key for key in ("", *places) if any((key, column) in shown for column in columns)]
        named = request.query_params
        named_cell = (named.get("key", ""), named.get("column", ""))
        return self._pages.render(
            "table.html",
            request,
            error,
            cells=shown,
            columns=columns,
            works=works,
            groups=[
                (heading, list(group)) for heading, group in groupby(keys, lambda key: places.get(key, ("", ""))[0])
            ],
            places=places,
            ids={key: cell.source.arxiv_id for (key, _), cell in cells.items()},
            silent=[key for key in places if key not in keys and key in works],
            papers=papers,
            shown=named_cell if named_cell in shown else None,
            marks=lambda cell: marked_in_text(cell.source, papers, review.chosen),
            file=project.where.table.name,
        )

    def _compares(self, section: ReviewedSection) -> bool:
        """False for a table of a single column, which compares little."""
        return len(_columns({**_stated(section.papers_by_key), **_recorded(self._pages.review.project)})) > 1

    def _make(self, run: Run) -> tuple[str, Sequence[Finding]]:
        review = self._pages.review
        name, findings = run.in_process("table", root=review.project.root, settings=review.chosen)
        return f"{name} is up to date.", findings


def _places(section: ReviewedSection) -> dict[str, tuple[str, str]]:
    """Where the section first cites each work, by its key: the heading of the paragraph, and the sentence's name."""
    places: dict[str, tuple[str, str]] = {}
    for paragraph in section.paragraphs:
        for name, piece in sentences_of(paragraph):
            for cite in piece.sentence.cites if piece.sentence else ():
                entry = section.entries.get(cite)
                key = entry.key if entry else cite.removeprefix(LIBRARY)
                places.setdefault(key, (heading_of(paragraph, section), name))
    return places


def _stated(papers: Mapping[str, Paper]) -> dict[tuple[str, str], ShownCell]:
    """What the abstracts of papers plainly say, by key and column."""
    return {
        (key, column): ShownCell(passage.text, RecordedSource(passage.paper or None, quote=passage.text, of=of), "")
        for key, paper in papers.items()
        for column, say in _SAYS.items()
        for of in ("abstract" if key else "draft",)
        if (passage := say(paper))
    }


def _columns(cells: Mapping[tuple[str, str], ShownCell]) -> list[str]:
    """The columns that a quarter of the works fill."""
    filled = Counter(column for key, column in cells if key)
    least = max(2, len({key for key, _ in cells if key}) / 4)
    return [column for column in dict.fromkeys((*_SAYS, *COLUMNS, *filled)) if filled[column] >= least]


def _recorded(project: Project) -> dict[tuple[str, str], ShownCell]:
    """The cells of `citeplug table`; a task and a method that no model named say less than the works' own sentences."""
    rows = read_provenance(project.where.provenance).table
    return {
        (text_in(row, "key"), column): _cell(row)
        for row in rows
        if text_in(row, "text") and ((column := text_in(row, "column")) not in ABOUT or row.get("by"))
    }


def _cell(row: Mapping[str, Any]) -> ShownCell:
    source = part_in(row, "source")
    line = source.get("line")
    recorded = RecordedSource(
        text_in(source, "paper") or None,
        quote=text_in(source, "text"),
        of=_TEXTS.get(text_in(source, "of"), "draft"),
        section=text_in(source, "section"),
    )
    place = f"{text_in(source, 'file')}:{line}" if isinstance(line, int) else ""
    return ShownCell(text_in(row, "verdict") or text_in(row, "text"), recorded, place)

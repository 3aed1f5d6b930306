"""The comparison table in the review page: its cells, each with the passage that it is from.

The record comes with the project, from co-authors too: what is not as it should be in it is left out.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any, get_args

from starlette.requests import Request
from starlette.responses import Response

from citeplug.errors import CiteplugError
from citeplug.positioning.table_rows import COLUMNS
from citeplug.project.find_project import Project
from citeplug.project.provenance import read_provenance
from citeplug.records.finding import Finding
from citeplug.records.paper import LIBRARY, Paper
from citeplug.records.provenance import RecordedSource
from citeplug.records.section import SourceText
from citeplug.related.section.in_print import PrintedWork
from citeplug.related.section.review import Mark, ReviewedSection, marked_in_text
from citeplug.settings.environment import Settings
from citeplug.text.folding import fold_title
from citeplug.web.frame import PageFrame
from citeplug.web.ledger import part_in, text_in
from citeplug.web.runs import Run
from citeplug.web.section_pages import sentences_of, works_of

_TEXTS: Mapping[str, SourceText] = {of: of for of in get_args(SourceText)}


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
        cells = _cells(project)
        ids = {cell.source.arxiv_id for cell in cells.values() if cell.source.arxiv_id}
        papers = {paper.id.value: paper for paper in review.papers_named(sorted(ids))}
        section = review.section(project)
        works, places = works_of(section), _places(section)
        telling = _telling(cells, works)
        shown = {place: cell for place, cell in cells.items() if place[1] in telling}
        keys = sorted(
            dict.fromkeys(key for key, _ in shown),
            key=lambda key: (bool(key), [*places].index(key) if key in places else len(places)),
        )
        named = request.query_params
        named_cell = (named.get("key", ""), named.get("column", ""))
        return self._pages.render(
            "table.html",
            request,
            error,
            cells=shown,
            columns=sorted({column for _, column in shown}, key=lambda name: (*COLUMNS, name).index(name)),
            works=works,
            groups=[
                (heading, list(group)) for heading, group in groupby(keys, lambda key: places.get(key, ("", ""))[0])
            ],
            places=places,
            ids={key: cell.source.arxiv_id for (key, _), cell in cells.items()},
            silent=[key for key in places if key not in keys and key in works] if keys else [],
            papers=papers,
            shown=named_cell if named_cell in shown else None,
            marks=partial(_marks, papers=papers, settings=review.chosen),
            file=project.where.table.name,
        )

    def _compares(self, section: ReviewedSection) -> bool:
        """False for a table of a single column, which compares little."""
        cells = _cells(self._pages.review.project)
        return not cells or len(_telling(cells, works_of(section))) > 1

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
                places.setdefault(key, (paragraph.heading or f"Paragraph {paragraph.id.removeprefix('p')}", name))
    return places


def _cells(project: Project) -> dict[tuple[str, str], ShownCell]:
    rows = read_provenance(project.where.provenance).table
    return {(text_in(row, "key"), text_in(row, "column")): _cell(row) for row in rows if text_in(row, "text")}


def _telling(cells: Mapping[tuple[str, str], ShownCell], works: Mapping[str, PrintedWork]) -> set[str]:
    """The columns that say more of a work than words of the title that stands beside them."""
    return {
        column
        for (key, column), cell in cells.items()
        if key and (key not in works or fold_title(cell.text) not in fold_title(works[key].title))
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


def _marks(cell: ShownCell, papers: Mapping[str, Paper], settings: Settings) -> Sequence[Mark]:
    return marked_in_text(cell.source, papers, settings)

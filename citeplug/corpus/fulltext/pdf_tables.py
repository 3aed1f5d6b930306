"""Tables in the lines of a PDF's page: rows of cells one below the other, beside a caption that says so."""

import re
from collections.abc import Iterator, Sequence

from citeplug.corpus.fulltext.pdf_lines import Cell, Line
from citeplug.text.cleaning import plain
from citeplug.text.table_rows import row_sentences

_CAPTION = re.compile(r"table\s+[A-Z]?(?:\d{1,3}|[IVX]{1,6})\b\s*[.:|—–-]?\s*", re.IGNORECASE)
_BESIDE = 6  # lines between a caption's first line and its table
_FEWEST = 3  # rows
_STEP = 3.0  # sizes of letters, at most, from one row to the next


def find_tables(lines: Sequence[Line]) -> dict[int, tuple[int, list[str]]]:
    """Where tables begin, with where they end, half-open, and their rows as sentences."""
    found = {}
    for start, stop in _runs(lines):
        caption = _caption(lines, start, stop)
        sentences = [] if caption is None else row_sentences(caption, _grid(lines[start:stop]))
        if sentences:
            found[start] = (stop, sentences)
    return found


def _runs(lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """Lines of several cells that follow each other downwards."""
    start = 0
    for at in range(1, len(lines) + 1):
        goes_on = at < len(lines) and bool(lines[at].cells) and bool(lines[at - 1].cells)
        if goes_on and 0 < lines[at - 1].bottom - lines[at].bottom < _STEP * lines[at].size:
            continue
        if at - start >= _FEWEST and lines[start].cells:
            yield start, at
        start = at


def _caption(lines: Sequence[Line], start: int, stop: int) -> str | None:
    """The caption above or below; None if there is none."""
    above = [at for at in range(max(0, start - _BESIDE), start) if _CAPTION.match(lines[at].text)]
    if above:
        place = slice(above[-1], start)
    elif stop < len(lines) and _CAPTION.match(lines[stop].text):
        place = slice(stop, stop + _BESIDE)
    else:
        return None
    text = "".join(line.text + ("" if line.broken else " ") for line in lines[place])
    return plain(_CAPTION.sub("", text, count=1))


def _grid(lines: Sequence[Line]) -> list[list[str]]:
    """The cells of each row in the columns of the row that has most of them; a wide one in all that it spans."""
    columns = max((line.cells for line in lines), key=len)
    rows = []
    for line in lines:
        row = [""] * len(columns)
        for cell in line.cells:
            for at in _columns_of(cell, columns):
                row[at] = f"{row[at]} {cell.text}".strip()
        rows.append(row)
    return rows


def _columns_of(cell: Cell, columns: Sequence[Cell]) -> list[int]:
    over = [at for at, column in enumerate(columns) if cell.left < column.right and column.left < cell.right]
    middle = (cell.left + cell.right) / 2
    return over or [min(range(len(columns)), key=lambda at: abs((columns[at].left + columns[at].right) / 2 - middle))]

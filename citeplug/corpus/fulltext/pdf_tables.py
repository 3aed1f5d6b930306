"""Tables in the lines of a PDF's page: rows of cells one below the other, beside a caption that says so."""

import re
from collections.abc import Iterator, Sequence

from citeplug.corpus.fulltext.pdf_lines import Cell, Line
from citeplug.text.cleaning import plain
from citeplug.text.table_rows import row_lines

_CAPTION = re.compile(r"table\s+(?P<number>[A-Z]?(?:\d{1,3}|[IVX]{1,6}))\b\s*[.:|—–-]?\s*", re.IGNORECASE)
_BESIDE = 6  # lines between a caption's first line and its table
_CLOSE = 1.5  # sizes of letters, from one line of a caption to the next
_FEWEST = 3  # rows
_STEP = 3.0  # sizes of letters, at most, from one row to the next


def find_tables(lines: Sequence[Line]) -> dict[int, tuple[int, list[str]]]:
    """Where tables begin, with where they end, half-open, and their rows."""
    tables = {}
    for start, stop in _runs(lines):
        caption = _caption(lines, start, stop)
        rows = [] if caption is None else row_lines(*caption, _grid(lines[start:stop]))
        if rows:
            tables[start] = (stop, rows)
    return tables


def _runs(lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """Lines of several cells that follow each other downwards."""
    start = 0
    rows = [bool(line.cells) and not _CAPTION.match(line.text) for line in lines]
    for at in range(1, len(lines) + 1):
        goes_on = at < len(lines) and rows[at] and rows[at - 1]
        if goes_on and 0 < lines[at - 1].bottom - lines[at].bottom < _STEP * lines[at].size:
            continue
        if at - start >= _FEWEST and rows[start]:
            yield start, at
        start = at


def _caption(lines: Sequence[Line], start: int, stop: int) -> tuple[str, str] | None:
    """The table's name, and the caption above or below, the nearer one; None if there is none."""
    above = [at for at in range(max(0, start - _BESIDE), start) if _CAPTION.match(lines[at].text)]
    below = [stop] if stop < len(lines) and _CAPTION.match(lines[stop].text) else []
    places = [(at, _caption_end(lines, at)) for at in (*above[-1:], *below)]
    if not places:
        return None
    first, last = min(places, key=lambda place: _distance(lines, place, start, stop))
    text = "".join(line.text + ("" if line.broken else " ") for line in lines[first:last])
    named = _CAPTION.match(text)
    assert named is not None
    return f"Table {named['number']}", plain(text[named.end() :])


def _caption_end(lines: Sequence[Line], start: int) -> int:
    """Behind the lines of a caption, which are close to each other."""
    end = start + 1
    while (
        end < min(len(lines), start + _BESIDE)
        and 0 < lines[end - 1].bottom - lines[end].bottom < _CLOSE * lines[end].size
    ):
        end += 1
    return end


def _distance(lines: Sequence[Line], caption: tuple[int, int], start: int, stop: int) -> float:
    if caption[0] < start:
        return lines[caption[1] - 1].bottom - lines[start].bottom
    return lines[stop - 1].bottom - lines[caption[0]].bottom


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

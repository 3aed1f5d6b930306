"""Rows of a table as sentences that can be read without it: the caption, the row's name, each cell with its title."""

import re
from collections.abc import Sequence

from citeplug.text.sentences import split_sentences

Grid = Sequence[Sequence[str]]  # cells by row and column; one that spans columns is in each of them

MOST_ROWS = 60  # of a table
_MOST_COLUMNS = 20
_LONGEST = 300  # characters of a caption or a cell
_NOTHING = re.compile(r"[\W_]*")
_NUMBER = re.compile(r"\d")


def row_sentences(caption: str, grid: Grid, headers: int | None = None) -> list[str]:
    """A sentence for each row below the `headers`; without these, below the first rows that have no numbers.

    None for what is no table: no row with titles above it, or no second column.
    """
    rows = [[cell[:_LONGEST].strip() for cell in row[:_MOST_COLUMNS]] for row in grid[:MOST_ROWS]]
    width = max(map(len, rows), default=0)
    count = _headers(rows) if headers is None else headers
    if width < 2 or not 0 < count < len(rows):
        return []
    titles = [
        " ".join(dict.fromkeys(row[at] for row in rows[:count] if at < len(row) and row[at])) for at in range(width)
    ]
    said = caption[slice(*next(iter(split_sentences(caption)), (0, 0)))][:_LONGEST].rstrip(". :")
    name, sentences = "", []
    for row in rows[count:]:
        name = row[0] if row and row[0] else name
        cells = [f"{titles[at]} {cell}".strip() for at, cell in enumerate(row) if at and not _NOTHING.fullmatch(cell)]
        if cells:
            sentences.append(": ".join(filter(None, (said, name, ", ".join(cells)))).rstrip(".") + ".")
    return sentences


def _headers(rows: Grid) -> int:
    return next((at for at, row in enumerate(rows) if any(_NUMBER.search(cell) for cell in row[1:])), 0)

"""Rows of a table as lines that can be read without it: `Table 2 | its caption | row: cell (title of its column).`

No author wrote such a line, so that it is never quoted as one: `shown_row` is what a reader sees.
"""

import re
from collections.abc import Sequence

from citeplug.text.sentences import split_sentences

Grid = Sequence[Sequence[str]]  # cells by row and column; one that spans columns is in each of them

MOST_ROWS = 60  # of a table
_MOST_COLUMNS = 20
_LONGEST = 300  # characters of a caption or a cell
_NOTHING = re.compile(r"[\W_]*")
_NUMBER = re.compile(r"\d")
_BAR = " | "  # between the parts
_ROW = re.compile(r"(?P<table>Table(?: [\w.]{1,8})?) \| (?:[^|\n]* \| )?(?P<cells>[^|\n]+?)\.?")


def row_lines(table: str, caption: str, grid: Grid, headers: int | None = None) -> list[str]:
    """A line for each row below the `headers`; without these, below the first rows that have no numbers.

    `table` names it: `Table 2`, or `Table` without a number. None for what is no table:
    no row with titles above it, or no second column.
    """
    rows = [[_part(cell) for cell in row[:_MOST_COLUMNS]] for row in grid[:MOST_ROWS]]
    width = max(map(len, rows), default=0)
    count = _headers(rows) if headers is None else headers
    if width < 2 or not 0 < count < len(rows):
        return []
    titles = [
        " ".join(dict.fromkeys(row[at] for row in rows[:count] if at < len(row) and row[at])) for at in range(width)
    ]
    first_sentence = _part(caption[slice(*next(iter(split_sentences(caption)), (0, 0)))]).rstrip(". :")
    name, lines = "", []
    for row in rows[count:]:
        name = row[0] if row and row[0] else name
        filled = [(titles[at], cell) for at, cell in enumerate(row) if at and not _NOTHING.fullmatch(cell)]
        if filled:
            cells = ", ".join(f"{cell} ({title})" if title else cell for title, cell in filled)
            lines.append(
                _BAR.join(filter(None, (table, first_sentence, f"{name}: {cells}" if name else cells))).rstrip(".")
                + "."
            )
    return lines


def shown_row(line: str) -> str | None:
    """A row for a reader, `MNIST: 99.2 (Accuracy), Table 2`; None for what is no row."""
    row = _ROW.fullmatch(line)
    return f"{row['cells']}, {row['table']}" if row else None


def _part(text: str) -> str:
    return text[:_LONGEST].replace("|", " ").strip()


def _headers(rows: Grid) -> int:
    return next((at for at, row in enumerate(rows) if any(_NUMBER.search(cell) for cell in row[1:])), 0)

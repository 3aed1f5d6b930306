"""The lines of a PDF's pages in reading order, without running heads, page numbers and stamps."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from citeplug.corpus.fulltext.pdf_lines import Line, Page

_EDGE = 0.1  # of a page's height, above and below, where running heads and page numbers are
_HEAD = 0.15  # of its height, above which a line apart from the text may be a head
_FOOT = 0.2  # of its height below which the lowest line may be its number
_AT_EDGE = 3  # lines of an edge that may be such
_OFTEN = 3  # pages that have the same running head
_APART = 1.0  # height of letters between a head and the text; lines of the text have half of it between them
_PAGE_NUMBER = re.compile(
    r"(?:page\s*)?[-–—]?\s*(?:\d{1,4}|[ivxl]{1,6})\s*[-–—]?(?:\s*(?:of|/)\s*\d{1,4})?", re.IGNORECASE
)
_STAMP = re.compile(r"^arXiv:\S+\s+\[")
_DIGITS = re.compile(r"\d+|\b[ivxlc]+\b", re.IGNORECASE)
_COLUMN = 0.2  # of a page's lines that are on either side of the middle where there are two columns
_MOST_SWITCHES = 2  # from right to left, beyond those of the full-width lines: the file is in reading order


def in_reading_order(pages: Sequence[Page]) -> list[Page]:
    """The pages with the lines that belong to their text, column by column."""
    heads, bands = _running_heads(pages), _bands_apart(pages)
    lines_of_text = [
        replace(page, lines=tuple(line for line in page.lines if not _beside(page, line, heads, bands)))
        for page in pages
    ]
    return [replace(page, lines=tuple(_by_columns(page))) for page in lines_of_text]


def _at_edges(page: Page) -> list[Line]:
    high = sorted((line for line in page.lines if line.bottom > page.height * (1 - _EDGE)), key=lambda line: -line.top)
    low = sorted((line for line in page.lines if line.top < page.height * _EDGE), key=lambda line: line.bottom)
    return high[:_AT_EDGE] + low[:_AT_EDGE]


def _folded(line: Line) -> str:
    return _DIGITS.sub("#", line.text.casefold())


def _running_heads(pages: Sequence[Page]) -> set[str]:
    seen = Counter(text for page in pages for text in {_folded(line) for line in _at_edges(page)})
    return {text for text, count in seen.items() if count >= _OFTEN}


def _bands_apart(pages: Sequence[Page]) -> set[int]:
    """Heights at which half of the pages have a head apart from their text: one that names the section differs."""
    bands = Counter(band for page in pages if (band := _band_apart(page)) is not None)
    return {band for band, count in bands.items() if count >= max(_OFTEN, len(pages) / 2)}


def _band_apart(page: Page) -> int | None:
    """The height of a page's highest lines, in points, where more than a line's distance parts them from the text."""
    lines = sorted(page.lines, key=lambda line: -line.top)
    if not lines or lines[0].bottom < page.height * (1 - _HEAD):
        return None
    below = next((line for line in lines if line.top < lines[0].bottom), None)
    if below is None or lines[0].bottom - below.top < _APART * lines[0].size:
        return None
    return round(lines[0].top)


def _beside(page: Page, line: Line, heads: set[str], bands: set[int]) -> bool:
    """True for what is printed beside the text: running heads, page numbers, arXiv's stamp in the margin."""
    if _STAMP.match(line.text) and (line.right < page.width * 0.1 or line.top - line.bottom > line.right - line.left):
        return True
    if line.top < page.height * _FOOT and _PAGE_NUMBER.fullmatch(line.text):
        return all(line.bottom <= other.bottom for other in page.lines)
    edge = line.bottom > page.height * (1 - _EDGE) or line.top < page.height * _EDGE
    if any(abs(line.top - band) < 2 for band in bands):
        return True
    if not edge or line not in _at_edges(page):
        return False
    return _folded(line) in heads or _PAGE_NUMBER.fullmatch(line.text) is not None


def _by_columns(page: Page) -> list[Line]:
    """The lines of a page of two columns in the order of reading; the file's own order where that is one.

    TeX writes column after column; other programs write lines across the page.
    """
    middle = _gutter(page)
    if middle is None:
        return list(page.lines)
    sides = [_side(line, middle) for line in page.lines]
    back = sum(1 for before, after in pairwise(sides) if (before, after) == ("right", "left"))
    bands = 1 + sum(1 for before, after in pairwise(sides) if before != "full" and after == "full")
    if back <= bands - 1 + _MOST_SWITCHES:
        return list(page.lines)
    lines_in_order: list[Line] = []
    held: list[tuple[str, Line]] = []
    for side, line in sorted(zip(sides, page.lines, strict=True), key=lambda pair: -pair[1].top):
        if side == "full":
            lines_in_order += _column_by_column(held)
            held = []
            lines_in_order.append(line)
        else:
            held.append((side, line))
    return lines_in_order + _column_by_column(held)


def _column_by_column(held: list[tuple[str, Line]]) -> list[Line]:
    return [line for wanted in ("left", "right") for side, line in held if side == wanted]


def _gutter(page: Page) -> float | None:
    lines = [line for line in page.lines if line.right - line.left > page.width * 0.2]
    if len(lines) < 10:
        return None
    middle = page.width / 2
    left = [line.right for line in lines if line.right <= middle + 5]
    right = [line.left for line in lines if line.left >= middle - 5]
    if min(len(left), len(right)) < _COLUMN * len(lines):
        return None
    return (median(left) + median(right)) / 2


def _side(line: Line, middle: float) -> str:
    if line.right <= middle + 5:
        return "left"
    return "right" if line.left >= middle - 5 else "full"

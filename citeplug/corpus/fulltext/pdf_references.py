"""Lists of references of a PDF, cut into entries by marks, hanging lines, or the white space between."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

from citeplug.bibtex.printed_list import marked_starts, reference_at
from citeplug.corpus.fulltext.pdf_lines import Line
from citeplug.records.passage import Reference

# A line and the number of its page.
Placed = tuple[int, Line]

_INDENT = 4.0  # points, at least, by which all lines of an entry but its first are set in
_DEEPEST = 60.0
_ALIGNED = 2.0
_OFTEN = 0.1  # of the lines, where indents or gaps show the entries
_WIDER = 1.2  # than the distance of two lines: a gap
_SHORT = 12.0  # points that a last line lacks


def references_of_lists(lists: Sequence[Sequence[Placed]]) -> Iterator[Reference]:
    """The references of a document, numbered throughout; the place of each is its page."""
    number = 0
    for lines in lists:
        marked = marked_starts([line.text for _, line in lines])
        starts = marked or _starts(lines)
        for begin, end in pairwise([*starts, len(lines)]):
            number += 1
            text = "".join(line.text + ("" if line.broken else " ") for _, line in lines[begin:end])
            yield reference_at(text, number, lines[begin][0], marked=bool(marked))


def _starts(lines: Sequence[Placed]) -> list[int]:
    if not lines:
        return []
    columns = list(_columns(lines))
    return sorted({0, *(_by_indent(lines, columns) or _by_gaps(lines, columns))})


def _columns(lines: Sequence[Placed]) -> Iterator[range]:
    """The stretches of lines that go down one column of a page."""
    begin = 0
    for at, ((page, before), (next_page, line)) in enumerate(pairwise(lines), 1):
        if page != next_page or line.bottom > before.bottom + line.size:
            yield range(begin, at)
            begin = at
    yield range(begin, len(lines))


def _by_indent(lines: Sequence[Placed], columns: Sequence[range]) -> list[int]:
    """The lines at the margin of their column; none where nothing hangs."""
    margins = [min(lines[at][1].left for at in column) for column in columns]
    depths = [
        depth
        for column, margin in zip(columns, margins, strict=True)
        for at in column
        if _INDENT < (depth := lines[at][1].left - margin) < _DEEPEST
    ]
    if len(depths) < _OFTEN * len(lines):
        return []
    hang = median(depths)
    sure = [
        margin
        for column, margin in zip(columns, margins, strict=True)
        if any(abs(lines[at][1].left - margin - hang) < _ALIGNED for at in column)
    ]
    starts = []
    for column, margin in zip(columns, margins, strict=True):
        if margin not in sure and any(abs(margin - other - hang) < _ALIGNED for other in sure):
            continue  # the rest of an entry, and nothing else
        starts += [at for at in column if lines[at][1].left - margin < hang / 2]
    return starts


def _by_gaps(lines: Sequence[Placed], columns: Sequence[range]) -> list[int]:
    """The lines below a gap, or else those below a last line, which ends a sentence before the margin."""
    pairs = [(a, b) for column in columns for a, b in pairwise(column)]
    steps = [lines[a][1].bottom - lines[b][1].bottom for a, b in pairs]
    usual = median(steps) if steps else 0.0
    gaps = [b for (_, b), step in zip(pairs, steps, strict=True) if step > _WIDER * usual]
    below = [column[0] for column in columns if column[0] and lines[column[0] - 1][1].text.endswith(".")]
    if len(gaps) >= _OFTEN * len(lines):
        return [*gaps, *below]
    rights = {at: max(lines[other][1].right for other in column) for column in columns for at in column}
    ends = {at for at, (_, line) in enumerate(lines) if line.text.endswith(".")}
    return [*below, *(b for a, b in pairs if a in ends and lines[a][1].right < rights[a] - _SHORT)]

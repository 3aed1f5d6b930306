"""The tables of a document, row by row, each cell with the title of its column."""

import re
from collections.abc import Iterator

from citeplug.latex.parse import EnvironmentSpan, Facts
from citeplug.text.table_rows import MOST_ROWS, row_lines

_GROUPS = {"tabular": 1, "tabular*": 2, "tabularx": 2, "tabulary": 2, "longtable": 1, "tabu": 1}
_FLOATS = ("table", "table*", "wraptable", "sidewaystable", "sidewaystable*", "longtable", "minipage")
_CAPTION = re.compile(r"\\caption\s*[\[{]")  # \caption* has no number
_RULE = re.compile(
    r"\\(?:toprule|bottomrule|addlinespace|cmidrule|cline|morecmidrules|specialrule|rule|rowcolor|noalign)"
    r"(?![A-Za-z])\s*(?:\[[^\]]*\]|\([^)]*\)|\{[^{}]*\})*"
)
_BELOW_TITLES = re.compile(r"\\(?:midrule|hline|Xhline|specialrule)(?![A-Za-z])(?:\[[^\]]*\])?")
_SPANNING = re.compile(r"\s*\\multicolumn\s*\{\s*(\d{1,2})\s*\}")
_OF_ROWS = re.compile(r"\s*\\multirow\s*(?:\[[^\]]*\])?\s*(?=\{)")
_BREAK = re.compile(r"\\\\\*?(?:\[[^\]]*\])?|\\tabularnewline(?![A-Za-z])|\\.|[&{}]", re.DOTALL)


def table_rows(facts: Facts, start: int, stop: int, captions: list[tuple[int, str]]) -> tuple[str, ...]:
    """The rows of the tables from `start` to `stop`; `captions` are those in between, with their places."""
    blocks = [block for block in facts.blocks if block.name in _GROUPS and start <= block.start and block.stop <= stop]
    tables: list[str] = []
    for block in blocks:
        if not any(block.inner <= other.start < block.stop for other in blocks if other is not block):
            grid, headers = _grid(facts, block)
            tables += row_lines(*_caption(facts, block, captions), grid, headers)
    return tuple(tables)


def _caption(facts: Facts, block: EnvironmentSpan, captions: list[tuple[int, str]]) -> tuple[str, str]:
    """`Table 2`, or `Table` where its number is not known, and the caption in its smallest float that has any."""
    around = [b for b in facts.blocks if b.name in _FLOATS and b.start <= block.start and block.stop <= b.stop]
    for outer in sorted(around, key=lambda block: block.stop - block.start):
        inside = [(abs(at - block.start), at, text) for at, text in captions if outer.start <= at < outer.stop]
        if inside:
            _, at, text = min(inside)
            return _name(facts, at), text
    return "Table", ""


def _name(facts: Facts, caption: int) -> str:
    """By the captions of tables before it; an appendix may number anew."""
    floats = [(block.start, block.stop) for block in facts.blocks if block.name in _FLOATS[:-1]]
    places = [match.start() for match in _CAPTION.finditer(facts.string)]
    numbered = [at for at in places if any(start < at < stop for start, stop in floats)]
    if caption not in numbered or 0 <= facts.string.find(r"\appendix") < caption:
        return "Table"
    return f"Table {numbered.index(caption) + 1}"


def _grid(facts: Facts, block: EnvironmentSpan) -> tuple[list[list[str]], int | None]:
    """The cells, and how many rows stand above the first rule that is below one; None without such a rule."""
    at = block.inner
    for _ in range(_GROUPS[block.name]):
        option = facts.source.option(at)
        group = facts.source.group(option[1] + 1 if option else at)
        if group is None:
            return [], None
        at = group[1] + 1
    rows: list[list[str]] = []
    headers: int | None = None
    for begin, cuts in _rows(facts.string, at, block.stop):
        rule = _BELOW_TITLES.search(facts.string, begin, cuts[0])
        if rule and rows and headers is None:
            headers = len(rows)
        cells = [text for here, end in zip([begin, *cuts], cuts, strict=False) for text in _cell(facts, here, end)]
        if any(cells) and len(rows) < MOST_ROWS:
            rows.append(cells)
    return rows, headers


def _rows(string: str, start: int, stop: int) -> Iterator[tuple[int, list[int]]]:
    """Where each row begins, and where its cells end."""
    begin, cuts, depth = start, [], 0
    for match in _BREAK.finditer(string, start, stop):
        sign = match[0]
        depth += (sign == "{") - (sign == "}")
        if depth == 0 and sign == "&":
            cuts.append(match.start())
        elif depth == 0 and sign.startswith(("\\\\", "\\tabularnewline")):
            yield begin, [*cuts, match.start()]
            begin, cuts = match.end(), []
    yield begin, [*cuts, stop]


def _cell(facts: Facts, start: int, stop: int) -> list[str]:
    """The text of a cell, as often as it has columns."""
    start = facts.string.startswith("&", start, stop) + start
    while rule := re.compile(rf"\s*(?:{_RULE.pattern}|{_BELOW_TITLES.pattern})").match(facts.string, start, stop):
        start = rule.end()
    columns = 1
    if spanning := _SPANNING.match(facts.string, start, stop):
        columns, start = int(spanning[1]), spanning.end()
        start, stop = _last_of(facts, start, stop, 2)
    elif several := _OF_ROWS.match(facts.string, start, stop):
        start, stop = _last_of(facts, several.end(), stop, 3)
    return [facts.plain_line(start, max(start, stop))] * min(columns, 20)


def _last_of(facts: Facts, start: int, stop: int, count: int) -> tuple[int, int]:
    """The inside of the last of `count` arguments; all of it if they are not there."""
    group = (start, stop)
    for _ in range(count):
        argument = facts.source.group(start)
        if argument is None or argument[1] > stop:
            return group
        group, start = argument, argument[1] + 1
    return group

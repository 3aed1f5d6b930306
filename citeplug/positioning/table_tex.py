r"""The LaTeX of a comparison table, and the three-way merge of its file: last generated, the author's, newly generated.

    % citeplug:table sha256=9c1b22ad
    \begin{table}[t]
    ...

The mark has the hash of what was generated below it, by which the base of the next merge is found (`merge_bases`). A cell
that the author left alone is replaced by its new version; one that was changed stays, and so do columns, rows and all
text of the author's. What the author deleted stays deleted.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from citeplug.records.comparison import THIS_WORK
from citeplug.section_file.cite_style import keys_in_order
from citeplug.text.cleaning import collapsed
from citeplug.text.tex_print import to_latex
from citeplug.text.three_way_merge import merge_sequences

_BEGIN = re.compile(r"\\begin\{(tabularx|tabular\*|tabulary|tabular|longtable|xltabular)\}")
_WITH_WIDTH = frozenset({"tabularx", "tabular*", "tabulary", "xltabular"})
_RULES = re.compile(
    r"(?:\s+|%[^\r\n]*(?:\r\n|\r|\n|\Z)|\\(?:top|mid|bottom|specialr)rule(?:\[[^\]]*\])?|\\hline\b"
    r"|\\cmidrule(?:\([^)]*\))?\{[^}]*\}|\\cline\{[^}]*\}|\\addlinespace(?:\[[^\]]*\])?|\\rowcolor\{[^}]*\}"
    r"|\\end(?:first)?(?:head|foot)\b)*"
)
_ROW_END = re.compile(r"\\\\\*?(?:[ \t]*\[[^\]\r\n]*\])?[ \t]*")
_COLUMN = r">{\raggedright\arraybackslash\hspace{0pt}}X"
_SPEC_END = re.compile(r"(?:\s|\||@\{[^{}]*\})*\Z")


@dataclass(frozen=True, slots=True)
class _Row:
    """A row byte for byte: rules and comments before it, its cells, and the `\\\\` that ends it."""

    lead: str
    cells: tuple[str, ...]
    end: str

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(map(collapsed, self.cells))

    @property
    def key(self) -> str:
        """The work that it cites first in its head, or what the head says."""
        return next(iter(keys_in_order(self.cells[0])), self.texts[0])

    @property
    def tex(self) -> str:
        return self.lead + "&".join(self.cells) + self.end


@dataclass(frozen=True, slots=True)
class ParsedTable:
    """A table in its file, byte for byte: `head + "{" + spec + "}" + rows + foot`; the first row is the header."""

    head: str
    spec: str
    rows: tuple[_Row, ...]
    foot: str

    @property
    def columns(self) -> tuple[str, ...]:
        return self.rows[0].texts

    @property
    def tex(self) -> str:
        return f"{self.head}{{{self.spec}}}{''.join(row.tex for row in self.rows)}{self.foot}"


def print_table(
    columns: Sequence[str],
    rows: Sequence[tuple[str, Sequence[str]]],
    caption: str,
    packages: tuple[str, ...],
    *,
    wide: bool,
) -> str:
    r"""The table's LaTeX, without its mark. A row is its head, as LaTeX, and its cells, as plain text."""
    environment, width = ("table*", r"\textwidth") if wide else ("table", r"\linewidth")
    lines = [
        rf"\begin{{{environment}}}[t]",
        r"  \centering\small",
        rf"  \caption{{{to_latex(caption, packages)}}}",
        r"  \label{tab:related}",
        rf"  \begin{{tabularx}}{{{width}}}{{{_spec(len(columns))}}}",
        r"    \toprule",
        _line("Work", [to_latex(column, packages) for column in columns]),
        r"    \midrule",
        *(_line(head, [cell_tex(cell, packages) for cell in cells]) for head, cells in rows),
        r"    \bottomrule",
        r"  \end{tabularx}",
        rf"\end{{{environment}}}",
    ]
    return "\n".join(lines) + "\n"


def _line(head: str, cells: Sequence[str]) -> str:
    return f"    {head}{''.join(f' & {cell}'.rstrip() for cell in cells)} \\\\"


def cell_tex(text: str, packages: tuple[str, ...]) -> str:
    """A cell as LaTeX; an address may break behind its slashes."""
    tex = to_latex(text, packages).strip()
    return tex.replace("/", "/\\allowbreak{}") if text and " " not in text else tex


def parse_table(text: str) -> ParsedTable | None:
    """The first table of a text; None if there is none that can be read."""
    begin = _BEGIN.search(text)
    if begin is None:
        return None
    at = begin.end()
    if begin[1] in _WITH_WIDTH:
        at = _group_end(text, at) or at
    option = re.compile(r"\s*(?:\[[^\]]*\])?\s*").match(text, at)
    at = option.end() if option is not None else at
    end = _group_end(text, at)
    stop = text.find(f"\\end{{{begin[1]}}}", at)
    if end is None or stop < end:
        return None
    rows, foot = _rows(text, end, stop)
    return ParsedTable(text[:at], text[at + 1 : end - 1], tuple(rows), foot + text[stop:]) if rows else None


def merge_tables(base: str, ours: str, theirs: str, asked: Collection[str] = ()) -> str | None:
    """The author's version with what is new; None if a version cannot be read. `asked`: columns to be added in any case."""
    old, mine, new = parse_table(base), parse_table(ours), parse_table(theirs)
    if old is None or mine is None or new is None:
        return None
    of_base = _same_columns(old.columns, mine.columns)
    there = {*mine.columns, *(name for name in of_base if name is not None)}
    added = [name for name in new.columns if name not in there and (name not in old.columns or name in asked)]
    before, after = ({row.key: row for row in version.rows[1:]} for version in (old, new))

    def wider(row: _Row, source: _Row | None) -> _Row:
        cells = (source.texts[new.columns.index(name)] if source is not None else "" for name in added)
        padded = (f" {cell}{' ' if cell else ''}" for cell in cells)
        return replace(row, cells=(*row.cells, *padded)) if added and len(row.cells) == len(mine.columns) else row

    header = wider(mine.rows[0], new.rows[0])
    rows: list[_Row] = []
    for row in mine.rows[1:]:
        was, now = before.get(row.key), after.get(row.key)
        if was is not None and now is None and row.texts == was.texts:
            continue  # the section does not discuss the work any more
        if was is not None and now is not None and len(row.cells) == len(mine.columns):
            row = replace(row, cells=tuple(_cells(row, was, now, of_base, old.columns, new.columns)))
        rows.append(wider(row, now if was is not None else None))
    keys = {row.key for row in mine.rows[1:]}
    more = [
        wider(replace(row, cells=tuple(_in_columns(row, of_base, new.columns))), row)
        for row in new.rows[1:]
        if row.key not in before and row.key not in keys
    ]
    at = next((at for at, row in enumerate(rows) if row.key == THIS_WORK), len(rows))
    if at == 0 and rows and more:
        more[0], rows[0] = replace(more[0], lead=rows[0].lead), replace(rows[0], lead=more[0].lead)
    elif more and rows:
        more = [replace(row, lead=_indent(rows[-1].lead)) for row in more]
    merged = [header, *rows[:at], *more, *rows[at:]]
    return ParsedTable(
        _merged_lines(old.head, mine.head, new.head),
        _merged_spec(old, mine, len(added), len(header.cells) - 1),
        tuple(merged),
        _merged_lines(old.foot, mine.foot, new.foot),
    ).tex


def _spec(columns: int) -> str:
    return f"@{{}}l*{{{columns}}}{{{_COLUMN}}}@{{}}"


def _merged_spec(old: ParsedTable, mine: ParsedTable, added: int, columns: int) -> str:
    generated = re.escape(_spec(0)).replace(r"\{0\}", r"\{\d+\}")
    if collapsed(mine.spec) == collapsed(old.spec) or re.fullmatch(generated, mine.spec.strip()):
        return _spec(columns)
    end = _SPEC_END.search(mine.spec)
    at = end.start() if end is not None else len(mine.spec)
    return mine.spec[:at] + _COLUMN * added + mine.spec[at:]


def _merged_lines(base: str, ours: str, theirs: str) -> str:
    cut = [text.splitlines(keepends=True) for text in (base, ours, theirs)]
    return "".join(merge_sequences(cut[0], cut[1], cut[2], collapsed))


def _same_columns(old: Sequence[str], mine: Sequence[str]) -> list[str | None]:
    """For each of the author's columns its name in the base, None for a new one; one in the place of another is renamed."""
    names: list[str | None] = [name if name in old else None for name in mine]
    for what, a, a_end, b, b_end in SequenceMatcher(None, old, mine, autojunk=False).get_opcodes():
        if what == "replace" and a_end - a == b_end - b:
            for place in range(b, b_end):
                former = old[a + place - b]
                names[place] = names[place] or (former if former not in mine else None)
    return names


def _cells(
    row: _Row, was: _Row, now: _Row, of_base: Sequence[str | None], old: Sequence[str], new: Sequence[str]
) -> list[str]:
    cells = []
    for raw, name in zip(row.cells, of_base, strict=True):
        before = _at(was, old, name)
        after = _at(now, new, name)
        if before is not None and after is not None and collapsed(raw) == before and after != before:
            lead, trail = raw[: len(raw) - len(raw.lstrip())], raw[len(raw.rstrip()) :]
            raw = f"{lead or ' '}{after}{trail or ' '}" if raw.strip() else f" {after} "
        cells.append(raw)
    return cells


def _in_columns(row: _Row, of_base: Sequence[str | None], new: Sequence[str]) -> list[str]:
    cells = (_at(row, new, name) or "" for name in of_base)
    return [f" {cell} " if at and cell else cell + " " if cell else " " for at, cell in enumerate(cells)]


def _at(row: _Row, columns: Sequence[str], name: str | None) -> str | None:
    place = columns.index(name) if name in columns else -1
    return row.texts[place] if 0 <= place < len(row.texts) else None


def _indent(lead: str) -> str:
    newline = "\r\n" if "\r\n" in lead else "\n"
    return newline + re.split(r"[\r\n]", lead)[-1]


def _rows(text: str, start: int, stop: int) -> tuple[list[_Row], str]:
    """The rows between two places, and what stands behind the last one: rules, or a row that is not ended."""
    rows: list[_Row] = []
    while True:
        rules = _RULES.match(text, start, stop)
        at = rules.end() if rules is not None else start
        cells: list[str] = []
        depth, cell, position = 0, at, at
        end: re.Match[str] | None = None
        while position < stop and end is None:
            sign = text[position]
            if sign == "\\" and not depth and (end := _ROW_END.match(text, position, stop)) is not None:
                break
            if sign == "%":
                line = re.compile(r"[^\r\n]*").match(text, position, stop)
                position = line.end() if line is not None else stop
                continue
            if sign == "&" and not depth:
                cells.append(text[cell:position])
                cell = position + 1
            depth += (sign == "{") - (sign == "}")
            position += 2 if sign == "\\" else 1
        if end is None:
            return rows, text[start:stop]
        rows.append(_Row(text[start:at], (*cells, text[cell : end.start()]), end[0]))
        start = end.end()


def _group_end(text: str, at: int) -> int | None:
    """The place behind the group in braces that begins at `at`, None if none does."""
    depth = 0
    for position in range(at, len(text)):
        depth += (text[position] == "{") - (text[position] == "}")
        if depth <= 0:
            return position + 1 if position > at else None
    return None

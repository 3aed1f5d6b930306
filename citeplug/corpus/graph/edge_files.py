"""Files of citations by id, `{"id": ..., "cited": [...]}` a line, taken into the graph in bounded memory."""

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import chain
from pathlib import Path
from typing import Any

from citeplug.corpus.database import Database
from citeplug.corpus.graph.tables import add_given, drop_cited_index, make_cited_index
from citeplug.files.json_lines import JsonLines, read_json
from citeplug.records.paper import ArxivId

_AT_ONCE = 200_000  # edges of one write: some 60 MB
_MANY = 400_000  # edges of one run after which the index of citers is better made anew
# Ids as they are kept; `ArxivId.parse` reads any other form, in three times the time.
_PLAIN = re.compile(
    r"(?:(?:0[7-9]|1[0-4])(?:0[1-9]|1[0-2])\.\d{4}|(?:1[5-9]|[2-9]\d)(?:0[1-9]|1[0-2])\.\d{5}"
    r"|[a-z]+(?:-[a-z]+)?/\d{2}(?:0[1-9]|1[0-2])\d{3})",
    re.ASCII,
)
_MOST_NUMBERS = 20  # of bad lines that are named


@dataclass(slots=True)
class EdgeReport:
    """Outcome of reading the lines. `edges` are new; `bad_ids`, `loops` and `doubled` were left out of their lists.

    `skipped` lines could not be read; `bad_lines` are (file, number) of the first of them. `problems` are messages.
    """

    lists: int = 0
    edges: int = 0
    skipped: int = 0
    bad_ids: int = 0
    loops: int = 0
    doubled: int = 0
    bad_lines: list[tuple[Path, int]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def skip(self, path: Path, number: int) -> None:
        self.skipped += 1
        if len(self.bad_lines) < _MOST_NUMBERS:
            self.bad_lines.append((path, number))


class _EdgeLines(JsonLines):
    """The lists of one file; what cannot be used is counted in `report`."""

    def __init__(self, path: Path, report: EdgeReport) -> None:
        super().__init__(path)
        self._report = report

    def too_long(self, number: int) -> None:
        self._report.skip(self.path, number)

    def __iter__(self) -> Iterator[tuple[str, set[str]]]:
        for number, line in self.lines():
            try:
                yield self._list(read_json(line))
            except (ValueError, TypeError):
                self._report.skip(self.path, number)

    def _list(self, record: object) -> tuple[str, set[str]]:
        if not isinstance(record, dict):
            raise ValueError("not a list of references")
        citing, listed = _value(record.get("id")), record.get("cited")
        if not isinstance(listed, list):
            raise ValueError("no list")
        cited: set[str] = set()
        for item in listed:
            try:
                value = _value(item)
            except (ValueError, TypeError):
                self._report.bad_ids += 1
                continue
            if value == citing:
                self._report.loops += 1
            elif value in cited:
                self._report.doubled += 1
            else:
                cited.add(value)
        return citing, cited


def _value(text: Any) -> str:
    """The id without version. Raises ValueError or TypeError for what is none."""
    return text if _PLAIN.fullmatch(text) else ArxivId.parse(text).value


def add_edge_files(
    database: Database, files: Sequence[Path], day: date, progress: Callable[[int, int], None] | None = None
) -> EdgeReport:
    """Take in the files, each write whole or not at all; what was there stays, so that a run may be repeated.

    `progress` is called with bytes read and bytes to read. Raises UnreadableInput for a file that cannot be opened,
    before anything is written.
    """
    began, report = time.monotonic(), EdgeReport()
    readers = [_EdgeLines(path, report) for path in files]
    total = sum(reader.size for reader in readers)

    def on_block() -> None:
        if progress is not None:
            progress(sum(reader.consumed for reader in readers), total)

    for reader in readers:
        reader.on_block = on_block
    seen = 0
    try:
        for part in _parts(chain.from_iterable(readers)):
            count = sum(map(len, part.values()))
            with database.writing() as (db, _):
                seen += count
                if seen >= _MANY:
                    drop_cited_index(db)
                report.edges += add_given(db, part, day.isoformat())
            report.lists += len(part)
            on_block()
    finally:
        with database.writing() as (db, _):
            make_cited_index(db)
    report.problems += [reader.truncated for reader in readers if reader.truncated]
    report.seconds = time.monotonic() - began
    return report


def _parts(lists: Iterator[tuple[str, set[str]]]) -> Iterator[dict[str, set[str]]]:
    """The lists in parts of bounded size, several of one paper in one part as one."""
    part: dict[str, set[str]] = {}
    count = 0
    for citing, cited in lists:
        part.setdefault(citing, set()).update(cited)
        count += len(cited) + 1
        if count >= _AT_ONCE:
            yield part
            part, count = {}, 0
    if part:
        yield part

"""Cells of `citeplug table` without a model: how often a column is filled, and cells for a reader to judge.

    python -m benchmarks.comparison_tables [--data ../shared/data] [--salt S] [--papers 500] [--cells 100] [--out FILE]

Papers of cs, eess and stat are drawn by hash with the salt from `arxiv_sample.jsonl.gz`. Printed are the share of
them that fill each column, whether every cell stands word for word in its title or abstract, and how many tables
of `latex/` cite in the heads of their rows, and could be a gold. FILE gets the cells that are to be judged, in equal
shares of the columns as far as there are as many, each with its sentence.

The rule by which a cell is judged. It is right if all of these hold, as the sentence and the title show:
1. it says of the work itself, and not of the works before it, what the column asks. Task: a problem, subject or purpose
   of the work; Method: what the work proposes, builds, studies or uses; Data: data, a benchmark or a corpus on which it
   is tried, or that it brings; Result: an outcome that it reports; Code: that code or data can be had, or where;
2. it is a phrase or clause of the language: it ends where a phrase ends, no list and no noun phrase is cut in two;
3. read beside the work's name it says something true, also without the words around it, and nothing that a cut turned
   into its opposite or into something much wider.
"""

import argparse
import gzip
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.gold import DATA
from benchmarks.selection import drawn
from citeplug.corpus.vectors.embedders import open_embedder
from citeplug.positioning.cells import COLUMNS
from citeplug.positioning.table_rows import ABOUT, Embed, SplitText, first_found, phrases_about
from citeplug.positioning.table_tex import parse_table
from citeplug.records.gaps import StatedPassage
from citeplug.section_file.cite_style import keys_in_order
from citeplug.text.cleaning import collapsed
from citeplug.text.sentences import sentences_of_paragraphs

_FIELDS = ("cs.", "eess.", "stat.")
_FEWEST_ROWS = 3  # that cite
_TABLE = re.compile(r"\\begin\{(?:tabular[xy*]?|longtable|xltabular)\}")


@dataclass(frozen=True, slots=True)
class FoundCell:
    """A cell, with the sentence that it is from."""

    paper: str
    title: str
    column: str
    text: str
    sentence: str


def abstracts(data: Path, salt: str, most: int) -> list[tuple[str, str, str]]:
    """Id, title and abstract of the papers that are drawn."""
    with gzip.open(data / "arxiv_sample.jsonl.gz", "rt", encoding="utf-8") as lines:
        records = [record for line in lines if (record := json.loads(line))["categories"].startswith(_FIELDS)]
    chosen = sorted(records, key=lambda record: drawn(salt + record["id"]))[:most]
    return [(record["id"], collapsed(record["title"]), collapsed(record["abstract"])) for record in chosen]


def cells_of(paper: str, title: str, abstract: str, embed: Embed) -> Iterator[FoundCell]:
    """The cells of a title and an abstract; raises AssertionError for one that is not in them word for word."""
    text = SplitText(StatedPassage(abstract, "abstract", paper, "", 0, len(abstract)))
    about = phrases_about(StatedPassage(title, "title", paper, "", 0, len(title)), [text], embed)
    for column in COLUMNS:
        cell = about.get(column) if column in ABOUT else first_found(column, [text])
        if cell is None or not isinstance(cell.source, StatedPassage):
            continue
        of, start = (title if cell.source.of == "title" else abstract), cell.source.start or 0
        assert cell.text and of[start : cell.source.end] == cell.text
        sentence = next((of[a:b] for a, b in sentences_of_paragraphs(of) if a <= start < b), of)
        yield FoundCell(paper, title, column, cell.text, sentence)


def gold_tables(data: Path) -> list[tuple[str, int]]:
    """Tables of the LaTeX folders of which three rows or more cite in their heads, each with the number of these."""
    found = []
    for file in sorted((data / "latex").rglob("*.tex")):
        text = file.read_bytes().decode("utf-8", "replace")
        for match in _TABLE.finditer(text):
            table = parse_table(text[match.start() :])
            rows = sum(bool(keys_in_order(row.cells[0])) for row in table.rows[1:]) if table is not None else 0
            if rows >= _FEWEST_ROWS:
                found.append((file.relative_to(data).as_posix(), rows))
    return found


def to_judge(cells: Sequence[FoundCell], most: int) -> list[FoundCell]:
    """The first cells of each column in turn, until there are `most`."""
    by_column = {column: [cell for cell in cells if cell.column == column] for column in COLUMNS}
    longest = max(map(len, by_column.values()), default=0)
    turns = (of[turn] for turn in range(longest) for of in by_column.values() if turn < len(of))
    return list(turns)[:most]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--salt", default="tables")
    parser.add_argument("--papers", type=int, default=500)
    parser.add_argument("--cells", type=int, default=100)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    papers = abstracts(given.data, given.salt, given.papers)
    embed = open_embedder(None).embed
    cells = [cell for paper in papers for cell in cells_of(*paper, embed)]
    print(f"{given.data / 'arxiv_sample.jsonl.gz'}: {len(papers)} abstracts, {len(cells)} cells, all word for word")
    print(f"{len(cells) / max(1, len(papers)):.2f} filled cells a row")
    for column in COLUMNS:
        filled = sum(cell.column == column for cell in cells)
        print(f"{column:8} {filled:4}  {filled / max(1, len(papers)):.0%}")
    gold = gold_tables(given.data)
    print(f"{given.data / 'latex'}: {len(gold)} tables with {_FEWEST_ROWS} rows or more that cite in their heads")
    for name, rows in gold:
        print(f"  {name}: {rows} rows")
    if given.out is not None:
        chosen = to_judge(cells, given.cells)
        texts = (
            f"## {number} {cell.column}: {cell.text}\n{cell.paper} {cell.title}\n{cell.sentence}\n"
            for number, cell in enumerate(chosen, 1)
        )
        given.out.write_text("\n".join(texts), "utf-8")


if __name__ == "__main__":
    main()

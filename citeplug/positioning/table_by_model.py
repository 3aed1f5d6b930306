"""Columns and cells of a comparison table as a model reads the texts, then each cell judged.

A cell must stand word for word in the text that the model names, or it is dropped and counted. The judge is asked anew
about all cells, those that words alone found among them; a cell of a column that asks yes or no needs a quotation that
decides.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from citeplug.errors import NotSent
from citeplug.positioning.by_model import Judging, note_failure
from citeplug.positioning.cells import LONGEST
from citeplug.positioning.table_rows import SplitText
from citeplug.prepare.asking import NUMBER, TEXT, ask_readable, text_of
from citeplug.protocols import LanguageModel
from citeplug.records.comparison import TableCell, TableRow
from citeplug.records.dialogue import Request
from citeplug.records.gaps import OwnSentence
from citeplug.text.cleaning import plain
from citeplug.text.json_text import list_of, number_of, numbered_items, object_of
from citeplug.text.material import LONGEST_TITLE, WARNING, fence, fence_number
from citeplug.text.sentences import sentences_of_paragraphs

_AT_ONCE = 5  # works in a request
_JUDGED_AT_ONCE = 20  # cells
_SECTIONS = 2  # of a full text
_LONGEST_TEXT = 4_000  # characters of a text
_SHOWN_FIRST = 1_000  # of each abstract, where columns are proposed
_COLUMNS = 3  # that a model may propose
_WORDS_OF_COLUMN = 4
_TELLING = re.compile(r"experiment|evaluat|result|data|set-?up|method|limitation", re.IGNORECASE)

COLUMNS_PROMPT = f"""You help the author of a research paper, the draft, to compare it with earlier works in a table.

{WARNING}

The table has the columns that are named. Propose up to {_COLUMNS} more that most of these works fill, that tell them apart, and on which the draft differs: a property of one to {_WORDS_OF_COLUMN} words, such as "handles noise" or "supervision". None if nothing is worth a column. Answer with JSON that fits the schema."""

CELLS_PROMPT = f"""You fill a table that compares research papers, each cell with words of the paper itself.

{WARNING}

For each work and each column give `cell`: a noun phrase or a clause of at most {LONGEST} words that says of this very work what the column asks, copied word for word, without a gap, from one of its texts, with the number of the `text`. It must be understood without what stands around it. Where the texts do not say it, leave the cell out: an empty cell is right, a guess is wrong. For a column that ends in a question mark give also `verdict`, yes or no, and as the cell the words that decide it; without such words leave the cell out. Answer with JSON that fits the schema, an object for each cell."""

JUDGING = f"""You check, as a careful referee would, the cells of a table that compares research papers.

{WARNING}

For each cell `holds` is true if the sentence that it is from says it of this very work, not of others, if it answers what the column asks, and if it can be understood by itself; and, where there is a verdict, if these words decide it. Answer with JSON that fits the schema, an object for each cell."""

PROPOSED = object_of({"columns": list_of(TEXT)})
CELLS = object_of(
    {"cells": list_of(object_of({"work": NUMBER, "column": NUMBER, "text": NUMBER, "cell": TEXT, "verdict": TEXT}))}
)
VERDICTS = object_of({"cells": list_of(object_of({"cell": NUMBER, "holds": {"type": "boolean"}}))})


@dataclass(slots=True)
class Filled:
    """The table as a model fills it; `notes` has what was dropped, and findings."""

    columns: list[str]
    rows: list[TableRow]
    notes: Judging = field(default_factory=lambda: Judging(()))


def fill_by_model(
    columns: Sequence[str],
    rows: Sequence[TableRow],
    texts: Sequence[Sequence[SplitText]],
    titles: Sequence[str],
    model: LanguageModel,
) -> Filled:
    """The table by the model; where it does not answer, what words alone found. Raises Cancelled, nothing else."""
    shown = [_shown(of_row) for of_row in texts]
    filled = Filled(list(columns), list(rows))
    _propose_columns(filled, shown, titles, model)
    if filled.notes.trouble is None or isinstance(filled.notes.trouble, NotSent):
        proposed = _propose_cells(filled, shown, titles, model)
        _judge(filled, proposed, texts, titles, model)
    filled.notes.dropped = +filled.notes.dropped
    return filled


def _shown(texts: Sequence[SplitText]) -> list[SplitText]:
    """What the model reads of a row: the abstract, and the sections that tell most."""
    full = [text for text in texts if text.full and not isinstance(text.source, OwnSentence)]
    telling = [text for text in full if _TELLING.search(getattr(text.source, "section", ""))]
    return [*(text for text in texts if not text.full), *telling[:_SECTIONS]]


def _propose_columns(
    filled: Filled, shown: Sequence[Sequence[SplitText]], titles: Sequence[str], model: LanguageModel
) -> None:
    abstracts = [
        plain(" ".join(text.source.text for text in of_row if not text.full))[:_SHOWN_FIRST] for of_row in shown
    ]
    titles = [plain(title)[:LONGEST_TITLE] for title in titles]
    number = fence_number([*titles, *abstracts, *filled.columns])
    lines = [fence(number, "columns of the table", ", ".join(filled.columns))]
    for at, (title, abstract) in enumerate(zip(titles, abstracts, strict=True)):
        what = "the draft" if at == len(titles) - 1 else f"work {at}"
        lines.append(fence(number, what, f"{title}\n{abstract}"))
    request = Request("plan", COLUMNS_PROMPT, "\n".join(lines), schema=PROPOSED, max_tokens=200, label="columns")

    def read(_: int, data: Mapping[str, Any], __: object) -> list[str] | None:
        named = data.get("columns")
        return [text_of(name).strip() for name in named[:_COLUMNS]] if isinstance(named, list) else None

    (answer,) = ask_readable(model, [request], read)
    if not isinstance(answer, list):
        note_failure(filled.notes, answer)
        return
    there = {column.lower() for column in filled.columns}
    for name in dict.fromkeys(answer):
        if 0 < len(name.split()) <= _WORDS_OF_COLUMN and name.lower() not in there:
            filled.columns.append(name[:1].upper() + name[1:])
    more = (None,) * (len(filled.columns) - len(filled.rows[0].cells))
    filled.rows = [replace(row, cells=(*row.cells, *more)) for row in filled.rows]


def _propose_cells(
    filled: Filled, shown: Sequence[Sequence[SplitText]], titles: Sequence[str], model: LanguageModel
) -> list[TableRow]:
    """The rows with the cells that the model finds; what it leaves out is as it was, for the judge to say."""
    known = [at for at, of_row in enumerate(shown) if of_row]
    batches = [known[start : start + _AT_ONCE] for start in range(0, len(known), _AT_ONCE)]
    proposed = list(filled.rows)

    def read(number: int, data: Mapping[str, Any], _: object) -> list[tuple[int, int, TableCell]] | None:
        items = data.get("cells")
        if not isinstance(items, list):
            return None
        batch = batches[number]
        owners = [(at, text) for at in batch for text in shown[at]]
        cells = []
        for work, item in numbered_items(items[: 2 * len(batch) * len(filled.columns)], "work", range(len(batch))):
            column, place = number_of(item.get("column")), number_of(item.get("text"))
            if column is None or place is None:
                continue
            if not (0 <= column < len(filled.columns) and 0 <= place < len(owners)):
                continue
            at, text = owners[place]
            cell = _cell(text, text_of(item.get("cell")), text_of(item.get("verdict")), filled.columns[column])
            if cell is None or at != batch[work]:
                filled.notes.dropped["no_quotation"] += 1
            else:
                cells.append((at, column, cell))
        return cells

    requests = [_cells_request(filled.columns, batch, shown, titles) for batch in batches]
    for answer in ask_readable(model, requests, read):
        if not isinstance(answer, list):
            note_failure(filled.notes, answer)
            continue
        for at, column, cell in answer:
            cells = proposed[at].cells
            proposed[at] = replace(proposed[at], cells=(*cells[:column], cell, *cells[column + 1 :]))
    return proposed


def _cell(text: SplitText, quote: str, verdict: str, column: str) -> TableCell | None:
    """The cell, if its words stand in the text; one that asks yes or no must be answered."""
    words = quote.strip(" .;,").split()
    if not words or len(words) > LONGEST + 4:
        return None
    wanted = r"\s+".join(map(re.escape, words))
    match = re.search(rf"(?<![\w-]){wanted}(?![\w-])", text.source.text)
    if match is None:
        return None
    answer = verdict.strip().lower()
    answered: Literal["yes", "no"] | None = "yes" if answer == "yes" else "no" if answer == "no" else None
    cell = text.cell(*match.span())
    if not column.endswith("?"):
        return cell
    return replace(cell, verdict=answered) if answered is not None else None


def _judge(
    filled: Filled,
    proposed: Sequence[TableRow],
    texts: Sequence[Sequence[SplitText]],
    titles: Sequence[str],
    model: LanguageModel,
) -> None:
    asked = [
        (at, column) for at, row in enumerate(proposed) for column, cell in enumerate(row.cells) if cell is not None
    ]
    batches = [asked[start : start + _JUDGED_AT_ONCE] for start in range(0, len(asked), _JUDGED_AT_ONCE)]

    def read(number: int, data: Mapping[str, Any], _: object) -> dict[int, bool] | None:
        items = data.get("cells")
        if not isinstance(items, list):
            return None
        judged = numbered_items(items[: 2 * len(batches[number])], "cell", range(len(batches[number])))
        return {place: item.get("holds") is True for place, item in judged}

    requests = [_verdict_request(filled.columns, batch, proposed, texts, titles) for batch in batches]
    for batch, answer in zip(batches, ask_readable(model, requests, read), strict=True):
        if not isinstance(answer, dict):
            note_failure(filled.notes, answer)
            continue
        for place, (at, column) in enumerate(batch):
            if place not in answer:
                continue  # nobody judged it: what words alone found stays
            cells = filled.rows[at].cells
            cell = proposed[at].cells[column] if answer[place] else None
            filled.notes.dropped["not_borne_out"] += not answer[place]
            filled.rows[at] = replace(filled.rows[at], cells=(*cells[:column], cell, *cells[column + 1 :]))


def _cells_request(
    columns: Sequence[str], batch: Sequence[int], shown: Sequence[Sequence[SplitText]], titles: Sequence[str]
) -> Request:
    named = [plain(titles[at])[:LONGEST_TITLE] for at in batch]
    read = [[plain(text.source.text)[:_LONGEST_TEXT] for text in shown[at]] for at in batch]
    number = fence_number([*columns, *named, *(text for of_row in read for text in of_row)])
    shared = "\n".join(fence(number, f"column {at}", column) for at, column in enumerate(columns))
    lines, place = [], 0
    for at, (title, of_row) in enumerate(zip(named, read, strict=True)):
        lines.append(fence(number, f"title of work {at}", title))
        for text in of_row:
            lines.append(fence(number, f"text {place}, work {at}", text))
            place += 1
    return Request(
        "queries",
        CELLS_PROMPT,
        "\n".join(lines),
        shared=shared + "\n",
        schema=CELLS,
        max_tokens=300 + 60 * len(batch) * len(columns),
        label=named[0],
    )


def _verdict_request(
    columns: Sequence[str],
    batch: Sequence[tuple[int, int]],
    rows: Sequence[TableRow],
    texts: Sequence[Sequence[SplitText]],
    titles: Sequence[str],
) -> Request:
    parts: list[list[tuple[str, str]]] = []
    for at, column in batch:
        cell = rows[at].cells[column]
        if cell is None:
            continue
        parts.append(
            [
                ("title of the work", plain(titles[at])[:LONGEST_TITLE]),
                ("column", columns[column]),
                ("its words", cell.text),
                ("verdict", cell.verdict or ""),
                ("the sentence they are from", plain(_sentence_of(cell, texts[at]))[:_LONGEST_TEXT]),
            ]
        )
    number = fence_number(text for of_cell in parts for _, text in of_cell)
    lines = [
        fence(number, f"cell {at}: {name}", text) for at, of_cell in enumerate(parts) for name, text in of_cell if text
    ]
    return Request(
        "judge", JUDGING, "\n".join(lines), schema=VERDICTS, max_tokens=200 + 30 * len(parts), label=parts[0][0][1]
    )


def _sentence_of(cell: TableCell, texts: Sequence[SplitText]) -> str:
    """The sentence in which a cell stands."""
    source = cell.source
    if isinstance(source, OwnSentence) or source.start is None:
        return source.text
    for text in texts:
        of_text = text.source
        if not isinstance(of_text, OwnSentence) and (of_text.of, of_text.section) == (source.of, source.section):
            for start, end in sentences_of_paragraphs(of_text.text):
                if start <= source.start < end:
                    return of_text.text[start:end]
    return source.text

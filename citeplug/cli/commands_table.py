"""`citeplug table`: the works discussed in a draft, compared side by side."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from citeplug.cli import sending
from citeplug.cli.console import counted, finding_as_json, print_json, say, show_findings
from citeplug.cli.options import Formats, LocalModels, ModelOptions, OfflineOptions, language_model_option
from citeplug.cli.parameters import argument, command, option, parameters
from citeplug.llm.chosen_model import language_model
from citeplug.records.json_form import json_form

if TYPE_CHECKING:
    from citeplug.records.comparison import WrittenTable

_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet would compute


@parameters
class TableParams(ModelOptions, OfflineOptions, LocalModels, Formats):
    main: Path = argument("[MAIN.tex|DIR|PAPER.pdf]", default=Path())
    columns: tuple[str, ...] = option(
        "An extra column, such as 'handles noise'. With --llm, one that ends in '?' is answered yes or no. Repeatable.",
        "--column",
        metavar="TEXT",
        default=(),
    )
    form: Literal["latex", "csv", "markdown", "json"] = option(
        "latex and json write the file, and json also prints each cell with its source; csv and markdown only print the"
        " table.",
        "--format",
        default="latex",
    )
    llm: str | None = language_model_option(
        "It is sent your draft's title and abstract, with the works' abstracts and passages from their full texts."
        " Default: as set in your config.toml, else none: cells are found by their wording."
    )
    dry_run: bool = option("List the requests to a language model; send and write nothing.")


@command("Example: citeplug table main.tex --column 'handles noise'", not_shown=("models", "max_tokens"))
def table(params: TableParams) -> None:
    """Write related-table.tex, which compares the discussed works.

    There is a row for each work in the section (or, if there is none, each work that the draft cites), and your own
    work comes last. The columns are those of task, method, data, limitation and code that at least a quarter of the
    works fill; with --llm, also the result. Each cell is quoted word for word from the title, abstract or full text, or
    is empty if they say nothing; .citeplug/provenance.json records its source. Your edits are kept, and what you delete
    stays deleted.
    """
    from citeplug.positioning.table import make_table

    settings = params.settings_for(params.main)
    writes = params.format in ("latex", "json") and not params.dry_run
    with (
        language_model(params.model(rehearse=params.dry_run), settings, sending.announce_comparing) as model,
        params.progress() as reporter,
    ):
        made = make_table(params.main, settings, reporter.update, params.columns, model, keep=writes)
    if params.format == "json":
        print_json(table_as_json(made) | sending.as_json(model))
    elif params.format == "csv":
        say(_csv(made.grid).rstrip("\n"))
    elif params.format == "markdown":
        say(_markdown(made.grid))
    else:
        show_table_written(made, writes=writes)
        sending.show(model, params.level)
    show_findings(made.findings, params.level)


def show_table_written(made: "WrittenTable", *, writes: bool) -> None:
    """Say what was written."""
    rows = made.table.rows
    filled = sum(cell is not None for row in rows for cell in row.cells)
    if rows:
        state = "written" if made.changed else "not written" if not writes else "unchanged"
        columns = counted(len(made.table.columns), "column", "columns")
        shape = f"{counted(len(rows) - 1, 'work', 'works')} and the draft, {columns}"
        say(f"{made.path}: {state}; {shape}, {counted(filled, 'quotation', 'quotations')}")


def _csv(grid: Sequence[Sequence[str]]) -> str:
    out = io.StringIO()
    rows = ([f"'{cell}" if cell.startswith(_FORMULA) else cell for cell in row] for row in grid)
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def _markdown(grid: Sequence[Sequence[str]]) -> str:
    from citeplug.ask.shown import escaped

    lines = [f"| {' | '.join(escaped(cell).replace('|', chr(92) + '|') for cell in row)} |" for row in grid]
    rule = f"|{'---|' * len(grid[0])}" if grid else ""
    return "\n".join([*lines[:1], rule, *lines[1:]])


def table_as_json(made: "WrittenTable") -> dict[str, Any]:
    """The document of `citeplug table --json`."""
    table = made.table
    return {
        "path": str(made.path),
        "changed": made.changed,
        "tex": made.tex,
        "columns": list(table.columns),
        "rows": [
            {
                "key": row.key or None,
                "name": row.name,
                "arxiv_id": row.arxiv_id,
                "cells": [
                    json_form(cell) | {"column": column}
                    for column, cell in zip(table.columns, row.cells, strict=True)
                    if cell is not None
                ],
            }
            for row in table.rows
        ],
        "columns_dropped": [{"column": column, "cells": filled} for column, filled in table.dropped],
        "by": table.by,
        "dropped": dict(table.refused),
        "findings": [finding_as_json(finding) for finding in made.findings],
    }

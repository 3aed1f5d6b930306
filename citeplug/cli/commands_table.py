"""`citeplug table`: the works that a draft discusses, side by side, in their own words."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from citeplug.cli.console import finding_as_json, print_json, say, show_findings
from citeplug.cli.options import Formats, LocalModels, ModelOptions, OfflineOptions, language_model_option
from citeplug.cli.parameters import argument, command, option, parameters
from citeplug.records.json_form import json_form

if TYPE_CHECKING:
    from citeplug.records.comparison import WrittenTable

_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet would compute


@parameters
class TableParams(ModelOptions, OfflineOptions, LocalModels, Formats):
    main: Path = argument("[MAIN.tex|DIR|PAPER.pdf]", default=Path())
    columns: tuple[str, ...] = option(
        "A further column, such as 'handles noise'; one that ends in '?' is answered yes or no with --llm. Repeatable.",
        "--column",
        metavar="TEXT",
        default=(),
    )
    form: Literal["latex", "csv", "markdown", "json"] = option(
        "latex writes the file, and so does json, which prints the cells with their places; csv and markdown print the"
        " table and write nothing.",
        "--format",
        default="latex",
    )
    llm: str | None = language_model_option(
        "Title and abstract of your draft are sent to it, with the works' abstracts and passages of their full texts."
        " Default: as in your config.toml, else none: cells are found by words."
    )
    dry_run: bool = option("List the requests to a language model, and send none; writes nothing.")


@command("Example: citeplug table main.tex --column 'handles noise'", not_shown=("models", "max_tokens"))
def table(params: TableParams) -> None:
    """Write related-table.tex: the works that a draft discusses, side by side, in their own words.

    A row for each work in the section, or without one for each that the draft cites; the draft's own comes last. Of
    task, method, data, limit and code those are shown that a quarter of the works fill, and with --llm the result. A
    cell is a phrase of the title, abstract or full text, word for word, and empty where they say nothing; its place is
    in .citeplug/provenance.json. Your edits stay, and what you delete stays deleted.
    """
    from citeplug.cli import sending
    from citeplug.llm.chosen_model import language_model
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
        say(f"{made.path}: {state}; {len(rows)} rows, {len(made.table.columns)} columns, {filled} quotations")


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
    found = made.table
    return {
        "path": str(made.path),
        "changed": made.changed,
        "tex": made.tex,
        "columns": list(found.columns),
        "rows": [
            {
                "key": row.key or None,
                "name": row.name,
                "arxiv_id": row.arxiv_id,
                "cells": [
                    json_form(cell) | {"column": column}
                    for column, cell in zip(found.columns, row.cells, strict=True)
                    if cell is not None
                ],
            }
            for row in found.rows
        ],
        "columns_dropped": [{"column": column, "cells": filled} for column, filled in found.dropped],
        "by": found.by,
        "dropped": dict(found.refused),
        "findings": [finding_as_json(finding) for finding in made.findings],
    }

"""`citeplug table`: a table of the works that a draft discusses, each cell word for word from a text, and its file.

works -> texts of each -> cells -> columns that enough works fill -> with a model: proposed and judged -> merged, written
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from citeplug.corpus.stores import Report
from citeplug.errors import WouldOverwrite
from citeplug.files.atomic import Change, write_together
from citeplug.files.decode import decode
from citeplug.latex.plain import plain_line
from citeplug.positioning.by_model import Judging
from citeplug.positioning.table_by_model import fill_by_model
from citeplug.positioning.table_rows import COLUMNS, find_rows, texts_of_draft, texts_of_work
from citeplug.positioning.table_tex import merge_tables, parse_table, print_table
from citeplug.positioning.works import entries_of_works, read_works
from citeplug.project.any_draft import read_any_draft
from citeplug.project.author_files import as_tex_path, bytes_or_none, encoded, one_at_a_time, read_exactly
from citeplug.project.find_project import Project, find_project
from citeplug.project.merge_bases import base_changes, prune_bases, read_bases
from citeplug.project.provenance import read_provenance
from citeplug.protocols import LanguageModel
from citeplug.records.comparison import THIS_WORK, ComparisonTable, TableCell, TableRow, WrittenTable
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding
from citeplug.records.gaps import OwnSentence
from citeplug.records.json_form import json_form
from citeplug.records.paper import Paper
from citeplug.records.plan import PlanParagraph
from citeplug.records.section import Generated, Sentence
from citeplug.related.section.files_before import record_change, without_equal
from citeplug.related.tools import open_tools
from citeplug.section_file.cite_style import CiteStyle, cite_style
from citeplug.section_file.grammar import has_conflict_marks, marked_table, recorded_hash, text_hash
from citeplug.section_file.print_sentence import print_sentence
from citeplug.settings.environment import Settings
from citeplug.text.cleaning import plain
from citeplug.text.language import language_of
from citeplug.text.tex_print import to_latex

_MOST_ROWS = 15  # that fit a page of one column in 11 points, by a table of 21 that did not
_CAPTION = "Comparison with related work, in the words of each work."
_NEEDED = ("booktabs", "tabularx")
_CLASS = re.compile(r"^[^%\n]*\\documentclass\s*(?:\[([^\]]*)\])?", re.MULTILINE)
# Classes and packages, without their years, that set two columns unless an option says otherwise.
_TWO_COLUMNS = frozenset(
    "ieeetran ieeeconf ieeecs ieee mnras aa acl naacl emnlp eacl cvpr iccv wacv icml aaai ijcai".split()
)
_OPTIONS_OF_TWO = frozenset("twocolumn reprint sigconf sigplan sigchi siggraph acmtog 5p".split())
_OPTIONS_OF_ONE = frozenset("onecolumn draftcls draftclsnofoot peerreview 1p 3p preprint manuscript".split())


def make_table(
    main: Path,
    settings: Settings,
    report: Report,
    columns: Sequence[str] = (),
    model: LanguageModel | None = None,
    *,
    keep: bool = True,
) -> WrittenTable:
    """The comparison table of the works that the section discusses, or without one of those that the draft cites.

    It is merged into its file beside the section's, `related-table.tex`, and written with its record unless `keep` is
    False. `columns` are further ones that the author asks for. Raises CorpusEmpty, UnreadableInput, WouldOverwrite for
    a file that cannot be merged, CannotWrite.
    """
    project = find_project(main)
    path = project.where.table
    draft = read_any_draft(project.root)
    asked = list(dict.fromkeys(column for name in columns if (column := plain(name).strip())))
    before = _current(path)
    known = [plain_line(column) for column in _columns_of_base(project, before)]
    entries, _ = entries_of_works(draft, project.where)
    with open_tools(settings, online=False) as tools:
        works, read, looked = read_works(draft, entries, tools, report)
        texts = [*(texts_of_work(work) for work in read), texts_of_draft(draft)]
        report("fill the table", 0, None)
        all_columns = list(dict.fromkeys([*COLUMNS, *(("Result",) if model is not None else ()), *known, *asked]))
        rows = find_rows(draft, works, texts, all_columns, tools)
    notes = Judging(())
    if model is not None and works:
        report("judge", 0, None)
        titles = [*(work.title for work in works), draft.title]
        filled = fill_by_model(all_columns, rows, texts, titles, model)
        all_columns, rows, notes = filled.columns, filled.rows, filled.notes
    table = _with_common_columns(all_columns, rows, {*known, *asked})
    table = replace(table, by=model.name if model is not None else None, refused=dict(notes.dropped))
    table = replace(table, findings=tuple(notes.findings))
    findings = _findings(draft, table, path, looked.abstracts - looked.full_texts)
    style = cite_style(draft)
    papers = {row.key: work.paper for row, work in zip(table.rows, read, strict=False) if work.paper is not None}
    tex = _print(draft, table, style, papers)
    with one_at_a_time(settings.home, project.root):
        text = _merged(project, path, _current(path), tex, [to_latex(column, style.packages) for column in asked])
        changes = _changes(project, path, text, tex, table) if keep and table.columns else []
        write_together(changes)
        if changes and (old := recorded_hash(before or "")[0]):
            prune_bases(project.where.project, [old], [text])
    grid = _grid(text, table)
    written = any(change.path == path for change in changes)
    return WrittenTable(path, table, text, grid, written, (*findings, *table.findings))


def _current(path: Path) -> str | None:
    """The text of the table's file, None if there is none. Raises WouldOverwrite if another wrote it."""
    if bytes_or_none(path) is None:
        return None
    text = read_exactly(path)[0]
    if has_conflict_marks(text):
        raise WouldOverwrite(
            f"{path} has the marks of an unfinished merge (<<<<<<<); it was not touched", "resolve the conflict first"
        )
    if text.strip() and recorded_hash(text)[0] is None:
        raise WouldOverwrite(f"{path} was not written by citeplug; it was not touched", "move it, or delete it")
    return text


def _base(project: Project, text: str | None) -> str | None:
    """The table as it was generated for the file, None where that is not known."""
    sha = recorded_hash(text or "")[0]
    if text is None or sha is None:
        return None
    below = recorded_hash(text)[1]
    if text_hash(below) == sha:
        return below
    bases = read_bases(project.where.project).blocks.get(sha, ())
    return "\n".join(bases[0].lines) + "\n" if bases else None


def _columns_of_base(project: Project, text: str | None) -> tuple[str, ...]:
    parsed = parse_table(_base(project, text) or "")
    return parsed.columns[1:] if parsed is not None else ()


def _merged(project: Project, path: Path, text: str | None, tex: str, asked: Sequence[str]) -> str:
    """The file's new text. Raises WouldOverwrite where the author's table cannot be read, or its base is not known."""
    if text is None or not text.strip():
        return marked_table(tex)
    sha, below = recorded_hash(text)
    base = _base(project, text)
    if sha is not None and text_hash(below) == sha:
        merged: str | None = tex
    else:
        merged = merge_tables(base, below, tex, asked) if base is not None else None
    if merged is None:
        raise WouldOverwrite(
            f"{path} was changed so that it cannot be merged: it has no table that can be read, or the base of the merge"
            " is not in .citeplug/base; it was not touched",
            "move it, and run the command again",
        )
    return marked_table(tex).partition("\n")[0] + "\n" + merged


def _changes(project: Project, path: Path, text: str, tex: str, table: ComparisonTable) -> list[Change]:
    """The file, its base, and the record of the cells that stand in it as they were generated."""
    encode = read_exactly(path)[1] if bytes_or_none(path) is not None else str.encode
    base = Generated(PlanParagraph("table", "", (), 0), (), tuple(tex.rstrip("\n").split("\n")))
    record = read_provenance(project.where.provenance)
    folder = project.where.project
    rows = tuple(
        {"key": row.key, "column": column, **_cell_form(cell, folder), "by": table.by}
        for row in table.rows
        for column, cell in zip(table.columns, row.cells, strict=True)
        if cell is not None
    )
    return without_equal(
        [
            *base_changes(folder, [base], ()),
            Change(path, encoded(text, path, encode), within=folder),
            record_change(project.where, replace(record, table=rows)),
        ]
    )


def _cell_form(cell: TableCell, folder: Path) -> dict[str, Any]:
    """A cell as JSON has it, with a file's path from the project's folder: co-authors have it elsewhere."""
    form: dict[str, Any] = json_form(cell)
    if isinstance(cell.source, OwnSentence):
        form["source"]["file"] = as_tex_path(cell.source.file, folder)
    return form


def _with_common_columns(columns: Sequence[str], rows: Sequence[TableRow], required: set[str]) -> ComparisonTable:
    """The table with those columns that a quarter of the works fill, and two of several, and the `required` ones."""
    works = [row for row in rows if row.key]
    least = max(min(2, len(works)), len(works) / 4)
    filled = [sum(row.cells[at] is not None for row in works) for at in range(len(columns))]
    places = [at for at, column in enumerate(columns) if column in required or (works and filled[at] >= least)]
    dropped = tuple((column, filled[at]) for at, column in enumerate(columns) if at not in places)
    narrowed = tuple(replace(row, cells=tuple(row.cells[at] for at in places)) for row in rows) if works else ()
    return ComparisonTable(tuple(columns[at] for at in places if works), narrowed, dropped)


def _print(draft: Draft, table: ComparisonTable, style: CiteStyle, papers: dict[str, Paper]) -> str:
    heads = [_head(row, style, papers) for row in table.rows]
    cells = [[_shown(cell) for cell in row.cells] for row in table.rows]
    shown = list(zip(heads, cells, strict=True))
    return print_table(table.columns, shown, _CAPTION, style.packages, wide=_has_two_columns(draft))


def _shown(cell: TableCell | None) -> str:
    return "" if cell is None else cell.verdict or cell.text


def _head(row: TableRow, style: CiteStyle, papers: dict[str, Paper]) -> str:
    if not row.key:
        return THIS_WORK
    sentence = Sentence(f"{{{{author:{row.key}}}}}", "paper", (row.key,), ())
    return print_sentence(sentence, {row.key: row.key}, style, papers)[-1]


def _grid(text: str, table: ComparisonTable) -> list[list[str]]:
    """The file's table as plain text, row by row: what stands in it is the author's, or a cell as it was found."""
    parsed = parse_table(text)
    if parsed is None:
        return []
    names = {row.key or THIS_WORK: row.name for row in table.rows}
    known = {to_latex(shown): shown for row in table.rows for cell in row.cells if (shown := _shown(cell))}
    return [
        [
            names.get(row.key, plain_line(row.texts[0]))
            if at == 0 and row is not parsed.rows[0]
            else known.get(tex, plain_line(tex))
            for at, tex in enumerate(row.texts)
        ]
        for row in parsed.rows
    ]


def _has_two_columns(draft: Draft) -> bool:
    """True if the document is set in two columns, by its class and its options."""
    head = _CLASS.search(decode(bytes_or_none(draft.root) or b"").text) if draft.is_latex else None
    options = {option.strip().lower() for option in (head[1] or "").split(",")} if head is not None else set()
    if options & _OPTIONS_OF_ONE:
        return False
    loaded = {(draft.document_class or "").lower(), *draft.packages}
    return bool(options & _OPTIONS_OF_TWO) or any(re.sub(r"[_\d.-].*", "", name) in _TWO_COLUMNS for name in loaded)


def _findings(draft: Draft, table: ComparisonTable, path: Path, without_full: int) -> list[Finding]:
    if not table.rows:
        fix = f"write a section first, with 'citeplug related {draft.root.name}', or cite the works in the draft"
        return [Finding("no_works", "info", "neither a section nor the draft cites a work", draft.root, fix=fix)]
    findings = []
    works = len(table.rows) - 1
    if table.dropped:
        counts = ", ".join(f"{column} ({filled} of {works})" for column, filled in table.dropped)
        more = (
            f"'citeplug fetch --cited {draft.root.name} --online' gets full texts, which say more"
            if without_full
            else None
        )
        message = f"columns left out, as too few works fill them: {counts}"
        findings.append(Finding("columns_dropped", "info" if table.columns else "warning", message, path, fix=more))
    if missing := [name for name in _NEEDED if name not in draft.packages and draft.is_latex]:
        message = f"the draft does not load {' and '.join(missing)}, which the table needs"
        fix = f"add \\usepackage{{{','.join(missing)}}} to the preamble"
        findings.append(Finding("package_missing", "warning", message, draft.root, fix=fix))
    name = as_tex_path(path, draft.root.parent)
    if draft.is_latex and Path(name) not in draft.files and path not in {draft.root.parent / f for f in draft.files}:
        fix = f"put \\input{{{name.removesuffix('.tex')}}} where the table belongs"
        findings.append(
            Finding("table_not_inserted", "info", f"the draft does not include {name} yet", draft.root, fix=fix)
        )
    if works > _MOST_ROWS:
        fix = "delete rows; they stay deleted"
        findings.append(Finding("table_long", "info", f"{works} works may not fit on a page", path, fix=fix))
    if table.by is None and (language := language_of(draft)) != "English":
        message = f"the draft seems to be in {language}: without a model, only English is supported"
        fix = "choose a model with --llm NAME"
        findings.append(Finding("language_not_supported", "info", message, draft.root, fix=fix))
    return findings

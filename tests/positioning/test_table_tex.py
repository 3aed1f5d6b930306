"""The merge of a comparison table: what the author changed or deleted stays, what was left alone is replaced."""

import pytest

from citeplug.positioning.table_tex import merge_tables, parse_table, print_table
from citeplug.section_file.grammar import marked_table, recorded_hash

ROWS = [(r"\citet{lee}", ["edges", "a sampler"]), (r"\citet{bo}", ["nodes", ""]), ("This work", ["", "a model"])]
BASE = print_table(["Task", "Method"], ROWS, "Works & words.", (), wide=False)


def table(*rows: tuple[str, list[str]], columns: tuple[str, ...] = ("Task", "Method")) -> str:
    return print_table(columns, rows, "Works & words.", (), wide=False)


def test_a_table_is_read_byte_for_byte() -> None:
    parsed = parse_table(BASE)
    assert parsed is not None and parsed.tex == BASE
    assert parsed.columns == ("Work", "Task", "Method") and [row.key for row in parsed.rows[1:]] == [
        "lee",
        "bo",
        "This work",
    ]
    assert recorded_hash(marked_table(BASE))[1] == BASE
    assert parse_table("no table") is None and parse_table(r"\begin{tabular}{ll a & b \\") is None


def test_a_cell_that_was_left_alone_is_replaced_and_one_that_was_changed_stays() -> None:
    ours = BASE.replace("a sampler", "my own words")
    new = table(("\\citet{lee}", ["all edges", "another"]), ("\\citet{bo}", ["nodes", "a net"]), ROWS[2])
    merged = merge_tables(BASE, ours, new)
    assert merged == ours.replace("& edges", "& all edges").replace("nodes & \\\\", "nodes & a net \\\\")
    assert merge_tables(new, merged or "", new) == merged


def test_a_column_and_a_row_that_the_author_deleted_stay_deleted_until_the_column_is_asked_for() -> None:
    ours = table(("\\citet{lee}", ["a sampler"]), ("This work", ["a model"]), columns=("Method",))
    new = table(*ROWS, (r"\citet{cy}", ["rivers", "a boat"]))
    merged = merge_tables(BASE, ours, new)
    assert merged is not None and "Task" not in merged and "bo" not in merged.replace("bottom", "").replace("boat", "")
    assert [row.texts for row in parse_table(merged).rows[1:]] == [  # type: ignore[union-attr]
        (r"\citet{lee}", "a sampler"),
        (r"\citet{cy}", "a boat"),
        ("This work", "a model"),
    ]
    again = merge_tables(BASE, ours, new, ["Task"])
    assert again is not None and r"Work & Method & Task \\" in again and "*{2}{" in again


def test_columns_rows_and_layout_of_the_author_stay() -> None:
    ours = (
        BASE.replace("Method", "How")
        .replace("@{}l*{2}", "@{}l|*{2}")
        .replace("\\bottomrule", "\\citet{own} & mine & mine too \\\\\n    \\bottomrule")
        .replace("Works \\& words.", "My caption.")
    )
    new = table(*((head, [*cells, "code"]) for head, cells in ROWS), columns=("Task", "Method", "Code"))
    merged = merge_tables(BASE, ours, new)
    assert merged is not None and "My caption." in merged and r"& How & Code \\" in merged
    assert r"\citet{own} & mine & mine too & \\" in merged and "@{}l|*{2}" in merged
    assert merged.count("hspace") == 2, "the column that was added has its own place in the author's layout"


def test_a_work_that_is_no_longer_discussed_goes_unless_its_row_was_edited() -> None:
    new = table(ROWS[0], ROWS[2])
    assert merge_tables(BASE, BASE, new) == new
    merged = merge_tables(BASE, BASE.replace("nodes", "my nodes"), new)
    assert merged is not None and r"\citet{bo} & my nodes" in merged


def test_rows_that_are_none_are_left_as_they_are() -> None:
    ours = BASE.replace(r"\midrule", "\\midrule\n    \\multicolumn{3}{l}{Sampling} \\\\ % a & b\n   ")
    new = table(("\\citet{lee}", ["new", "a sampler"]), *ROWS[1:])
    assert merge_tables(BASE, ours, new) == ours.replace("& edges", "& new")


@pytest.mark.parametrize("text", [r"a \& b & c \\", r"\cmd{a & b} & c \\[2pt]", "a % x & y\n & c \\\\"])
def test_only_an_ampersand_that_parts_cells_does(text: str) -> None:
    parsed = parse_table(f"\\begin{{tabular}}{{ll}}\n{text}\n\\end{{tabular}}")
    assert parsed is not None and len(parsed.rows[0].cells) == 2


def test_what_is_in_a_cell_does_nothing() -> None:
    printed = print_table(["A & B"], [("This work", [r"\input{x} & 5% #"])], "c", (), wide=True)
    assert r"\textbackslash{}input\textbraceleft{}x\textbraceright{} \& 5\% \#" in printed and r"A \& B" in printed
    assert r"\begin{table*}[t]" in printed

"""Rows of tables as lines."""

from hypothesis import given
from hypothesis import strategies as st

from citeplug.text.cleaning import plain
from citeplug.text.table_rows import row_lines, shown_row

GRID = [["Model", "Accuracy", "Time"], ["Ours", "91.2", "3 s"], ["Theirs", "88.0", "-"]]


def test_a_row_has_the_caption_its_name_and_the_title_of_each_cell() -> None:
    rows = row_lines("Table 2", "Results on MNIST. Best of three.", GRID)
    assert rows == [
        "Table 2 | Results on MNIST | Ours: 91.2 (Accuracy), 3 s (Time).",
        "Table 2 | Results on MNIST | Theirs: 88.0 (Accuracy).",
    ]
    assert [shown_row(row) for row in rows] == [
        "Ours: 91.2 (Accuracy), 3 s (Time), Table 2",
        "Theirs: 88.0 (Accuracy), Table 2",
    ]
    assert shown_row("Table 2 shows P(a | b) of both.") is None


def test_titles_of_several_rows_are_joined_and_a_name_goes_on() -> None:
    grid = [["", "Accuracy", "Accuracy"], ["Data", "GCN", "GAT"], ["Cora", "81", "83"], ["", "82", "84"]]
    assert row_lines("Table", "", grid) == [
        "Table | Cora: 81 (Accuracy GCN), 83 (Accuracy GAT).",
        "Table | Cora: 82 (Accuracy GCN), 84 (Accuracy GAT).",
    ]


def test_what_has_no_titles_or_one_column_is_no_table() -> None:
    assert row_lines("Table", "Numbers", [["1", "2"], ["3", "4"]]) == []
    assert row_lines("Table", "Words", [["one"], ["two 2"]]) == []
    assert row_lines("Table", "Nothing", []) == []


@given(st.text(max_size=60), st.lists(st.lists(st.text(max_size=12), max_size=4), max_size=6))
def test_any_grid_gives_rows(caption: str, grid: list[list[str]]) -> None:
    rows = row_lines("Table IV", plain(caption), [[plain(cell) for cell in row] for row in grid])
    assert all((shown_row(row) or "").endswith(", Table IV") for row in rows)

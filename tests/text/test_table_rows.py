"""Rows of tables as sentences."""

from hypothesis import given
from hypothesis import strategies as st

from citeplug.text.table_rows import row_sentences

GRID = [["Model", "Accuracy", "Time"], ["Ours", "91.2", "3 s"], ["Theirs", "88.0", "-"]]


def test_a_row_has_the_caption_its_name_and_the_title_of_each_cell() -> None:
    assert row_sentences("Results on MNIST. Best of three.", GRID) == [
        "Results on MNIST: Ours: Accuracy 91.2, Time 3 s.",
        "Results on MNIST: Theirs: Accuracy 88.0.",
    ]


def test_titles_of_several_rows_are_joined_and_a_name_goes_on() -> None:
    grid = [["", "Accuracy", "Accuracy"], ["Data", "GCN", "GAT"], ["Cora", "81", "83"], ["", "82", "84"]]
    assert row_sentences("", grid) == [
        "Cora: Accuracy GCN 81, Accuracy GAT 83.",
        "Cora: Accuracy GCN 82, Accuracy GAT 84.",
    ]


def test_what_has_no_titles_or_one_column_is_no_table() -> None:
    assert row_sentences("Numbers", [["1", "2"], ["3", "4"]]) == []
    assert row_sentences("Words", [["one"], ["two 2"]]) == []
    assert row_sentences("Nothing", []) == []


@given(st.text(max_size=60), st.lists(st.lists(st.text(max_size=12), max_size=4), max_size=6))
def test_any_grid_gives_sentences(caption: str, grid: list[list[str]]) -> None:
    assert all(sentence.endswith(".") for sentence in row_sentences(caption, grid))

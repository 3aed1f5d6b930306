"""Tables in the lines of a page."""

from citeplug.corpus.fulltext.pdf_lines import Cell, Line
from citeplug.corpus.fulltext.pdf_tables import find_tables


def line(bottom: float, *cells: tuple[str, float, float]) -> Line:
    parts = tuple(Cell(*cell) for cell in cells)
    text = " ".join(cell.text for cell in parts)
    return Line(text, parts[0].left, parts[-1].right, bottom, bottom + 7, 10.0, cells=parts if len(parts) > 1 else ())


ROWS = (
    line(680, ("Accuracy", 200, 300)),
    line(668, ("Model", 100, 130), ("Cora", 200, 220), ("MNIST", 270, 300)),
    line(656, ("Ours", 100, 120), ("81", 205, 215), ("99.1", 275, 295)),
    line(644, ("Theirs", 100, 125), ("80", 205, 215), ("98.7", 275, 295)),
)
ABOVE = line(700, ("Table 2: Results of both models.", 100, 300))
BELOW = line(620, ("TABLE III. Other results.", 100, 300))


def test_rows_have_the_titles_of_their_columns_and_the_caption_above_or_below() -> None:
    rows = ["Ours: 81 (Cora), 99.1 (MNIST).", "Theirs: 80 (Cora), 98.7 (MNIST)."]
    assert find_tables((ABOVE, *ROWS)) == {2: (5, [f"Table 2 | Results of both models | {row}" for row in rows])}
    assert find_tables((*ROWS, BELOW)) == {1: (4, [f"Table III | Other results | {row}" for row in rows])}


def test_of_two_captions_the_nearer_one_is_the_table_s() -> None:
    lines = (line(730, ("Table 1: Far away.", 100, 200)), *ROWS[1:], BELOW)
    ((_, sentences),) = find_tables(lines).values()
    assert sentences[0].startswith("Table III | Other results | ")


def test_lines_without_a_caption_or_without_numbers_are_no_table() -> None:
    words = (ABOVE, *(line(680 - 12 * n, ("left", 100, 130), ("right", 200, 230)) for n in range(4)))
    assert find_tables(ROWS) == {} and find_tables(words) == {} and find_tables(()) == {}

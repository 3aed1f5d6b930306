"""Lines of pages in the order of reading, whatever wrote the PDF."""

from citeplug.corpus.fulltext.layout import in_reading_order
from citeplug.corpus.fulltext.pdf_lines import Line, Page

LEFT, RIGHT = (50.0, 290.0), (320.0, 560.0)


def line(text: str, height: float, column: tuple[float, float] = (50.0, 560.0)) -> Line:
    return Line(text, column[0], column[1], height, height + 8, 10.0)


def page(number: int, lines: list[Line]) -> Page:
    return Page(number, 612.0, 792.0, tuple(lines))


def texts(found: list[Page]) -> list[list[str]]:
    return [[each.text for each in page.lines] for page in found]


def test_two_columns_that_were_written_across_are_read_one_after_the_other() -> None:
    rows = [line("A title over both columns", 700)]
    for number in range(12):
        rows += [line(f"left {number}", 660 - 12 * number, LEFT), line(f"right {number}", 660 - 12 * number, RIGHT)]
    rows.append(line("A line over both", 400))
    for number in range(12):
        rows += [
            line(f"below left {number}", 380 - 12 * number, LEFT),
            line(f"below right {number}", 380 - 12 * number, RIGHT),
        ]
    (found,) = texts(in_reading_order([page(1, rows)]))
    assert found[0] == "A title over both columns"
    assert found[1:13] == [f"left {number}" for number in range(12)]
    assert found[13:25] == [f"right {number}" for number in range(12)]
    assert found[25] == "A line over both"
    assert found[26:38] == [f"below left {number}" for number in range(12)]


def test_the_order_of_the_file_stays_where_it_is_that_of_reading() -> None:
    rows = [line(f"left {n}", 660 - 12 * n, LEFT) for n in range(12)]
    rows += [line(f"right {n}", 660 - 12 * n, RIGHT) for n in range(12)]
    rows.insert(3, line("an exponent", 640, (100, 110)))
    assert texts(in_reading_order([page(1, rows)])) == [[each.text for each in rows]]


def test_running_heads_page_numbers_and_the_stamp_are_no_text() -> None:
    pages = [
        page(
            number,
            [
                line(f"A. Author et al. {number}", 770),
                Line("arXiv:1801.00001v2  [cs.LG]  3 Jan 2018", 10.0, 30.0, 200.0, 560.0, 20.0),
                line("Text of this page " + "abcde"[number], 600),
                line("12 is a number in the text", 300),
                line(str(number), 60, (300.0, 306.0)),
            ],
        )
        for number in range(1, 5)
    ]
    assert texts(in_reading_order(pages)) == [
        [f"Text of this page {'abcde'[number]}", "12 is a number in the text"] for number in range(1, 5)
    ]

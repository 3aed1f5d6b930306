from hypothesis import given
from hypothesis import strategies as st

from citeplug.text.lines import Lines


def test_lines_count_in_every_convention() -> None:
    lines = Lines("a\r\nb\rc\nd")
    assert [lines.number(offset) for offset in (0, 3, 5, 7)] == [1, 2, 3, 4]
    assert lines.column(7) == 1


@given(st.lists(st.sampled_from(["\n", "\r\n", "\r", "ab", "é"])))
def test_lines_and_columns_count_from_one_for_every_line_end(parts: list[str]) -> None:
    text = "".join(parts)
    lines = Lines(text + "x")
    at = len(text)
    rest = text.replace("\r\n", "\n").replace("\r", "\n")
    assert (lines.number(at), lines.column(at)) == (rest.count("\n") + 1, len(rest) - rest.rfind("\n"))

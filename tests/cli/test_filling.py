"""Words with their styles, broken into lines."""

from hypothesis import given
from hypothesis import strategies as st

from citeplug.cli.console import Part
from citeplug.cli.filling import fill, one_line


def text_of(line: list[Part] | tuple[Part, ...]) -> str:
    return "".join(part if isinstance(part, str) else part[0] for part in line)


def test_what_is_left_out_is_marked_and_the_end_stands_behind_it() -> None:
    lines = fill(["one", ("two", "error"), "three four five six"], 16, indent="  ", most=2, end=("[code]", "code"))
    assert [text_of(tuple(line)) for line in lines] == ["  one two three", "four ... [code]"]
    assert ("two", "error") in lines[0] and ("[code]", "code") in lines[1]


def test_all_of_it_can_be_one_line() -> None:
    assert text_of(tuple(one_line(["a b", ("c", "error"), ""], "  ", ("[code]", "code")))) == "  a b c [code]"


@given(st.lists(st.text("ab \n", max_size=30), max_size=5), st.integers(8, 40), st.integers(1, 3))
def test_no_line_is_too_wide_or_one_too_many(texts: list[str], width: int, most: int) -> None:
    lines = fill(texts, width, indent="  ", further="    ", most=most)
    assert len(lines) <= most
    assert all(len(text_of(tuple(line))) <= width for line in lines)

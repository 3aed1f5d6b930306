import re

from hypothesis import given
from hypothesis import strategies as st

from citeplug.text.scanning import LineIndex, delimited_spans
from citeplug.text.tex_text import decode_tex

_OPENING = re.compile(r"<(\w)|!")


def _closing(match: re.Match[str]) -> re.Pattern[str] | None:
    return re.compile(f"{match[1]}>") if match[1] else None


def _found(text: str) -> list[str]:
    return [text[start:end] for start, end in delimited_spans(text, _OPENING, _closing)]


def test_a_stretch_goes_from_what_opens_it_to_what_closes_it() -> None:
    assert _found("a <b ! c> b> d ! <x e") == ["<b ! c> b>", "!"]


def test_what_is_never_closed_hides_nothing_behind_it() -> None:
    assert _found("<a <b b> <a") == ["<b b>"]


def test_a_thousand_accents_on_one_letter_are_no_error() -> None:
    assert decode_tex("\\'" * 5000 + "e and \\'{\\^e}").endswith("and ế")


def test_lines_count_in_every_convention() -> None:
    lines = LineIndex("a\r\nb\rc\nd")
    assert [lines.number(offset) for offset in (0, 3, 5, 7)] == [1, 2, 3, 4]
    assert lines.column(7) == 1


@given(st.lists(st.sampled_from(["\n", "\r\n", "\r", "ab", "é"])))
def test_lines_and_columns_count_from_one_for_every_line_end(parts: list[str]) -> None:
    text = "".join(parts)
    lines = LineIndex(text + "x")
    at = len(text)
    rest = text.replace("\r\n", "\n").replace("\r", "\n")
    assert (lines.number(at), lines.column(at)) == (rest.count("\n") + 1, len(rest) - rest.rfind("\n"))

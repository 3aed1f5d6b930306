from hypothesis import given
from hypothesis import strategies as st

from citeplug.latex.scan import LatexSource, without_comments


def test_a_group_ends_at_its_own_brace() -> None:
    source = LatexSource(r"{a{b}\}c}d")
    found = source.group(0)
    assert found and source.string[slice(*found)] == r"a{b}\}c"


def test_a_brace_in_a_comment_does_not_count() -> None:
    source = LatexSource("{a% }\nb}")
    assert source.closing(0) == 7


def test_an_unclosed_group_has_no_end_and_leaves_the_next_one_whole() -> None:
    source = LatexSource(r"\section{Intro \cite{a}")
    assert source.group(8) is None
    assert source.group(20) == (21, 22)


def test_an_option_ends_at_the_first_square_bracket_of_its_level() -> None:
    source = LatexSource("[see [a] {]} b]")
    assert source.option(0) == (1, 7)
    assert LatexSource("[a {]} b]").option(0) == (1, 8)


def test_comments_and_line_ends_before_an_argument_are_skipped() -> None:
    source = LatexSource(" % note\n  {key}")
    found = source.group(0)
    assert found and source.string[slice(*found)] == "key"


def test_a_comment_takes_its_line_end_and_the_next_indentation_along() -> None:
    assert without_comments("a% x\n   b 5\\% c") == "ab 5\\% c"


def test_a_command_before_a_comment_does_not_swallow_the_next_word() -> None:
    assert without_comments("\\maketitle% x\nText") == "\\maketitle Text"


@given(st.text(alphabet="{}[]\\%\n a", max_size=200))
def test_matched_braces_are_nested(text: str) -> None:
    source = LatexSource(text)
    pairs = [(p, source.closing(p)) for p in range(len(text)) if source.closing(p) is not None]
    for start, end in pairs:
        assert end is not None and text[start] == "{" and text[end] == "}" and start < end
        assert all(e is not None and (e < end or s < start) for s, e in pairs if start < s < end)

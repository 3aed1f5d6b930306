"""Comments that ignore a finding: which lines each is on."""

import pytest

from citeplug.text.suppressions import is_suppressed, read_suppressions

TEX = """one % citeplug: ignore key_case
two
%% citeplug:ignore undefined_key, uncited_claim -- the entry comes later
% another comment

six
seven \\% citeplug: ignore key_case
"""
BIB = """% citeplug: ignore year_differs
@misc{a,
  title = {A},
  year = 2000
}
Free text.
@misc{b, title = {B}}
"""


@pytest.mark.parametrize(
    ("code", "line", "expected"),
    [
        ("key_case", 1, True),
        ("key_case", 2, False),
        ("key_case", 7, False),
        ("uncited_claim", 1, False),
        ("undefined_key", 3, False),
        ("undefined_key", 6, True),
        ("uncited_claim", 6, True),
        ("uncited_claim", 7, False),
        ("the", 6, False),
    ],
)
def test_a_comment_is_on_its_line_or_alone_on_the_next_line_of_text(code: str, line: int, expected: bool) -> None:
    for text in (TEX, TEX.replace("\n", "\r\n"), TEX.replace("\n", "\r")):
        assert is_suppressed(code, [line], read_suppressions(text)) is expected


@pytest.mark.parametrize(("line", "expected"), [(2, True), (4, True), (6, True), (7, False)])
def test_in_a_bib_file_it_is_on_the_entry_that_follows(line: int, expected: bool) -> None:
    assert is_suppressed("year_differs", [line], read_suppressions(BIB, bib=True)) is expected


def test_the_form_for_a_file_is_on_every_line_and_on_findings_without_one() -> None:
    found = read_suppressions("a\nb % citeplug: ignore-file key_case\nc\n")
    assert all(is_suppressed("key_case", [line], found) for line in (None, 1, 2, 3))
    assert not is_suppressed("missing_bib", [1], found)


def test_codes_that_there_are_not_and_a_comment_without_one_are_known_as_such() -> None:
    found = read_suppressions(
        "a % citeplug: ignore titel_differs, key_case\n% citeplug: ignore\n% citeplug: ignored x\n"
    )
    assert [(each.code, each.known, each.line, each.column) for each in found] == [
        ("titel_differs", False, 1, 3),
        ("key_case", True, 1, 3),
        (None, False, 2, 1),
    ]


def test_a_comment_at_the_end_of_a_file_is_on_nothing_else() -> None:
    (found,) = read_suppressions("a\n% citeplug: ignore key_case")
    assert (found.first, found.last) == (2, 2)

import pytest

from citeplug.bibtex.entries import read_again
from citeplug.errors import CannotWrite


def test_entries_that_both_readers_take_alike_come_back() -> None:
    text = "@misc{a,\n  title = {{{\\'E}}t{\\'e} {$x_1$}, a},\n  year = 2017,\n}\n\n@Article{b, note = \"x\"}\n"
    assert [entry.key for entry in read_again(text)] == ["a", "b"]


@pytest.mark.parametrize(
    "text",
    [
        "@misc{a, title = {A \\} B}, year = {2017}}",  # BibTeX lets a backslash hide no brace, bibtexparser does
        "@misc{a, title = {A} year = {2017}}",  # a comma is missing, which we read and bibtexparser does not
        "@misc{a, title = {A}, title = {B}}",
    ],
)
def test_what_one_of_two_readers_takes_otherwise_is_not_written(text: str) -> None:
    with pytest.raises(CannotWrite, match="two readers of BibTeX"):
        read_again(text)


def test_an_entry_in_parentheses_is_read_without_the_second_reader() -> None:
    assert [entry.key for entry in read_again("@misc(a, title = {A})")] == ["a"]

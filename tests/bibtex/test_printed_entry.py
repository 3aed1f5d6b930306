"""The title of a reference that is set as text."""

import pytest

from citeplug.bibtex.printed_entry import reference_of_text


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Meng Qu. An Attention-based Framework for Networks. 2017.", "An Attention-based Framework for Networks"),
        ("Ann Brown and Jie Li. Graphs. In Proc. of Graphs, 2019.", "Graphs"),
        ("Ann Brown. Life of graphs in St. Louis and elsewhere. 2018.", "Life of graphs in St. Louis and elsewhere"),
    ],
)
def test_a_surname_of_two_letters_ends_the_authors_and_an_abbreviation_no_title(text: str, title: str) -> None:
    assert reference_of_text(None, text).title == title

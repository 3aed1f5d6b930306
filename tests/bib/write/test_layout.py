from citeplug.bib.write.layout import Layout, layout_of_file
from citeplug.bibtex.entries import parse_bib
from citeplug.bibtex.places import locate_entry

ALIGNED = """@article{a,
  title   = {A},
  author  = {B},
  journal = {C}
}
"""
PLAIN = """@article{b,
  title = {A},
  author = {B},
  journal = {C}
}
"""


def layout(text: str) -> Layout:
    places = [locate_entry(text, (entry.span.start, entry.span.end)) for entry in parse_bib(text)]
    return layout_of_file(text, [place for place in places if place])


def test_columns_are_kept_where_most_entries_have_them() -> None:
    assert layout(ALIGNED + ALIGNED + PLAIN).field("year", "2017") == "year    = {2017}"


def test_the_space_that_fills_a_column_is_no_habit_elsewhere() -> None:
    assert layout(ALIGNED + PLAIN).field("year", "2017") == "year = {2017}"

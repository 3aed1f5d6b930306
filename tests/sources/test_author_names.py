"""Author names out of arXiv's records."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.sources.snapshot import names_from_parts, names_from_text


@given(st.text())
def test_any_text_can_be_decoded(text: str) -> None:
    names_from_text(text)


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("A. Bloggs, C. Doe and E. Fox", ("A. Bloggs", "C. Doe", "E. Fox")),
        ("A. Bloggs (1), C. Doe (2 and 3) ((1) Univ, (2) Inst, and (3) Lab)", ("A. Bloggs", "C. Doe")),
        ("A. Bloggs (Univ. of X, unclosed", ("A. Bloggs",)),
        ("John Smith, Jr., Ada Low III", ("John Smith Jr.", "Ada Low III")),
        ("B. Aubert, et al.", ("B. Aubert",)),
        ("B. Aubert et al", ("B. Aubert",)),
        ("Anders And, Alexandra Andover", ("Anders And", "Alexandra Andover")),
        ("Wei Li,\n  Xi Chen", ("Wei Li", "Xi Chen")),
        ("Jane\n  Doe", ("Jane Doe",)),
        ('K. M\\"uller', ("K. Müller",)),
        ("", ()),
        (" , ;", ()),
    ],
)
def test_the_free_string_is_split_into_names(written: str, names: tuple[str, ...]) -> None:
    assert names_from_text(written) == names


def test_parsed_authors_become_given_family_suffix() -> None:
    parsed = [["Erd\\H{o}s", "Paul", ""], ["Smith", "John", "Jr."], ["Van de Sompel", "Herbert", ""], ["H1", "", ""]]
    assert names_from_parts(parsed) == ("Paul Erdős", "John Smith Jr.", "Herbert Van de Sompel", "H1")


def test_parsed_authors_of_any_shape_are_survived() -> None:
    assert names_from_parts([None, [], 3, ["Only"], ["A", None, 5], [":", "", ""], ["et al.", "", ""]]) == ("Only", "A")

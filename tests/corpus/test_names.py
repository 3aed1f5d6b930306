"""Author names out of arXiv's records."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.corpus.names import decode_tex, names_from_parts, names_from_text


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (r"Paul Erd\H{o}s", "Paul Erdős"),
        (r"Fra\"iss\'e", "Fraïssé"),
        (r"{\L}ukasz \'Swi\k{a}tek", "Łukasz Świątek"),
        (r"Mart{\'\i}n", "Martín"),
        (r"Mart\'{\i}n", "Martín"),
        (r"J. \v Cech", "J. Čech"),
        (r"\v{S}", "Š"),
        (r"\.Ilker \c{C}a\u{g}lar", "İlker Çağlar"),
        (r"S\o ren \O{}rsted", "Søren Ørsted"),
        (r"Stra\ss e", "Straße"),
        (r"Hans {\AA}kesson", "Hans Åkesson"),
        ("{DELPHI}~Collaboration", "DELPHI Collaboration"),
    ],
)
def test_tex_that_is_certain_becomes_unicode(written: str, read: str) -> None:
    assert decode_tex(written) == read


@pytest.mark.parametrize("written", [r"\foo{X}", r"\'{}", r"\mathcal{O}", r"A \& B", "\\"])
def test_tex_that_is_not_certain_stays(written: str) -> None:
    assert decode_tex(written) == written


@given(st.text())
def test_any_text_can_be_decoded(text: str) -> None:
    decode_tex(text)
    names_from_text(text)


@given(st.text(alphabet=st.characters(exclude_characters="\\{}~")))
def test_text_without_tex_says_the_same_after_decoding(text: str) -> None:
    assert decode_tex(decode_tex(text)) == decode_tex(text)


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

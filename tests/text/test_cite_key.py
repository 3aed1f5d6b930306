"""Which keys can be cited; that LaTeX agrees is tried in `tests/typeset/test_keys.py`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.section_file.cite_style import unfit_for_cite


@pytest.mark.parametrize(
    "key", ["Zhu&Zhao2019", "a$b", "a^b", "a_b", "a[b]c;d", "DBLP:conf/nips/X", "Müller2019", "中"]
)
def test_what_latex_and_bibtex_take_can_be_cited(key: str) -> None:
    assert unfit_for_cite(key) is None
    assert unfit_for_cite(key, biber=True) is None


@pytest.mark.parametrize(
    ("key", "why"),
    [
        ("a%b", "it has “%”"),
        ("a#b", "it has “#”"),
        ("a~b", "it has “~”"),
        ("a\\b", "it has “\\”"),
        ("a{}b", "it has “{”"),
        ("a^^b", "it has “^^”"),
        ("a,b", "it has “,”"),
        ("a b", "it has “ ”"),
        ("a\x01b", "it has the character U+0001"),
        ("a\x7fb", "it has the character U+007F"),
        ("a\udc80b", "it has the character U+DC80"),
        ("*", "it stands for all entries"),
        ("", "it is empty"),
    ],
)
def test_what_acts_in_a_document_cannot_be_cited_and_the_reason_is_told(key: str, why: str) -> None:
    assert unfit_for_cite(key) == why


@pytest.mark.parametrize("key", ["O'Neil2019", 'a"b', "a(b", "a)b", "a=b"])
def test_biber_reads_fewer_keys_than_bibtex(key: str) -> None:
    assert unfit_for_cite(key) is None
    assert unfit_for_cite(key, biber=True)


@given(st.text())
def test_the_reason_can_be_shown_on_a_terminal(key: str) -> None:
    assert (unfit_for_cite(key) or "").isprintable()

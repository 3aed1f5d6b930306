"""Identifiers in every form authors use, and what a filter admits."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.records.paper import ArxivId, Filter, Paper

FORMS = {
    "1706.03762": "1706.03762",
    "arXiv:1706.03762": "1706.03762",
    " ARXIV: 1706.03762v5 ": "1706.03762v5",
    "1706.03762V2": "1706.03762v2",
    "https://arxiv.org/abs/1706.03762v2": "1706.03762v2",
    "http://www.arxiv.org/pdf/1706.03762.pdf": "1706.03762",
    "https://export.arxiv.org/abs/hep-th/9901001v3": "hep-th/9901001v3",
    "10.48550/arXiv.1706.03762": "1706.03762",
    "https://doi.org/10.48550/ARXIV.1706.03762": "1706.03762",
    "arXiv:1706.03762 [cs.CL]": "1706.03762",
    "math.GT/0309136": "math/0309136",
    "arXiv:math/0606278v2": "math/0606278v2",
    "0704.0001": "0704.0001",
    "1412.9999": "1412.9999",
    "1501.00001": "1501.00001",
}


@pytest.mark.parametrize(("text", "expected"), FORMS.items())
def test_an_id_is_read_in_every_form_authors_use(text: str, expected: str) -> None:
    assert str(ArxivId.parse(text)) == expected


@pytest.mark.parametrize(
    "text", ["", "1403.597", "1501.0001", "1412.00001", "1713.03762", "hello", "1706.03762v0", "1706.03762, 1706.03763"]
)
def test_what_is_not_one_id_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not an arXiv id"):
        ArxivId.parse(text)


@given(st.text(max_size=40))
def test_parsing_never_fails_in_another_way(text: str) -> None:
    try:
        parsed = ArxivId.parse(text)
    except ValueError:
        return
    assert ArxivId.parse(str(parsed)) == parsed


def test_the_month_of_an_id_is_in_its_digits() -> None:
    assert ArxivId.parse("1706.03762").month == date(2017, 6, 1)
    assert ArxivId.parse("hep-th/9901001").month == date(1999, 1, 1)
    assert ArxivId.parse("math/0309136").month == date(2003, 9, 1)


def _paper(categories: tuple[str, ...] = ("cs.LG",), published: date = date(2017, 6, 12)) -> Paper:
    return Paper(ArxivId("1706.03762"), "T", "A", ("N N",), published, published, categories)


def test_before_is_strict() -> None:
    assert not Filter(before=date(2017, 6, 12)).admits(_paper())
    assert Filter(before=date(2017, 6, 13)).admits(_paper())


def test_an_archive_stands_for_all_its_categories() -> None:
    assert Filter(categories=("cs",)).admits(_paper())
    assert Filter(categories=("stat", "cs.LG")).admits(_paper())
    assert not Filter(categories=("cs.L",)).admits(_paper())
    assert not Filter(categories=("hep-th",)).admits(_paper())


def test_excluded_ids_are_left_out() -> None:
    assert not Filter(exclude=frozenset({"1706.03762"})).admits(_paper())

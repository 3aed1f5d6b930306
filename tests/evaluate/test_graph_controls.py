"""The control by popularity: scores, and how often papers are cited by others that are older than the query."""

from datetime import date

import pytest

from citeplug.evaluate.graph_controls import by_popularity
from citeplug.records.paper import Filter
from tests.related.retrieve.citations import Citations

# "b" is cited four times, though by a paper that the query excludes, by two that are newer, and by one of no month.
LISTS = Citations(
    {
        "1701.00001": ["1601.00001"],
        "1701.00002": ["1601.00001"],
        "1701.00003": ["1601.00002"],
        "1901.00001": ["1601.00002"],
        "1901.00002": ["1601.00002"],
        "lib:x": ["1601.00002"],
    }
)
EQUAL = {"1601.00002": 1.0, "1601.00001": 1.0, "1601.00003": 1.0}


@pytest.mark.parametrize(
    ("where", "order"),
    [
        (Filter(), ["1601.00002", "1601.00001", "1601.00003"]),
        (Filter(date(2018, 1, 1)), ["1601.00001", "1601.00002", "1601.00003"]),
        (Filter(date(2018, 1, 1), exclude=frozenset({"1701.00001", "1701.00002"})), ["1601.00002"]),
    ],
)
def test_only_citations_count_that_are_older_than_the_query_and_not_its_own(where: Filter, order: list[str]) -> None:
    assert by_popularity(EQUAL, where, LISTS)[: len(order)] == order


def test_without_citations_the_order_is_that_of_the_search() -> None:
    scores = {"1601.00003": 3.0, "1601.00001": 2.0, "1601.00002": 1.0}
    assert by_popularity(scores, Filter(), Citations({})) == list(scores)
    assert by_popularity({}, Filter(), LISTS) == []

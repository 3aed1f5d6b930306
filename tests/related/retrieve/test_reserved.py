from dataclasses import replace

import pytest

from citeplug.records.paper import Query
from citeplug.related.retrieve.longlist import best_of_own, keep


@pytest.mark.parametrize(
    ("k", "reserved", "kept"),
    [
        (4, "", "abcd"),
        (4, "b", "abcd"),
        (4, "g", "abcg"),
        (4, "dg", "abdg"),
        (4, "efgh", "abef"),  # half of the places at most
        (9, "h", "abcdefgh"),
        (0, "a", ""),
    ],
)
def test_what_is_reserved_takes_the_last_places(k: int, reserved: str, kept: str) -> None:
    assert "".join(keep("abcdefgh", k, reserved.__contains__)) == kept


def test_the_best_by_words_and_meaning_together_are_those_of_a_query() -> None:
    queries = (Query("draft", "abstract"), Query("own", "model:method", 0.03))
    lexical = [{"a": 9.0}, {"b": 3.0, "c": 2.9, "d": 2.8, "f": 2.7, "e": 0.5}]
    near = [{"a": 0.9}, {"b": 0.1, "c": 0.8, "d": 0.7, "f": 0.7, "e": 0.2}]
    assert best_of_own(queries, lexical, near) == {"c", "d", "f"}
    theme = replace(queries[1], aspect="theme")
    assert best_of_own((queries[0], theme), lexical, near) == {"c", "d", "f"}
    assert best_of_own(queries[:1], lexical[:1], near[:1]) == frozenset()

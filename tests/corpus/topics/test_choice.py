"""Choice of topics by number, name or words."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.corpus.topics.choice import chosen
from citeplug.errors import UsageError
from citeplug.records.topics import Topic

TOPICS = (
    Topic(1, "black hole, entropy, horizon", ("black hole", "entropy", "horizon", "hawking")),
    Topic(2, "graph, vertices", ("graph", "vertices")),
    Topic(3, "graph, neural networks", ("graph", "neural networks")),
    Topic(4, "black hole, merger", ("black hole", "merger")),
)


def numbers(*wanted: str) -> list[int]:
    return [topic.number for topic in chosen(wanted, TOPICS)]


def test_a_number_a_name_and_words_of_a_name_stand_for_topics() -> None:
    assert numbers("2") == [2]
    assert numbers(" Graph, Vertices ") == [2]
    assert numbers("neural") == [3]


def test_words_of_several_names_stand_for_all_of_these() -> None:
    assert numbers("black hole") == [1, 4]
    assert numbers("graph") == [2, 3]


def test_several_are_taken_together_each_once_in_their_order() -> None:
    assert numbers("4", "graph", "3", "black hole, merger") == [2, 3, 4]


@pytest.mark.parametrize("text", ["0", "5", "", "  ", ",", "graph theory", "999999999999"])
def test_what_is_no_topic_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="not a topic"):
        numbers("1", text)


def test_what_is_like_it_is_named_instead() -> None:
    with pytest.raises(UsageError) as error:
        numbers("hawking radiation")
    assert "1 (black hole, entropy, horizon)" in error.value.hint


@given(st.text())
def test_any_text_is_a_topic_or_is_refused(text: str) -> None:
    with contextlib.suppress(UsageError):
        assert chosen([text], TOPICS)

"""When a model goes in circles, and when its words only resemble each other."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.llm.streaming import goes_in_circles


@given(st.text(max_size=300), st.text(min_size=1, max_size=150))
def test_the_same_for_long_enough_is_a_circle(before: str, turn: str) -> None:
    assert goes_in_circles(before + turn * max(5, 800 // len(turn) + 1))


@pytest.mark.parametrize("text", ["", "a", "It is. " * 20, "x" * 599])
def test_a_short_text_is_none(text: str) -> None:
    assert not goes_in_circles(text)


def test_three_times_is_none() -> None:
    assert not goes_in_circles("start " + "".join(f"{n} words of a long sentence " for n in range(12)) * 3)


def test_a_list_that_counts_is_none() -> None:
    listed = [{"handle": n, "probability": 50, "for": [], "against": []} for n in range(100)]
    text = json.dumps({"papers": listed})
    assert not any(goes_in_circles(text[:end]) for end in range(0, len(text), 50))

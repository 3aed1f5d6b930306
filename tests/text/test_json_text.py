from hypothesis import given
from hypothesis import strategies as st

from citeplug.text.json_text import number_of, parse_json


@given(st.text(max_size=200))
def test_any_text_can_be_searched_for_json(text: str) -> None:
    assert isinstance(parse_json(text), dict | list | None)


def test_handles_are_numbers_however_they_are_written() -> None:
    assert [number_of(v) for v in (3, "3", "[3]", "paper 3", "[@3]")] == [3] * 5
    assert [number_of(v) for v in (True, 2.5, None, "three", "3 and 4", [3])] == [None] * 6


def test_the_first_json_of_a_text_counts() -> None:
    assert parse_json('Sure:\n```json\n{"a": [1]}\n``` {"b": 2}') == {"a": [1]}
    assert parse_json("no braces") is None

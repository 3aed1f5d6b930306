import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.llm.completion import read_answer
from tests.llm.models import SCHEMA

ANY: dict[str, Any] = {"type": ["object", "array"]}
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**6), 10**6) | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


@given(st.lists(values, max_size=3) | st.dictionaries(st.text(max_size=5), values, max_size=3), st.booleans())
def test_a_value_is_found_among_prose_and_fences(value: Any, fenced: bool) -> None:
    text = f"```json\n{json.dumps(value)}\n```" if fenced else f"Sure: {json.dumps(value)} Is that right?"
    assert read_answer(text, ANY) == value


@given(st.text(max_size=200))
def test_any_text_is_read_without_an_error(text: str) -> None:
    read_answer(text, SCHEMA)


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ('See [1]: {"words": ["a"]}', {"words": ["a"]}),
        ('{"words": "x"} {"words": []}', {"words": []}),
        ('{"words": ["a",]}', None),
        ('{"answer": {"words": ["a"]}}', None),
        ('{"words": ["a"], "more": 1}', None),
        ('{"words": [1]}', None),
        ('{"words": ["line\nbreak"]}', {"words": ["line\nbreak"]}),
        ("", None),
        ("null", None),
    ],
)
def test_only_a_value_that_fits_the_schema_is_an_answer(text: str, data: Any) -> None:
    assert read_answer(text, SCHEMA) == data


@pytest.mark.parametrize("text", ["[" * 1_000_000, "{" * 1_000_000, '{"a":' * 100_000, "[{" * 300_000])
def test_hostile_text_takes_no_time(text: str) -> None:
    start = time.monotonic()
    assert read_answer(text, SCHEMA) is None
    assert time.monotonic() - start < 30


def test_without_a_schema_there_is_no_data() -> None:
    assert read_answer('{"words": []}', None) is None

"""What a server turned out not to know is remembered by model, and learnt from its own words."""

import pytest

from citeplug.llm.connections import Lacks, connection

SIGNS = {"format": ("json_schema", "grammar"), "usage": ("stream_options",)}


def test_a_refusal_names_the_part_that_is_left_out_from_then_on() -> None:
    lacks = Lacks(SIGNS)
    assert lacks.learn("small", "Unknown field: Stream_Options", lacks.of("small")) == "usage"
    assert ("small", "usage") in lacks
    assert lacks.of("small") == {"usage"}
    assert lacks.of("large") == frozenset()


def test_what_was_not_sent_is_not_to_blame() -> None:
    lacks = Lacks(SIGNS)
    assert lacks.learn("small", "bad grammar", frozenset({"format"})) is None
    assert lacks.learn("small", "no such model", frozenset()) is None
    assert lacks.of("small") == frozenset()


@pytest.mark.parametrize("here", [True, False])
def test_no_connection_follows_redirects_and_none_on_this_machine_takes_a_proxy(here: bool) -> None:
    options = connection(120.0, here=here)
    assert options["follow_redirects"] is False
    assert options["trust_env"] is not here
    assert options["timeout"].read == (900.0 if here else 120.0)

"""What was prepared, in its file."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from citeplug.prepare.run import prepare_by_patterns
from citeplug.prepare.store import PATTERNS, PreparedStore
from tests.prepare.sources import DROPEDGE, source_of

TITLE = "DropEdge: Towards deep graph convolutional networks"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[PreparedStore]:
    opened = PreparedStore(tmp_path)
    yield opened
    opened.close()


def test_what_was_made_comes_back_as_it_was(store: PreparedStore) -> None:
    made = prepare_by_patterns(*source_of(DROPEDGE, TITLE))
    assert made.pairs and made.facts
    store.put(made)
    assert store.read([made.paper, "1801.00009"]) == [made]
    assert store.is_current(made.paper, made.digest, PATTERNS)
    assert not store.is_current(made.paper, "0" * 64, PATTERNS)
    assert not store.is_current(made.paper, made.digest, "anthropic:x")


def test_a_new_text_takes_the_place_of_the_old_one_and_a_model_s_stand_beside(store: PreparedStore) -> None:
    first = prepare_by_patterns(*source_of(DROPEDGE, TITLE))
    by_model = replace(first, made_by="anthropic:x", facts=(), dropped={"no quotation": 2})
    store.put(first)
    store.put(by_model)
    second = prepare_by_patterns(*source_of(DROPEDGE.replace("2.4%", "3.1%"), TITLE))
    store.put(second)
    assert store.read([first.paper]) == [second, by_model]
    facts = store.facts()
    assert (facts["papers"], facts["questions"]) == (1, len(second.pairs) + len(by_model.pairs))


def test_what_is_removed_leaves_nothing(store: PreparedStore) -> None:
    made = prepare_by_patterns(*source_of(DROPEDGE, TITLE))
    store.put(made)
    store.remove([made.paper])
    assert store.read([made.paper]) == [] and store.facts()["questions"] == 0 and store.papers() == []

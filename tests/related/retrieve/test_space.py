import numpy as np
import pytest

from citeplug.protocols import Vectors
from citeplug.records.paper import Filter
from citeplug.related.retrieve.space import Space
from tests.related.retrieve.memory_index import MemoryIndex

VECTORS = {
    value: np.array([np.cos(angle), np.sin(angle)], np.float32)
    for value, angle in (("a", 0.0), ("b", 0.1), ("c", 0.2), ("tool", 1.5))
}


def _nearness(*cited: str) -> dict[str, float]:
    own: dict[str, Vectors] = {value: VECTORS[value] for value in cited}
    return Space(MemoryIndex(), Filter(), None, VECTORS).nearness(own)


def test_a_cited_paper_is_not_near_for_being_itself() -> None:
    near = _nearness("a", "c", "tool")
    assert near["b"] == pytest.approx(np.cos(0.1), abs=1e-6)
    assert near["a"] == pytest.approx((np.cos(0.2) + np.cos(1.5)) / 2, abs=1e-6)
    assert near["tool"] == pytest.approx((np.cos(1.3) + np.cos(1.5)) / 2, abs=1e-6)
    assert min(near.values()) == near["tool"]


def test_the_only_cited_paper_is_as_near_as_others_are_on_average() -> None:
    near = _nearness("a")
    assert near["a"] == pytest.approx(np.mean([near["b"], near["c"], near["tool"]]), abs=1e-6)
    assert _nearness() == {}

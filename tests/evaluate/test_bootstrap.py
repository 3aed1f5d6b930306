"""Paired bootstrap intervals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.evaluate.bootstrap import paired_bootstrap

values = st.dictionaries(st.sampled_from("abcdefghij"), st.floats(0, 1), min_size=1)


@given(values, values)
def test_the_interval_holds_what_can_be_and_changes_sign_with_the_order(
    first: dict[str, float], second: dict[str, float]
) -> None:
    there, back = (paired_bootstrap(*pair, resamples=100) for pair in ((first, second), (second, first)))
    if there is None or back is None:
        assert not first.keys() & second.keys()
        return
    differences = [second[query] - first[query] for query in first.keys() & second.keys()]
    assert min(differences) - 1e-9 <= there.low <= there.high <= max(differences) + 1e-9
    assert (there.difference, there.low, there.high) == pytest.approx((-back.difference, -back.high, -back.low))


def test_the_same_seed_gives_the_same_interval_whatever_the_order() -> None:
    first = {str(n): n / 7 % 1 for n in range(50)}
    second = {str(n): n / 3 % 1 for n in range(50)}
    shuffled = dict(reversed(second.items()))
    assert paired_bootstrap(first, second) == paired_bootstrap(first, shuffled)
    assert paired_bootstrap(first, second) != paired_bootstrap(first, second, seed=1)


def test_many_queries_are_drawn_in_parts_as_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = {str(n): 0.0 for n in range(20)}, {str(n): n / 20 for n in range(20)}
    whole = paired_bootstrap(first, second, resamples=500)
    monkeypatch.setattr("citeplug.evaluate.bootstrap._AT_ONCE", 100)
    assert paired_bootstrap(first, second, resamples=500) == whole


def test_it_is_the_percentile_interval_of_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    draw = np.random.default_rng(1)
    differences = draw.normal(0.05, 0.2, 200)
    ours = paired_bootstrap({str(n): 0.0 for n in range(200)}, {f"{n}": differences[n] for n in range(200)})
    made = stats.bootstrap((differences,), np.mean, method="percentile", n_resamples=10_000, random_state=1)
    theirs = made.confidence_interval
    assert ours is not None and ours.difference == pytest.approx(differences.mean(), abs=1e-9)
    # Both draw by chance: the ends of 10,000 resamples differ by about a fiftieth of the interval's width.
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.004)


def test_a_difference_that_every_query_has_is_sure() -> None:
    made = paired_bootstrap({"a": 0.1, "b": 0.5}, {"a": 0.2, "b": 0.6})
    assert made is not None and made.low == pytest.approx(0.1) and made.high == pytest.approx(0.1) and made.queries == 2

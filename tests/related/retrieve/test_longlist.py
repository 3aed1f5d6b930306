from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from citeplug.errors import UsageError
from citeplug.protocols import Vectors
from citeplug.records.paper import Candidate
from citeplug.related.retrieve.longlist import choose, rate, select_longlist
from tests.related.retrieve.memory_index import paper

Penalty = Literal["max", "min"]
SIZES = st.tuples(st.integers(1, 25), st.integers(2, 6), st.integers(0, 10_000))
DIVERSITIES = st.floats(0, 1)
PENALTIES: st.SearchStrategy[Penalty] = st.sampled_from(["max", "min"])


def _random(size: tuple[int, int, int]) -> tuple[NDArray[np.float64], Vectors]:
    count, dimensions, seed = size
    random = np.random.default_rng(seed)
    rows = random.normal(size=(count, dimensions))
    unit = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return random.uniform(-1, 1, count), unit


def _naive(similarity: Sequence[float], cosines: NDArray[np.float64], k: int, w: float, penalty: Penalty) -> list[int]:
    """Eq. 1 as the paper prints it, with either penalty."""
    nearer = max if penalty == "max" else min
    chosen = [max(range(len(similarity)), key=lambda i: similarity[i])]
    while len(chosen) < min(k, len(similarity)):
        left = [i for i in range(len(similarity)) if i not in chosen]

        def worth(i: int) -> float:
            return (1 - w) * similarity[i] + w * (1 - nearer(float(cosines[i, j]) for j in chosen))

        chosen.append(max(left, key=worth))
    return chosen


@given(SIZES, DIVERSITIES, PENALTIES, st.integers(1, 30))
def test_it_chooses_what_the_printed_equation_chooses(
    size: tuple[int, int, int], diversity: float, penalty: Penalty, k: int
) -> None:
    similarity, vectors = _random(size)
    exact = vectors.astype(np.float64)
    assert choose(similarity, vectors, k, diversity, penalty) == _naive(
        similarity.tolist(), exact @ exact.T, k, diversity, penalty
    )


@given(SIZES, PENALTIES)
def test_without_diversity_the_order_is_that_of_similarity(size: tuple[int, int, int], penalty: Penalty) -> None:
    similarity, vectors = _random(size)
    assert choose(similarity, vectors, len(similarity), 0.0, penalty) == np.argsort(-similarity, kind="stable").tolist()


@given(SIZES, DIVERSITIES, PENALTIES, st.integers(1, 25))
def test_fewer_rows_are_the_beginning_of_more(
    size: tuple[int, int, int], diversity: float, penalty: Penalty, k: int
) -> None:
    similarity, vectors = _random(size)
    assert choose(similarity, vectors, k, diversity, penalty) == choose(similarity, vectors, 99, diversity, penalty)[:k]


@given(SIZES, DIVERSITIES, PENALTIES)
def test_every_row_is_chosen_once_and_the_most_similar_first(
    size: tuple[int, int, int], diversity: float, penalty: Penalty
) -> None:
    similarity, vectors = _random(size)
    chosen = choose(similarity, vectors, len(similarity), diversity, penalty)
    assert sorted(chosen) == list(range(len(similarity)))
    assert similarity[chosen[0]] == similarity.max()


@settings(max_examples=30)
@given(st.floats(0.5, 1), st.integers(3, 10))
def test_of_two_near_duplicates_only_one_is_chosen_while_there_is_something_else(w: float, others: int) -> None:
    # Rows at right angles, the last nearly the same as the first, all but equally similar to the draft.
    vectors = np.eye(others + 1, dtype=np.float32)
    vectors[others] = 0
    vectors[others, :2] = (0.9999, 0.0141)
    similarity = np.full(others + 1, 0.5)
    similarity[0] = 0.6
    similarity[others] = 0.59
    assert choose(similarity, vectors, others, w) == list(range(others))


def test_the_printed_form_can_choose_both_of_two_near_duplicates() -> None:
    # a; its opposite b; a's duplicate c; and d, at right angles to both.
    vectors = np.array([[1, 0], [-1, 0], [1, 0], [0, 1]], dtype=np.float32)
    similarity = np.array([0.9, 0.5, 0.8, 0.3])
    assert choose(similarity, vectors, 3, 0.5, "min") == [0, 1, 2]
    assert choose(similarity, vectors, 3, 0.5, "max") == [0, 1, 3]


def test_a_worked_example() -> None:
    # Cosines: a-b .8, a-c 0, b-c .6. After a, at w = .5: b is worth .5 x .8 + .5 x .2 = .5, c .5 x .4 + .5 = .7.
    vectors = np.array([[1, 0], [0.8, 0.6], [0, 1]], dtype=np.float32)
    similarity = np.array([0.9, 0.8, 0.4])
    assert choose(similarity, vectors, 3, 0.0) == [0, 1, 2]
    assert choose(similarity, vectors, 3, 0.5) == [0, 2, 1]


@pytest.mark.parametrize("diversity", [-0.1, 1.1, float("nan")])
def test_a_diversity_out_of_range_is_refused(diversity: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        choose(np.array([1.0]), np.ones((1, 1), np.float32), 1, diversity)
    with pytest.raises(UsageError, match="out of range"):
        select_longlist([], {}, 10, diversity)


@pytest.mark.parametrize("breadth", [0, -1, 101])
def test_a_breadth_out_of_range_is_refused(breadth: int) -> None:
    with pytest.raises(UsageError, match="out of range"):
        select_longlist([], {}, breadth)


def test_an_unknown_penalty_is_refused() -> None:
    with pytest.raises(ValueError, match="'max' or 'min'"):
        choose(np.array([1.0]), np.ones((1, 1), np.float32), 1, 0.5, "mean")  # type: ignore[arg-type]


def _candidates(count: int) -> tuple[list[Candidate], dict[str, Vectors]]:
    """Candidates whose relevance falls, and vectors at right angles to each other."""
    found = rate([Candidate(paper(f"2001.{n:05}", f"Title {n}"), 0.5, 1 - n / 1000, ("dense",)) for n in range(count)])
    return found, {c.paper.id.value: np.eye(count, dtype=np.float32)[n] for n, c in enumerate(found)}


@pytest.mark.parametrize(("count", "breadth", "longlisted"), [(100, 10, 30), (20, 10, 20), (7, 1, 3), (0, 5, 0)])
def test_three_papers_are_longlisted_for_each_one_wanted(count: int, breadth: int, longlisted: int) -> None:
    candidates, vectors = _candidates(count)
    assert len(select_longlist(candidates, vectors, breadth)) == longlisted


def test_only_the_first_six_candidates_for_each_paper_wanted_are_looked_at() -> None:
    candidates, vectors = _candidates(30)
    vectors[candidates[6].paper.id.value] = -vectors[candidates[0].paper.id.value]
    assert candidates[6] not in select_longlist(candidates, vectors, 1, diversity=1.0)


def test_a_paper_travels_as_itself_whatever_its_place() -> None:
    candidates, vectors = _candidates(12)
    shuffled = [candidates[n] for n in (5, 2, 11, 0, 7, 3, 9, 1, 10, 4, 8, 6)]
    chosen = select_longlist(shuffled, vectors, 2, diversity=0.0)
    assert chosen == candidates[:6]


def test_papers_without_a_vector_come_last() -> None:
    candidates, vectors = _candidates(5)
    del vectors[candidates[0].paper.id.value], vectors[candidates[2].paper.id.value]
    assert select_longlist(candidates, vectors, 10) == [candidates[n] for n in (1, 3, 4, 0, 2)]


def test_relevance_is_the_fused_score_on_a_scale_from_zero_to_one() -> None:
    rated, _ = _candidates(50)
    relevance = [candidate.relevance for candidate in rated]
    assert relevance == sorted(relevance, reverse=True)
    assert 0 < relevance[-1] < 0.2 < 0.8 < relevance[0] < 1
    assert [c.relevance for c in rate(rated[:1])] == [0.5]
    assert rate([]) == []


def test_the_last_bits_of_a_score_decide_nothing() -> None:
    rated, _ = _candidates(12)
    moved = rate([replace(c, score=c.score * (1 + (-1) ** n * 1e-13)) for n, c in enumerate(rated)])
    assert [c.relevance for c in moved] == [c.relevance for c in rated]


def test_the_longlist_goes_by_relevance_and_as_published_by_the_cosine() -> None:
    found, vectors = _candidates(12)
    alike = [replace(c, similarity=n / 100) for n, c in enumerate(found)]
    assert select_longlist(alike, vectors, 2, 0.0) == alike[:6]
    assert select_longlist(alike, vectors, 2, 0.0, as_published=True) == alike[:5:-1]


def test_what_the_draft_cites_comes_first_however_near_its_papers_are_to_each_other() -> None:
    found, vectors = _candidates(12)
    for near in found[1:]:
        vectors[near.paper.id.value] = vectors[found[0].paper.id.value]
    cited = {found[n].paper.id.value for n in (1, 2, 9)}
    assert select_longlist(found, vectors, 3, 0.9, cited=cited)[:3] == [found[1], found[2], found[9]]

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.corpus.fusion import Ranking, Scores, best_first, combine, even_out, fuse
from citeplug.protocols import Vectors

IDS = st.lists(st.sampled_from("abcdefgh"), unique=True)


def test_a_paper_that_two_rankings_have_second_beats_one_that_a_single_ranking_has_first() -> None:
    fused = fuse([Ranking(["a", "b"]), Ranking(["c", "b"])])
    assert [value for value, _ in fused] == ["b", "a", "c"]


def test_the_score_is_weight_over_sixty_plus_rank_summed_over_the_rankings() -> None:
    fused = dict(fuse([Ranking(["a", "b"], 1.0), Ranking(["b"], 0.5)]))
    assert fused["a"] == pytest.approx(1 / 61)
    assert fused["b"] == pytest.approx(1 / 62 + 0.5 / 61)


def test_equal_scores_are_ordered_by_id() -> None:
    assert [value for value, _ in fuse([Ranking(["b"]), Ranking(["a"])])] == ["a", "b"]


def test_a_ranking_without_weight_adds_nothing() -> None:
    assert fuse([Ranking(["a"]), Ranking(["b"], 0.0)]) == fuse([Ranking(["a"])])


def test_an_id_that_stands_twice_counts_by_its_better_rank() -> None:
    assert fuse([Ranking(["a", "b", "a"])]) == fuse([Ranking(["a", "b"])])


@given(IDS)
def test_one_ranking_alone_keeps_its_order(ids: list[str]) -> None:
    assert [value for value, _ in fuse([Ranking(ids)])] == ids


@given(st.lists(IDS, max_size=4))
def test_every_paper_of_every_ranking_is_there_once(rankings: list[list[str]]) -> None:
    fused = [value for value, _ in fuse([Ranking(ids) for ids in rankings])]
    assert sorted(fused) == sorted(set().union(*rankings))


SCORES = st.dictionaries(st.sampled_from("abcdefgh"), st.floats(-50, 50), max_size=8)


def direction(angle: float) -> Vectors:
    return np.array([math.cos(angle), math.sin(angle)], np.float32)


def test_lists_count_alike_whatever_the_size_of_their_scores() -> None:
    small = {"a": 0.9, "b": 0.5, "c": 0.1}
    large = {"a": 100.0, "b": 500.0, "c": 900.0}
    combined = combine([Scores(small), Scores(large)])
    assert combined["a"] == pytest.approx(combined["c"], abs=1e-3)


def test_what_a_list_lacks_counts_as_its_worst() -> None:
    combined = combine([Scores({"a": 3.0, "b": 2.0, "c": 1.0}), Scores({"d": 1.0, "a": 0.0})])
    assert combined["b"] > combined["c"]
    assert combined["d"] == pytest.approx(combine([Scores({"a": 3.0, "c": 1.0, "b": 2.0})])["c"] + 1, abs=1e-3)


def test_the_weight_decides_between_lists_that_disagree() -> None:
    one, other = {"a": 1.0, "b": 0.0}, {"a": 0.0, "b": 1.0}
    assert best_first(combine([Scores(one, 2.0), Scores(other)])) == ["a", "b"]
    assert best_first(combine([Scores(one), Scores(other, 2.0)])) == ["b", "a"]
    assert combine([Scores(one, 0.0)]) == {"a": 0.0, "b": 0.0}


@given(st.lists(SCORES, max_size=4))
def test_every_paper_of_every_list_has_a_finite_score(lists: list[dict[str, float]]) -> None:
    combined = combine([Scores(scores) for scores in lists])
    assert set(combined) == set().union(*lists)
    assert all(map(math.isfinite, combined.values()))


@given(SCORES)
def test_one_list_alone_keeps_its_order(scores: dict[str, float]) -> None:
    combined = combine([Scores(scores)])
    assert all(combined[a] >= combined[b] - 1e-9 for a in scores for b in scores if scores[a] >= scores[b])


def test_a_paper_among_papers_that_fit_passes_one_that_is_alone() -> None:
    scores = {"best": 3.0, "good": 2.9, "alone": 1.1, "among": 1.0}
    vectors = {"best": direction(0), "good": direction(0.2), "among": direction(0.1), "alone": direction(2)}
    assert best_first(even_out(scores, vectors)) == ["best", "good", "among", "alone"]


def test_papers_that_do_not_fit_draw_nobody_down_and_one_without_a_vector_stays() -> None:
    scores = {"a": 1.0, "b": -1.0, "c": 0.5}
    evened = even_out(scores, {"a": direction(0), "b": direction(0.1)})
    assert evened["a"] == pytest.approx(1.0)
    assert evened["c"] == 0.5
    assert evened["b"] > -1.0
    assert even_out(scores, {}) == scores

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.retrieve.fusion import Ranking, fuse

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

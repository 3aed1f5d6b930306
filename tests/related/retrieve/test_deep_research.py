from collections.abc import Collection, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.corpus.fusion import best_first
from citeplug.records.paper import Links
from citeplug.related.retrieve.deep_research import MOST_LINKS, GraphReach, as_published, expand
from tests.related.retrieve.citations import Citations

FOUND = {f"found{n}": 10.0 - n for n in range(6)}


def anything(ids: Sequence[str]) -> Collection[str]:
    return ids


def test_a_paper_that_several_of_the_first_cite_comes_up_and_says_why() -> None:
    graph = Citations({"found0": ["classic", "found5"], "found1": ["classic"], "found2": ["classic", "other"]})
    expanded = expand(FOUND, [], graph, anything, GraphReach(rounds=1, seeds=4))
    order = best_first(expanded.scores)
    assert order.index("classic") < order.index("other")
    assert order.index("found5") < order.index("found4")
    assert expanded.links["classic"] == Links(cited_by_found=("found0", "found1", "found2"), found=4)
    assert expanded.links["classic"].reason == "cited by 3 of the first 4 papers found"
    assert (expanded.used, expanded.known, expanded.seeds) == (True, 3, 4)


def test_a_citer_counts_less_than_a_reference() -> None:
    graph = Citations({"found0": ["cited"], "citer": ["found0"], "found1": []})
    scores = expand(FOUND, [], graph, anything, GraphReach(rounds=1, seeds=2)).scores
    assert scores["found5"] < scores["citer"] < scores["cited"]


def test_the_votes_of_the_first_papers_found_count_most() -> None:
    graph = Citations({"found0": ["by the first"], "found4": ["by the fifth"], "own": ["by the draft's"]})
    scores = expand(FOUND, ["own"], graph, anything, GraphReach(rounds=1, seeds=6)).scores
    assert scores["by the draft's"] == scores["by the first"] > scores["by the fifth"]


def test_what_the_draft_cites_is_gone_out_from_too() -> None:
    graph = Citations({"own": ["classic"], "mine": ["classic", "own"]})
    expanded = expand(FOUND, ["own", "mine", "own"], graph, anything, GraphReach(rounds=1, seeds=1))
    assert expanded.links["classic"].reason == "cited by 2 of your 2 citations"
    assert expanded.links["mine"].reason == "cites 1 of your 2 citations"
    assert expanded.seeds == 3


def test_the_second_round_goes_out_from_what_the_first_brought_up() -> None:
    graph = Citations({"found0": ["hidden"], "found1": ["hidden"], "hidden": ["deeper"]})
    assert "deeper" not in expand(FOUND, [], graph, anything, GraphReach(rounds=1, seeds=2)).scores
    expanded = expand(FOUND, [], graph, anything, GraphReach(rounds=2, seeds=2))
    assert expanded.links["deeper"].reason == "cited by 1 of the first 4 papers found"
    assert expanded.links["hidden"].cited_by_found == ("found0", "found1")


def test_papers_that_are_not_admitted_are_never_gone_out_from() -> None:
    graph = Citations({"found0": ["newer", "fine"], "found1": ["newer"], "newer": ["found0", "found1", "secret"]})

    def older(ids: Sequence[str]) -> Collection[str]:
        return [value for value in ids if value != "newer"]

    expanded = expand(FOUND, [], graph, older, GraphReach(rounds=3, seeds=6))
    assert "newer" not in expanded.scores and "newer" not in graph.asked
    assert "secret" not in expanded.scores and "fine" in expanded.scores


def test_with_too_few_lists_the_scores_are_those_of_the_search() -> None:
    graph = Citations({"found0": ["classic"]})
    expanded = expand(FOUND, [], graph, anything, GraphReach(seeds=6))
    assert (expanded.used, expanded.known, expanded.seeds) == (False, 1, 6)
    assert expanded.scores == FOUND and not expanded.links


def test_no_more_papers_are_added_than_are_wanted() -> None:
    graph = Citations({"found0": [f"p{n:03}" for n in range(50)], "found1": ["p049"]})
    expanded = expand(FOUND, [], graph, anything, GraphReach(rounds=1, seeds=2, most=3))
    assert sorted(expanded.scores.keys() - FOUND.keys()) == ["p000", "p001", "p049"]


def test_of_a_hub_only_so_many_citations_are_looked_at() -> None:
    graph = Citations({"found0": [f"p{n:06}" for n in range(50_000)], "found1": ["found0"]})
    expanded = expand(FOUND, [], graph, lambda ids: [], GraphReach(seeds=2))
    assert expanded.used and not expanded.scores.keys() - FOUND.keys()
    assert len(graph.asked) <= 3 * MOST_LINKS


def test_nothing_found_is_nothing_expanded() -> None:
    expanded = expand({}, [], Citations({"a": ["b"]}), anything)
    assert not expanded.used and not expanded.scores


@given(st.dictionaries(st.sampled_from("abcdef"), st.lists(st.sampled_from("abcdefgh"), max_size=6), max_size=6))
def test_loops_doubled_rows_and_their_order_change_nothing(lists: dict[str, list[str]]) -> None:
    scores = {"a": 3.0, "b": 2.0, "c": 1.0}
    turned = {value: [*reversed(cited), *cited, value] for value, cited in reversed(list(lists.items()))}
    wish = GraphReach(seeds=3, share=0.0)
    first, second = (expand(scores, ["d"], Citations(each), anything, wish) for each in (lists, turned))
    assert first == second


@pytest.mark.parametrize(("depth", "added"), [(1, ["x"]), (2, ["x", "y"]), (4, ["x", "y", "z"])])
def test_algorithm_2_goes_on_from_what_it_added_down_to_its_depth(depth: int, added: list[str]) -> None:
    graph = Citations({"s": ["x", "s"], "x": ["y", "s"], "y": ["z", "x"]})
    assert as_published(["s"], graph, anything, depth) == ["s", *added]


def test_algorithm_2_takes_first_in_first_out_and_stops_at_its_bound() -> None:
    graph = Citations({"s": ["a"], "t": ["b", "c"], "a": ["d"]})
    assert as_published(["s", "t"], graph, anything) == ["s", "t", "a", "b", "c", "d"]
    assert as_published(["s", "t"], graph, anything, most=4) == ["s", "t", "a", "b"]
    assert as_published(["s", "t"], graph, lambda ids: [v for v in ids if v != "a"]) == ["s", "t", "b", "c"]


def test_of_papers_with_like_votes_the_one_that_more_papers_cite_is_first() -> None:
    graph = Citations({"a": ["b", "c"], "x": ["c"], "y": ["c"], "z": ["b"]})
    found = {"a": 3.0, "b": 2.0, "c": 2.0}
    wish = GraphReach(rounds=1, seeds=1)
    scores = expand(found, [], graph, anything, wish).scores
    assert scores["c"] > scores["b"]
    scores = expand(found, [], graph, anything, wish, lambda citing: citing not in ("x", "y")).scores
    assert scores["b"] > scores["c"]

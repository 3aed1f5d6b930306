"""Word pairs and titles in common with a query."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.records.paper import Paper
from citeplug.related.retrieve.fit import Wording
from tests.related.retrieve.memory_index import paper

TOGETHER = paper("1901.00001", "Vertices", "We train graph neural networks on molecules.")
OTHER = paper("1903.00001", "Pigeons", "Birds find their loft.")
QUERY = "A graph neural network for proteins"


def _by_id(*papers: Paper) -> dict[str, Paper]:
    return {one.id.value: one for one in papers}


def test_words_that_stand_together_count_and_words_apart_do_not() -> None:
    found = Wording(_by_id(TOGETHER, OTHER, paper("1904.00001", "Networks", "A neural thing; a graph."))).pairs(QUERY)
    assert found[TOGETHER.id.value] > 0
    assert found[OTHER.id.value] == found["1904.00001"] == 0


def test_words_of_grammar_between_two_do_not_part_them() -> None:
    found = Wording(_by_id(paper("1904.00001", "x", "A theory in gravity."), OTHER)).pairs("theory of the gravity")
    assert found["1904.00001"] > 0


def test_a_pair_that_many_have_counts_less_than_one_that_few_have() -> None:
    common = [paper(f"1905.0000{number}", "x", "Neural network") for number in range(1, 6)]
    rare = paper("1906.00001", "x", "Protein folding")
    found = Wording(_by_id(rare, *common)).pairs("protein folding by a neural network")
    assert found[rare.id.value] > found[common[0].id.value] > 0


def test_endings_are_no_difference() -> None:
    found = Wording(_by_id(paper("1904.00001", "x", "Graphs. Networking graphs, networks."))).pairs("graph network")
    assert found["1904.00001"] > 0


def test_a_title_whose_words_the_query_has_scores_above_one_of_which_it_has_half() -> None:
    whole, half = paper("1904.00001", "Graph networks"), paper("1905.00001", "Graph pigeons")
    titles = Wording(_by_id(whole, half, OTHER)).titles(QUERY)
    assert titles[whole.id.value] > titles[half.id.value] > titles[OTHER.id.value] == 0


def test_a_title_of_one_word_proves_less_than_one_of_three() -> None:
    one, three = paper("1904.00001", "Proteins"), paper("1905.00001", "Graph neural networks")
    titles = Wording(_by_id(one, three, OTHER)).titles(QUERY)
    assert titles[three.id.value] > titles[one.id.value] > 0


@pytest.mark.parametrize("text", ["", "the of and", "\ud800", "深層", "$ \\ ."])
def test_any_query_is_compared(text: str) -> None:
    wording = Wording(_by_id(TOGETHER, OTHER))
    assert wording.pairs(text).keys() == wording.titles(text).keys() == {TOGETHER.id.value, OTHER.id.value}


def test_no_papers_give_no_scores() -> None:
    assert Wording({}).pairs(QUERY) == Wording({}).titles(QUERY) == {}


@given(st.text(max_size=60), st.lists(st.tuples(st.text(max_size=30), st.text(max_size=60)), max_size=4))
def test_scores_stay_in_their_range(text: str, given: list[tuple[str, str]]) -> None:
    wording = Wording(_by_id(*(paper(f"1901.0000{number}", *each) for number, each in enumerate(given))))
    assert all(score >= 0 for score in wording.pairs(text).values())
    assert all(0 <= score < 1 for score in wording.titles(text).values())


def test_a_paper_that_shares_one_ambiguous_word_has_other_words_of_its_own() -> None:
    text = "A cache of keys and values for serving large language models"
    same = paper("2001.00001", "Serving language models", "The cache of keys grows with the models that are served.")
    other = paper("2001.00002", "Web cache hierarchies", "A cache at the base station of a radio access network.")
    found = Wording(_by_id(same, other)).own(text)
    assert found[same.id.value] > 0.5 > found[other.id.value] > 0
    assert Wording(_by_id(paper("2001.00003", "7", ""))).own(text) == {"2001.00003": 0}


def test_words_that_several_of_the_first_papers_have_count_half() -> None:
    first = [paper(f"2001.0000{n}", "Attention", f"Prefill of {n * 'a'}quarks") for n in range(1, 4)]
    alone = paper("2002.00001", "Decoding", "Prefill")
    shared = Wording(_by_id(*first, alone)).own("nothing of it")[alone.id.value]
    assert 0 < shared < 0.5
    assert Wording(_by_id(*first[:1], alone)).own("nothing of it")[alone.id.value] == 0

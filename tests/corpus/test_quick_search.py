from citeplug.corpus.quick_search import quick_search
from citeplug.records.paper import Filter
from tests.related.retrieve.memory_index import MemoryIndex, paper

GRAPHS = paper("1901.00001", "Attention on graphs", "Nodes attend to neighbours in graphs.")
SPEECH = paper("1903.00001", "Speech synthesis", "Vocoders synthesise speech.")
PIGEONS = paper("1904.00001", "Homing pigeons", "Birds find their loft.")
ALL = (GRAPHS, SPEECH, PIGEONS)


def test_what_fits_by_words_and_meaning_comes_first_and_no_paper_is_embedded() -> None:
    index = MemoryIndex(ALL)
    assert quick_search("attention in graphs", index, Filter(), 10)[0] == GRAPHS
    assert index.asked_for == []


def test_a_paper_without_a_common_word_is_found_by_its_meaning() -> None:
    index = MemoryIndex(ALL, synonyms={"dove": "pigeons", "returns": "homing"})
    index.vectors([PIGEONS.id.value])
    assert PIGEONS in quick_search("dove returns", index, Filter(), 10)


def test_a_paper_that_has_no_vector_yet_is_not_left_behind_for_that() -> None:
    others = [paper(f"1905.{number:05d}", f"Graphs of kind {number}", "Graphs.") for number in range(1, 20)]
    index = MemoryIndex([GRAPHS, *others])
    index.vectors([each.id.value for each in others])
    assert quick_search("nodes attend to neighbours in graphs", index, Filter(), 10)[0] == GRAPHS


def test_no_more_are_found_than_asked_for_and_none_that_the_filter_leaves_out() -> None:
    index = MemoryIndex(ALL)
    assert len(quick_search("graphs speech birds", index, Filter(), 2)) == 2
    assert quick_search("graphs", index, Filter(), 0) == ()
    assert GRAPHS not in quick_search("graphs", index, Filter(exclude=frozenset({GRAPHS.id.value})), 10)

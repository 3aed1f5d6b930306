from datetime import date

from citeplug.records.paper import Candidate, Filter
from citeplug.related.retrieve.candidates import search
from citeplug.related.retrieve.deep_research import GraphReach, deepen
from tests.related.retrieve.citations import Citations
from tests.related.retrieve.memory_index import MemoryIndex, paper

TEXT = "sampling neighbours in large graphs"
PAPERS = [
    paper("1801.00001", "Sampling neighbours in large graphs"),
    paper("1801.00002", "Graphs and sampling"),
    paper("1801.00003", "Large graphs"),
    paper("1701.00004", "Spectral filters"),  # shares no word with the query
    paper("1901.00005", "Walks on surfaces"),
]
FIRST, SECOND, THIRD, OLD, NEW = (one.id.value for one in PAPERS)
ALL = Filter()
WISH = GraphReach(rounds=1, seeds=3, share=0.0)


def _found(index: MemoryIndex, where: Filter = ALL) -> list[Candidate]:
    return search(TEXT, index, where, 100, seconds=None)


def test_a_paper_that_no_search_finds_comes_in_with_its_similarity_and_its_reason() -> None:
    index = MemoryIndex(PAPERS)
    found = _found(index)
    assert OLD not in [each.paper.id.value for each in found]
    graph = Citations({FIRST: [OLD, "9999.99999"], SECOND: [OLD], THIRD: []})
    made, expansion = deepen(found, TEXT, index, graph, ALL, WISH, 10)
    (added,) = (each for each in made if each.paper.id.value == OLD)
    assert (added.found_by, added.links and added.links.reason) == (
        ("graph",),
        "cited by 2 of the first 3 papers found",
    )
    assert added.paper.title == "Spectral filters" and -1 <= added.similarity <= 1
    assert added.score == expansion.scores[OLD]
    assert [each.score for each in made] == sorted((each.score for each in made), reverse=True)
    assert "9999.99999" not in expansion.scores


def test_too_new_or_excluded_papers_are_neither_found_nor_followed() -> None:
    index = MemoryIndex(PAPERS)
    graph = Citations({FIRST: [NEW, OLD], NEW: [FIRST, SECOND, OLD], SECOND: []})
    where = Filter(date(2018, 6, 1), exclude=frozenset([OLD]))
    made, expansion = deepen(
        _found(index, where), TEXT, index, graph, where, GraphReach(seeds=3, share=0.0), 10, own=[NEW, OLD]
    )
    assert not {NEW, OLD} & {each.paper.id.value for each in made}
    assert not {NEW, OLD} & graph.asked
    assert expansion.seeds == 3


def test_a_paper_without_a_record_is_followed_if_the_month_of_its_id_is_before_the_day() -> None:
    index = MemoryIndex(PAPERS)
    graph = Citations({"1712.00099": [OLD], "1806.00099": [NEW], "nonsense": [NEW]})
    where = Filter(date(2018, 6, 15))
    deepen(_found(index, where), TEXT, index, graph, where, WISH, 10, own=["1712.00099", "1806.00099", "nonsense"])
    assert "1712.00099" in graph.asked and not {"1806.00099", "nonsense"} & graph.asked


def test_the_draft_itself_is_neither_found_nor_followed() -> None:
    index = MemoryIndex(PAPERS)
    graph = Citations({FIRST: [OLD], SECOND: [FIRST], THIRD: []})
    made, _ = deepen(_found(index), TEXT, index, graph, ALL, WISH, 10, is_draft=lambda one: one.id.value == FIRST)
    assert FIRST not in graph.asked
    assert not {FIRST, OLD} & {each.paper.id.value for each in made}


def test_newer_papers_and_the_draft_itself_make_no_paper_popular() -> None:
    index = MemoryIndex(PAPERS)
    where = Filter(date(2018, 6, 15), exclude=frozenset(["1705.00001"]))
    found = _found(index, where)

    def scores(citing: list[str]) -> float:
        graph = Citations({FIRST: [], THIRD: [], **{value: [SECOND] for value in citing}})
        made, _ = deepen(found, TEXT, index, graph, where, WISH, 10, is_draft=lambda one: one.id.value == FIRST)
        return next(each.score for each in made if each.paper.id.value == SECOND)

    assert scores(["1705.00002"]) > scores([])
    assert scores([FIRST, NEW, "1806.00001", "1705.00001"]) == scores([])


def test_where_too_few_lists_are_known_the_search_stands() -> None:
    index = MemoryIndex(PAPERS)
    found = _found(index)
    made, expansion = deepen(found, TEXT, index, Citations({}), ALL, GraphReach(), 2)
    assert made == found[:2] and not expansion.used


def test_the_same_is_found_whatever_was_embedded_before() -> None:
    graph = Citations({FIRST: [OLD, NEW], SECOND: [OLD], THIRD: []})
    fresh, used = MemoryIndex(PAPERS), MemoryIndex(PAPERS)
    found = _found(fresh)
    used.vectors([OLD, NEW])
    made = [deepen(found, TEXT, index, graph, ALL, WISH, 10) for index in (fresh, used)]
    assert made[0] == made[1]


def test_as_published_the_order_is_by_similarity_and_unlike_papers_stay_out() -> None:
    index = MemoryIndex(PAPERS)
    graph = Citations({FIRST: [THIRD, OLD], THIRD: []})
    made, _ = deepen(_found(index), TEXT, index, graph, ALL, GraphReach(seeds=2, as_published=True), 10)
    assert [each.paper.id.value for each in made][:1] == [FIRST]
    assert OLD not in [each.paper.id.value for each in made]
    assert [each.similarity for each in made] == sorted((each.similarity for each in made), reverse=True)


def test_a_paper_that_citations_add_says_how_near_it_is_to_the_query() -> None:
    graph = Citations({FIRST: [THIRD], SECOND: [THIRD]})
    index = MemoryIndex(PAPERS)
    found = [each for each in _found(index) if each.paper.id.value != THIRD]
    made, _ = deepen(found, TEXT, index, graph, ALL, WISH, 10)
    (added,) = (each for each in made if each.paper.id.value == THIRD)
    assert added.nearest == added.similarity > 0

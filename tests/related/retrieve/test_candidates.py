from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

import pytest

from citeplug.protocols import Vectors
from citeplug.records.paper import ArxivId, Filter, Paper, Query
from citeplug.related.retrieve.candidates import retrieve_candidates, search
from tests.related.retrieve.memory_index import MemoryIndex, paper

ANY = Filter()
GRAPHS = paper("1901.00001", "Attention on graphs", "Nodes attend to neighbours in graphs.")
WALKS = paper("1902.00001", "Random walks", "Walks visit neighbours of nodes in graphs.")
SPEECH = paper("1903.00001", "Speech synthesis", "Vocoders synthesise speech.")
PIGEONS = paper("1904.00001", "Homing pigeons", "Birds find their loft.")
ALL = (GRAPHS, WALKS, SPEECH, PIGEONS)


def _ids(papers: Sequence[object]) -> list[str]:
    return [candidate.paper.id.value for candidate in papers]  # type: ignore[attr-defined]


def test_the_best_by_words_and_meaning_comes_first() -> None:
    found = search("attention in graphs", MemoryIndex(ALL), ANY, 10)
    assert found[0].paper == GRAPHS
    assert found[0].found_by[:2] == ("lexical", "dense")
    assert [c.score for c in found] == sorted((c.score for c in found), reverse=True)


def test_of_papers_with_the_same_words_the_one_that_has_them_together_comes_first() -> None:
    together = paper("1901.00002", "Cells", "We train a neural network on tissue in a dish.")
    apart = paper("1902.00002", "Cells", "A network in tissue, train of a neural dish.")
    asked = "a neural network"
    for papers in ([together, apart, SPEECH], [apart, together, SPEECH]):
        assert search(asked, MemoryIndex(papers), ANY, 10)[0].paper == together


def test_a_paper_without_a_common_word_is_found_by_its_meaning() -> None:
    index = MemoryIndex(ALL, synonyms={"dove": "pigeons", "returns": "homing"})
    index.vectors([PIGEONS.id.value])
    found = {c.paper.id.value: c for c in search("dove returns", index, ANY, 10)}
    assert "lexical" not in found[PIGEONS.id.value].found_by
    assert "dense" in found[PIGEONS.id.value].found_by


def test_without_time_no_paper_is_looked_up_twice_for_a_vector(monkeypatch: pytest.MonkeyPatch) -> None:
    index, looked_up = MemoryIndex(ALL), list[str]()

    def vectors(ids: Sequence[str], seconds: float | None = None) -> Mapping[str, Vectors]:
        looked_up.extend(ids)
        return MemoryIndex.vectors(index, ids, seconds)

    monkeypatch.setattr(index, "vectors", vectors)
    assert search("nodes in graphs", index, ANY, 10, seconds=0.0)
    assert sorted(looked_up) == [GRAPHS.id.value, WALKS.id.value]


def test_what_was_embedded_before_is_not_seen_where_the_candidates_alone_are_consulted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("citeplug.related.retrieve.candidates.WHOLE", 0)
    fresh, used = MemoryIndex(ALL), MemoryIndex(ALL)
    used.vectors([one.id.value for one in reversed(ALL)])
    asked = [Query("attention in graphs", "abstract"), Query("speech", "title", 0.5)]
    found = retrieve_candidates(asked, fresh, ANY, 10, dense="candidates")
    assert PIGEONS not in [candidate.paper for candidate in found]
    assert retrieve_candidates(asked, used, ANY, 10, dense="candidates") == found
    assert PIGEONS in [candidate.paper for candidate in retrieve_candidates(asked, used, ANY, 10)]


def test_of_many_papers_with_the_words_only_the_best_are_embedded_and_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("citeplug.related.retrieve.candidates.WHOLE", 0)
    best = [paper(f"1901.{n:05}", "Sparse attention in graphs", f"Attention number {n}.") for n in range(3)]
    others = [paper(f"1902.{n:05}", "Elsewhere", f"Graphs of the kind {n}.") for n in range(40)]
    asked = [Query("sparse attention in graphs", "abstract"), Query("kind elsewhere", "title", 0.2)]
    fresh, used = MemoryIndex([*best, *others]), MemoryIndex([*best, *others])
    used.vectors([one.id.value for one in others])
    found = retrieve_candidates(asked, fresh, ANY, 30, most=3, dense="candidates")
    assert set(fresh.asked_for) == {one.id.value for one in best} == set(_ids(found))
    assert retrieve_candidates(asked, used, ANY, 30, most=3, dense="candidates") == found


def test_what_a_language_model_asks_for_has_its_places_among_the_few_that_are_embedded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("citeplug.related.retrieve.candidates.WHOLE", 0)
    papers = [paper(f"1901.{n:05}", "Sparse attention in graphs", f"Attention number {n}.") for n in range(9)]
    asked = [Query("sparse attention in graphs", "abstract"), Query("speech", "model:1", 0.01)]
    found = retrieve_candidates(asked, MemoryIndex([*papers, SPEECH]), ANY, 30, most=4, dense="candidates")
    assert SPEECH.id.value in _ids(found) and len(found) == 4


def test_without_time_what_the_words_bring_up_is_found_without_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("citeplug.related.retrieve.candidates.WHOLE", 0)
    papers = [paper(f"1901.{n:05}", "Sparse attention in graphs", f"Attention number {n}.") for n in range(9)]
    asked = [Query("sparse attention in graphs", "abstract")]
    found = retrieve_candidates(asked, MemoryIndex(papers), ANY, 30, most=4, seconds=0.0, dense="candidates")
    assert len(found) == 4


def test_a_small_catalogue_is_seen_whole_although_the_candidates_alone_are_consulted() -> None:
    index = MemoryIndex(ALL, synonyms={"dove": "pigeons", "returns": "homing"}, whole=True)
    found = retrieve_candidates([Query("dove returns speech", "abstract")], index, ANY, 10, dense="candidates")
    assert PIGEONS.id.value in _ids(found)


def test_what_the_draft_cites_is_found_and_brings_up_what_is_like_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("citeplug.related.retrieve.candidates.WHOLE", 0)
    cited = paper("1801.00001", "Wandering", "A wanderer walks at random.")
    asked = [Query("neighbours of nodes in graphs", "abstract")]

    def scores(*cited: Paper) -> dict[str, float]:
        found = retrieve_candidates(asked, MemoryIndex([*ALL, *cited]), ANY, 10, cited=cited, dense="candidates")
        return {candidate.paper.title: candidate.score for candidate in found}

    plainly, citing = scores(), scores(cited)
    assert "Wandering" in citing
    assert (
        citing["Random walks"] - citing["Attention on graphs"]
        > plainly["Random walks"] - plainly["Attention on graphs"]
    )


def test_a_paper_of_somebody_whom_the_draft_cites_comes_before_one_like_it() -> None:
    theirs = replace(paper("1901.00002", "Cells", "A network in tissue."), authors=("Grace B. Hopper", "Alan Turing"))
    other = replace(paper("1901.00003", "Cells", "A network in tissue."), authors=("Greta Garbo",))
    index = MemoryIndex([*ALL, theirs, other])
    asked = [Query("a network in tissue, and graphs", "abstract")]
    for people, first in (("Hopper, G.", theirs), ("G. Garbo", other)):
        found = retrieve_candidates(asked, index, ANY, 10, cited_authors=[(people,), ("Nobody Else",)])
        assert found[0].paper == first


def test_what_is_cited_and_not_admitted_tells_without_being_found() -> None:
    index = MemoryIndex(ALL)
    where = Filter(exclude=frozenset({PIGEONS.id.value}))
    found = retrieve_candidates([Query("graphs", "abstract")], index, where, 10, cited=[PIGEONS])
    assert PIGEONS.id.value not in _ids(found)
    assert GRAPHS.id.value in _ids(found)


def test_only_what_the_words_bring_up_is_embedded() -> None:
    index = MemoryIndex(ALL)
    search("speech", index, ANY, 10)
    assert index.asked_for == [SPEECH.id.value]


def test_a_small_catalogue_is_embedded_whole_after_what_the_words_bring_up() -> None:
    index = MemoryIndex(ALL, synonyms={"dove": "pigeons", "returns": "homing"}, whole=True)
    found = search("dove returns speech", index, ANY, 10)
    assert index.asked_for[0] == SPEECH.id.value
    assert set(index.asked_for) == {one.id.value for one in ALL}
    assert PIGEONS.id.value in _ids(found)


def test_where_time_is_short_the_first_by_words_are_embedded_and_the_rest_is_still_found() -> None:
    index = MemoryIndex(ALL, slow=1)
    found = search("attention graphs", index, ANY, 10, seconds=5.0)
    assert index.asked_for == [GRAPHS.id.value]
    assert _ids(found) == [GRAPHS.id.value, WALKS.id.value]
    assert found[1].found_by == ("lexical",)
    assert found[1].similarity == 0.0


def test_without_time_nothing_is_embedded() -> None:
    index = MemoryIndex(ALL)
    assert _ids(search("speech", index, ANY, 10, seconds=0.0)) == [SPEECH.id.value]
    assert index.asked_for == []


def test_similarity_is_to_the_main_query() -> None:
    index = MemoryIndex(ALL)
    queries = [Query("graphs", "abstract"), Query("speech", "title", 0.5)]
    found = {c.paper.id.value: c for c in retrieve_candidates(queries, index, ANY, 10)}
    main = index.embed(["graphs"])[0]
    assert found[SPEECH.id.value].similarity == pytest.approx(0.0, abs=1e-6)
    assert found[GRAPHS.id.value].similarity == pytest.approx(float(index.embedded[GRAPHS.id.value] @ main), abs=1e-6)


def test_the_best_of_every_query_is_embedded_before_the_rest_of_any() -> None:
    index = MemoryIndex(ALL)
    retrieve_candidates([Query("graphs nodes", "abstract"), Query("speech", "title", 0.5)], index, ANY, 10)
    assert index.asked_for.index(SPEECH.id.value) == 1


def test_depth_bounds_what_is_embedded() -> None:
    index = MemoryIndex(ALL)
    queries = [Query("graphs nodes", "abstract"), Query("birds speech", "title", 0.5)]
    retrieve_candidates(queries, index, ANY, 2, depth=1, side_depth=1)
    assert len(index.asked_for) == 2


def test_the_filter_holds_for_every_way_a_paper_is_found() -> None:
    index = MemoryIndex(ALL)
    index.vectors([one.id.value for one in ALL])
    live = [paper("1905.00001", "Graph attention"), replace(WALKS, published=date(2020, 1, 1))]
    where = Filter(date(2019, 2, 1), ("cs",), frozenset({SPEECH.id.value}))
    assert _ids(search("graphs speech birds", index, where, 10, live=live)) == [GRAPHS.id.value]


def test_all_of_the_papers_that_were_named_are_found_where_so_many_are_asked_for() -> None:
    papers = [paper(f"1801.{number:05d}", f"boson {number}") for number in range(400)]
    others = [paper(f"1802.{number:05d}", "quark") for number in range(50)]
    index = MemoryIndex([*papers, *others, paper("1803.00001", "quark boson")])
    among = frozenset(one.id.value for one in papers) | {"1803.00001"}
    found = search("quark", index, Filter(among=among), 500, seconds=None)
    assert {candidate.paper.id.value for candidate in found} == among
    assert found[0].paper.id.value == "1803.00001"


def test_where_the_words_bring_up_enough_the_rest_of_those_is_not_embedded() -> None:
    papers = [paper(f"1801.{number:05d}", "quark" if number < 10 else "boson") for number in range(40)]
    index = MemoryIndex(papers)
    search("quark", index, Filter(among=frozenset(one.id.value for one in papers)), 5, seconds=None)
    assert len(index.embedded) == 10


@pytest.mark.parametrize("text", ["", "   ", "$", "\\"])
def test_a_query_without_a_word_finds_nothing_in_an_empty_index(text: str) -> None:
    assert search(text, MemoryIndex(), ANY, 10) == []


def test_no_queries_or_no_places_give_no_candidates() -> None:
    assert retrieve_candidates([], MemoryIndex(ALL), ANY, 10) == []
    assert search("graphs", MemoryIndex(ALL), ANY, 0) == []


def test_live_papers_are_merged_by_id() -> None:
    new = paper("1906.00001", "Graph transformers", "Attention on graphs.")
    found = search("graphs", MemoryIndex(ALL), ANY, 10, live=[new, GRAPHS])
    ids = _ids(found)
    assert len(ids) == len(set(ids))
    ways = {c.paper.id.value: c.found_by for c in found}
    assert {"lexical", "arxiv"} <= set(ways[GRAPHS.id.value])
    assert "arxiv" in ways[new.id.value]
    assert "lexical" not in ways[new.id.value]
    assert "arxiv" not in ways[WALKS.id.value]


def test_a_live_paper_has_a_similarity_although_the_catalogue_does_not_hold_it() -> None:
    new = paper("1906.00001", "Graphs", "Graphs.")
    (found,) = search("graphs", MemoryIndex(), ANY, 10, live=[new])
    assert found.paper == new
    assert found.similarity == pytest.approx(1.0, abs=1e-5)


def test_ways_are_named_in_their_order() -> None:
    for candidate in search("graphs", MemoryIndex(ALL), ANY, 10, live=[WALKS]):
        order = [("lexical", "dense", "arxiv", "feedback").index(way) for way in candidate.found_by]
        assert order == sorted(order)
        assert order


def test_an_incomplete_record_gives_way_to_a_live_one() -> None:
    bare = replace(GRAPHS, authors=())
    (found,) = search("attention", MemoryIndex([bare]), ANY, 10, live=[GRAPHS])
    assert found.paper == GRAPHS


def test_of_two_complete_records_the_later_version_counts() -> None:
    later = replace(GRAPHS, id=ArxivId(GRAPHS.id.value, 3), title="Attention on graphs, revised")
    assert search("attention", MemoryIndex([GRAPHS]), ANY, 1, live=[later])[0].paper == later
    assert search("attention", MemoryIndex([later]), ANY, 1, live=[GRAPHS])[0].paper == later


def test_the_same_search_gives_the_same_answer() -> None:
    first = search("graphs neighbours speech", MemoryIndex(ALL), ANY, 10)
    assert search("graphs neighbours speech", MemoryIndex(reversed(ALL)), ANY, 10) == first


def test_progress_is_told_up_to_the_end() -> None:
    told: list[tuple[int, int]] = []
    search("graphs", MemoryIndex(ALL), ANY, 10, on_progress=lambda done, total: told.append((done, total)))
    assert told[0] == (0, 2)
    assert told[-1] == (2, 2)


def test_a_part_of_a_whole_draft_finds_papers_and_as_published_their_similarity_is_the_mean() -> None:
    asked = [
        Query("attention in graphs", "abstract"),
        Query("Birds. Homing pigeons find their loft", "part:Birds", 0.2),
    ]
    alone = {c.paper.id.value: c for c in retrieve_candidates(asked[:1], MemoryIndex(ALL), ANY, 10)}
    for whole in (False, True):
        found = {c.paper.id.value: c for c in retrieve_candidates(asked, MemoryIndex(ALL), ANY, 10, whole=whole)}
        graphs, pigeons = found[GRAPHS.id.value], found[PIGEONS.id.value]
        assert (graphs.similarity < alone[GRAPHS.id.value].similarity) is whole
        assert (pigeons.similarity > 0.3) is whole and pigeons.nearest > 0.5

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from citeplug.protocols import Vectors
from citeplug.records.paper import Candidate, Links, Query
from citeplug.related.retrieve.fit import (
    COMPARED,
    FEW,
    LEAST_ABOVE,
    MOST_ABOVE,
    NEIGHBOURS,
    DraftFit,
    share_own,
    share_words,
)
from tests.related.retrieve.memory_index import MemoryIndex, paper

QUERIES = (Query("graph networks", "abstract"), Query("molecules", "phrases", 0.1))


def _found(nearest: Sequence[float], average: float = 0.5) -> tuple[list[Candidate], dict[str, Vectors]]:
    """Candidates with these largest cosines to the draft's queries; no two of them are alike."""
    found = [
        Candidate(paper(f"2001.{n:05}", f"Title {n}"), each, 1.0, ("lexical",), nearest=each, average=average)
        for n, each in enumerate(nearest)
    ]
    unit = np.eye(max(40, len(found)), dtype=np.float32)
    return found, {c.paper.id.value: unit[n] for n, c in enumerate(found)}


def _like(found: Sequence[Candidate], words: float = 1.4) -> dict[str, float]:
    return {c.paper.id.value: words for c in found}


def test_papers_that_are_near_no_part_of_the_draft_do_not_fit() -> None:
    found, vectors = _found([0.9, 0.3, 0.8, 0.75, 0.2, 0.85, 0.9])
    kept = DraftFit(found, vectors, _like(found)).among(found, len(found))
    assert [c.nearest for c in kept] == [0.9, 0.8, 0.75, 0.85, 0.9]


def test_where_all_that_was_found_is_near_the_queries_a_paper_needs_more() -> None:
    for average, fits in ((0.4, True), (0.6, False)):
        found, vectors = _found([0.57] * 10, average)
        assert DraftFit(found, vectors, _like(found)).fits(found[0]) is fits


def test_few_of_the_drafts_words_tell_against_a_paper_and_many_for_it() -> None:
    found, vectors = _found([0.58] * 10, 0.48)
    fit = DraftFit(found, vectors, {**_like(found), found[0].paper.id.value: 0.5, found[1].paper.id.value: 2.4})
    assert [fit.fits(each) for each in found[:3]] == [False, True, True]
    assert fit.score(found[0]) < fit.score(found[2]) < fit.score(found[1])


def test_a_paper_with_words_of_its_own_and_one_that_was_found_late_need_more() -> None:
    found, vectors = _found([0.53] * 40, 0.5)
    same, other = found[:2]
    fit = DraftFit(found, vectors, _like(found), own={same.paper.id.value: 0.6, other.paper.id.value: 0.1})
    assert [fit.fits(same), fit.fits(other)] == [True, False]
    assert fit.score(other) < fit.score(found[2])
    assert fit.score(found[39]) < fit.score(found[20]) < fit.score(found[2])


def test_the_drafts_words_are_those_of_all_queries() -> None:
    found = [
        replace(c, paper=paper(c.paper.id.value, title))
        for c, title in zip(_found([0.5] * 2)[0], ("Molecules as graphs", "Music as graphs"), strict=True)
    ]
    own = share_own(QUERIES, found)
    assert own[found[0].paper.id.value] > own[found[1].paper.id.value]


def test_papers_whose_neighbours_are_near_the_draft_fit_rather_than_others() -> None:
    near, far = [0.8] * NEIGHBOURS, [0.3] * NEIGHBOURS
    found, vectors = _found([0.6, 0.6, *near, *far])
    # The first is among those that are near, the second among the others.
    for row, among in ((0, range(2, 2 + NEIGHBOURS)), (1, range(2 + NEIGHBOURS, 2 + 2 * NEIGHBOURS))):
        vector = sum(vectors[found[n].paper.id.value] for n in among)
        vectors[found[row].paper.id.value] = np.asarray(vector / np.linalg.norm(vector), np.float32)
    fit = DraftFit(found, vectors, _like(found))
    assert fit.score(found[0]) > fit.score(found[1]) + 2


def test_what_the_draft_or_several_papers_cite_needs_less() -> None:
    found, vectors = _found([0.5] * 4 + [0.45] * 30)
    cited = {found[1].paper.id.value}
    voted, twice = (
        replace(c, links=Links((), (), 0, citing, ("y", "z"), 20))
        for c, citing in ((found[2], ("a", "b", "c")), (found[3], ("a", "b")))
    )
    fit = DraftFit(found, vectors, _like(found), cited)
    assert [fit.fits(each) for each in (found[0], found[1], voted, twice)] == [False, True, True, False]


def test_a_tool_that_the_draft_cites_does_not_fit() -> None:
    found, vectors = _found([0.9, 0.25, *[0.3] * 10], 0.45)
    assert not DraftFit(found, vectors, _like(found, 1.0), {found[1].paper.id.value}).fits(found[1])


def test_where_none_fits_the_likeliest_is_taken() -> None:
    found, vectors = _found([0.1, 0.3, 0.2, 0.05, 0.4, *[0.1] * COMPARED])
    fit = DraftFit(found, vectors, _like(found))
    assert fit.among(found, 5) == [found[4]]
    assert fit.among(found, 3) == [found[1]]  # not one that was found later
    assert len(DraftFit(found[:5], vectors, _like(found)).among(found[:5], 5)) == FEW
    assert DraftFit([], {}, {}).among([], 5) == []


def test_of_a_paper_without_a_vector_nothing_is_known_and_it_stays() -> None:
    found, vectors = _found([0.9, 0.9, 0.9, 0.0])
    del vectors[found[3].paper.id.value]
    assert DraftFit(found, vectors, {}).fits(found[3])
    assert DraftFit(found, {}, {}).among(found, 4) == found


def test_words_are_counted_over_all_queries() -> None:
    texts = ("graph networks of molecules", "graph networks", "graph", "music")
    papers = [paper(f"2001.{n:05}", text) for n, text in enumerate(texts)]
    ids = [each.id.value for each in papers]
    words = share_words(QUERIES, ids, MemoryIndex(papers))
    assert ids[3] not in words
    assert words[ids[0]] > words[ids[1]] == LEAST_ABOVE > words[ids[2]]
    assert share_words(QUERIES, ids, MemoryIndex()) == share_words(QUERIES, [], MemoryIndex(papers)) == {}


def test_how_much_of_a_small_catalogue_is_on_other_matters_counts_within_bounds() -> None:
    field = [paper(f"2001.{n:05}", "graph networks") for n in range(40)]
    best, others = paper("2002.00001", "graph networks"), ["graph"] * 400
    mixed = [*field, *(paper(f"2003.{n:05}", word) for n, word in enumerate(others))]
    among_field, among_all = (
        share_words(QUERIES, [each.id.value for each in papers], MemoryIndex(papers))[best.id.value]
        for papers in ([best, *field], [best, *mixed])
    )
    assert (among_field, among_all) == pytest.approx((LEAST_ABOVE, MOST_ABOVE))

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from citeplug.ports import Vectors
from citeplug.records.paper import Candidate, Links
from citeplug.retrieve.fit import FEW, FEWEST, FIT, NEARLY, VOTED, Fit
from tests.retrieve.memory_index import paper

AWAY = np.array([1.0, 0.0], np.float32)


def _found(nearest: Sequence[float]) -> tuple[list[Candidate], dict[str, Vectors]]:
    """Candidates with these cosines to the draft; no two are alike, so that they add nothing to each other's."""
    found = [
        Candidate(paper(f"2001.{n:05}", f"Title {n}"), each, 1.0, ("lexical",), nearest=each)
        for n, each in enumerate(nearest)
    ]
    unit = np.eye(max(40, len(found)), dtype=np.float32)
    return found, {c.paper.id.value: unit[n] for n, c in enumerate(found)}


def test_papers_that_are_near_no_part_of_the_draft_do_not_fit() -> None:
    found, vectors = _found([0.9, 0.4, 0.8, 0.75, 0.3, 0.85, 0.9])
    kept = Fit(found, vectors).among(found)
    assert [c.nearest for c in kept] == [0.9, 0.8, 0.75, 0.85, 0.9]


def test_papers_found_on_the_same_matter_need_to_be_less_near() -> None:
    found, vectors = _found([0.5] * 6)
    assert not any(map(Fit(found, vectors).fits, found))
    same = dict.fromkeys(vectors, AWAY)
    assert all(map(Fit(found, same).fits, found))


def test_what_the_draft_cites_or_several_papers_cite_needs_less() -> None:
    low = (FIT + NEARLY) / 2 - 0.01
    found, vectors = _found([low] * 4 + [0.0] * 30)
    cited = {found[1].paper.id.value}
    voted, twice = (
        replace(c, nearest=VOTED, links=Links((), (), 0, citing, ("y", "z"), 20))
        for c, citing in ((found[2], ("a", "b", "c")), (found[3], ("a", "b")))
    )
    fit = Fit(found, vectors, cited)
    assert [fit.fits(each) for each in (found[0], found[1], voted, twice)] == [False, True, True, False]


def test_a_tool_that_the_draft_cites_does_not_fit() -> None:
    found, vectors = _found([0.9, 0.45])
    assert not Fit(found, vectors, {found[1].paper.id.value}).fits(found[1])


def test_where_few_fit_the_nearest_are_taken_and_three_in_any_case() -> None:
    nearly = (FIT + NEARLY) / 2 - 0.02
    found, vectors = _found([0.9, nearly, 0.2, nearly, nearly, nearly, nearly])
    assert len(Fit(found, vectors).among(found)) == FEW
    found, vectors = _found([0.1, 0.3, 0.2, 0.05, 0.4])
    assert [c.nearest for c in Fit(found, vectors).among(found)] == [0.3, 0.2, 0.4]
    assert len(Fit(found, vectors).among(found)) == FEWEST
    assert Fit([], {}).among([]) == []


def test_of_a_paper_without_a_vector_nothing_is_known_and_it_stays() -> None:
    found, vectors = _found([0.9, 0.9, 0.9, 0.0])
    del vectors[found[3].paper.id.value]
    assert Fit(found, vectors).fits(found[3])
    assert Fit(found, {}).among(found) == found

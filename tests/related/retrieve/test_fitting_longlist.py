from dataclasses import replace

import numpy as np

from citeplug.protocols import Vectors
from citeplug.records.outcome import Options
from citeplug.records.paper import Candidate
from citeplug.related.retrieve.longlist import left_out, make_longlist
from tests.related.retrieve.memory_index import paper


def _found(count: int, fitting: set[int]) -> tuple[list[Candidate], dict[str, Vectors]]:
    """Candidates, best first; those of `fitting` are near the draft."""
    unit = np.eye(count, dtype=np.float32)
    found = [
        Candidate(
            paper(f"2001.{n:05}", f"Title {n}"),
            *(0.5, 1 - n / 100, (), 1 - n / 100),
            nearest=0.99 if n in fitting else -0.1,
            average=0.5,
        )
        for n in range(count)
    ]
    return found, {c.paper.id.value: unit[n] for n, c in enumerate(found)}


def _rows(papers: list[Candidate]) -> list[int]:
    return [int(c.paper.id.value[-5:]) for c in papers]


def test_a_section_has_fewer_papers_than_the_breadth_where_the_others_do_not_fit() -> None:
    found, vectors = _found(40, {0, 2, 3, 5, 7, 11})
    made = make_longlist(found, vectors, {}, Options(breadth=8, diversity=0.0))
    assert (_rows(made.papers), made.wanted) == ([0, 2, 3, 5, 7, 11], 6)
    made = make_longlist(found, vectors, {}, Options(breadth=5, diversity=0.0))
    assert (_rows(made.papers), made.wanted) == ([0, 2, 3, 5, 7, 11], 5)  # the last stands in for another
    assert sorted(_rows([*made.papers, *made.others, *made.spare])) == list(range(40))
    assert len(made.papers) + len(made.others) == 15


def test_as_published_every_paper_is_taken_to_fit() -> None:
    found, vectors = _found(40, {0, 2})
    made = make_longlist(found, vectors, {}, Options(breadth=8, as_published=True), {found[9].paper.id.value})
    assert (len(made.papers), made.wanted, made.others) == (24, 8, [])


def test_a_cited_paper_that_fits_is_discussed_wherever_it_was_found() -> None:
    found, vectors = _found(40, {0, 1, 2, 3, 4, 5, 30})
    cited = {found[30].paper.id.value}
    made = make_longlist(found, vectors, {}, Options(breadth=6, diversity=0.0), cited)
    assert (_rows(made.papers)[: made.wanted]) == [30, 0, 1, 2, 3, 4]


def test_works_without_a_record_have_half_of_the_places_that_cited_papers_leave() -> None:
    found, vectors = _found(60, set(range(60)))
    papers, works = found[:40], found[40:]
    cited = {found[3].paper.id.value, found[7].paper.id.value}
    made = make_longlist(papers, vectors, {}, Options(breadth=8, diversity=0.0), cited, works=works)
    discussed = _rows(made.papers)[: made.wanted]
    assert discussed[:2] == [3, 7] and sum(row >= 40 for row in discussed) == 3
    assert not set(_rows(made.others)) & set(range(40, 60))
    far = [replace(work, nearest=-0.1) for work in works]
    made = make_longlist(papers, vectors, {}, Options(breadth=8, diversity=0.0), cited, works=far)
    assert max(_rows(made.papers)) < 40


def test_works_without_a_record_also_take_the_places_that_no_other_paper_fits() -> None:
    found, vectors = _found(60, {0, *range(40, 60)})
    papers, works = found[:40], found[40:]
    made = make_longlist(papers, vectors, {}, Options(breadth=8, diversity=0.0), works=works)
    assert [row >= 40 for row in _rows(made.papers)] == [False, *[True] * 7]


def test_works_with_an_abstract_come_right_behind_the_cited_papers_as_many_as_fit() -> None:
    found, vectors = _found(60, set(range(60)))
    papers, works = found[:40], [*found[40:59], replace(found[59], nearest=-0.5)]
    told = [replace(work, paper=replace(work.paper, abstract="We parse trees.")) for work in works[-6:]]
    cited = {found[3].paper.id.value}
    made = make_longlist(papers, vectors, {}, Options(breadth=8, diversity=0.0), cited, works=[*works[:-6], *told])
    discussed = _rows(made.papers)[: made.wanted]
    assert (discussed[0], sorted(discussed[1:6])) == (3, [54, 55, 56, 57, 58])
    assert [row < 40 for row in discussed[6:]] == [True, False]


def test_how_many_papers_were_left_out_is_said() -> None:
    assert left_out(60, 10, 10) == left_out(4, 4, 10) == []
    (found,) = left_out(60, 6, 10)
    assert (found.code, found.message.split(":")[0]) == ("papers_left_out", "6 papers instead of 10")
    (found,) = left_out(5, 1, 10)
    assert found.message.startswith("1 paper instead of 5")

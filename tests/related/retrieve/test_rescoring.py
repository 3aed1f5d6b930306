"""The first papers in the order that a larger model and the first order agree on."""

from collections.abc import Callable, Mapping, Sequence

from hypothesis import given
from hypothesis import strategies as st

from citeplug.corpus.fusion import best_first
from citeplug.records.paper import Filter, Paper
from citeplug.related.retrieve.candidates import RESCORED, rescore, search
from tests.related.retrieve.memory_index import MemoryIndex, paper


class Judge:
    """A `Rescorer` that knows the cosines of some papers."""

    def __init__(self, cosines: Mapping[str, float]) -> None:
        self.known = cosines
        self.asked: list[str] = []
        self.seconds: float | None = None

    def cosines(
        self,
        text: str,
        papers: Sequence[Paper],
        seconds: float | None = None,
        tell: Callable[[int, int], None] | None = None,
    ) -> Mapping[str, float]:
        self.asked += [one.id.value for one in papers]
        self.seconds = seconds
        return {one.id.value: self.known[one.id.value] for one in papers if one.id.value in self.known}


def ids(count: int) -> list[str]:
    return [f"2001.{number:05d}" for number in range(1, count + 1)]


def records(values: Sequence[str]) -> Mapping[str, Paper]:
    return {value: paper(value, f"Paper {value}") for value in values}


def falling(values: Sequence[str]) -> dict[str, float]:
    return {value: float(len(values) - row) for row, value in enumerate(values)}


def test_without_a_second_model_the_order_is_as_it_was() -> None:
    scores = falling(ids(5))
    assert rescore(scores, "text", None, records, None) == scores


def test_papers_that_the_model_finds_nearer_come_first() -> None:
    values = ids(10)
    found = rescore(
        falling(values), "text", Judge({value: row / 10 for row, value in enumerate(values)}), records, None
    )
    # Both orders have a say: weighed less, the opposite one does not turn the first one round.
    assert best_first(found) == values
    strong = dict.fromkeys(values, 0.2) | {values[4]: 0.9}
    assert best_first(rescore(falling(values), "text", Judge(strong), records, None))[0] == values[4]


@given(st.integers(2, 30), st.data())
def test_a_paper_that_the_model_has_not_scored_keeps_its_place_and_its_score(count: int, data: st.DataObject) -> None:
    values = ids(count)
    scores = falling(values)
    judged = data.draw(st.dictionaries(st.sampled_from(values), st.floats(-1, 1)))
    found = rescore(scores, "text", Judge(judged), records, None)
    assert sorted(found.values()) == sorted(scores.values())
    for place, value in enumerate(best_first(found)):
        if values[place] not in judged:
            assert value == values[place]
            assert found[value] == scores[value]


def test_the_model_is_asked_about_the_first_papers_alone() -> None:
    values = ids(RESCORED + 50)
    judge = Judge(dict.fromkeys(values, 0.5))
    found = rescore(falling(values), "text", judge, records, 1.5)
    assert judge.asked == values[:RESCORED]
    assert judge.seconds == 1.5
    assert best_first(found) == values


def test_a_paper_without_a_record_keeps_its_place() -> None:
    values = ids(3)
    judge = Judge({values[0]: 0.1, values[2]: 0.9})
    found = rescore(falling(values), "text", judge, lambda asked: records([v for v in asked if v != values[1]]), None)
    assert best_first(found)[1] == values[1]


def test_a_search_asks_the_second_model_in_the_order_of_the_first() -> None:
    papers = [paper(value, f"Graph networks {'graph ' * (9 - row)}") for row, value in enumerate(ids(8))]
    index = MemoryIndex(papers, whole=True)
    before = [found.paper.id.value for found in search("graph networks", index, Filter(), 8)]
    judge = Judge({value: 0.9 if value == before[-1] else 0.1 for value in before})
    index.rescorer = judge
    after = [found.paper.id.value for found in search("graph networks", index, Filter(), 8)]
    assert judge.asked == before
    assert after.index(before[-1]) < before.index(before[-1])
    assert set(after) == set(before)


def test_what_comes_from_arxiv_alone_is_scored_too() -> None:
    live = paper("2002.00001", "Graph networks of molecules")
    index = MemoryIndex([paper("2001.00001", "Graph networks")], whole=True)
    index.rescorer = judge = Judge({})
    search("graph networks", index, Filter(), 5, live=[live])
    assert live.id.value in judge.asked

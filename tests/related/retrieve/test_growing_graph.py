"""Lists of references that a run asks for when it needs them."""

from collections.abc import Sequence

import pytest

from citeplug.errors import SourceUnavailable
from citeplug.records.paper import Paper
from citeplug.related.retrieve.growing_graph import GrowingGraph
from tests.harness.arxiv_server import paper
from tests.related.retrieve.citations import Citations

PAPERS = {each.id.value: each for each in (paper(f"2001.0000{n}", f"Paper {n}") for n in range(6))}
A, B, C, D, E, F = PAPERS


class Lists:
    """Answers that go into `lists`; a paper in `down` is an outage. `asked` are the papers in their order."""

    def __init__(self, lists: dict[str, list[str]], answers: dict[str, list[str]], down: Sequence[str] = ()) -> None:
        self.lists, self.answers, self.down = lists, answers, down
        self.asked: list[str] = []

    def fetch(self, paper: Paper) -> None:
        value = paper.id.value
        self.asked.append(value)
        if value in self.down:
            raise SourceUnavailable("OpenAlex could not be queried: it answered 429", "try again later")
        if value in self.answers:
            self.lists[value] = self.answers[value]


def growing(
    answers: dict[str, list[str]], down: Sequence[str] = (), seconds: float = 60.0
) -> tuple[GrowingGraph, Lists]:
    lists: dict[str, list[str]] = {A: [F]}
    source = Lists(lists, answers, down)

    def known(ids: Sequence[str]) -> dict[str, Paper]:
        return {value: PAPERS[value] for value in ids if value in PAPERS}

    return GrowingGraph(Citations(lists), source, known, seconds=seconds), source


def test_only_lists_that_are_not_known_are_asked_for_and_once() -> None:
    graph, source = growing({B: [F], C: []})
    assert graph.states([A, B, C, D]) == {A: "known", B: "known", C: "none"}
    assert graph.references([A, B, C, D], 9) == {A: (F,), B: (F,)}
    assert source.asked == [B, C, D]
    assert (graph.fetched, graph.silent, graph.left) == (2, 1, set())
    assert graph.in_words == "2 asked for now, 1 that nobody has"


def test_what_has_no_record_is_not_asked_for() -> None:
    graph, source = growing({})
    graph.references(["9901.12345", "lib:smith"], 9)
    assert source.asked == []


def test_an_outage_ends_the_asking_and_says_what_is_left() -> None:
    graph, source = growing({B: [F]}, down=[C])
    assert graph.states([B, C, D, E]) == {B: "known"}
    assert graph.references([D], 9) == {}
    assert source.asked == [B, C]
    assert graph.left == {C, D, E}
    assert graph.in_words == "1 asked for now, 3 left, since OpenAlex could not be queried: it answered 429"


def test_a_run_asks_for_a_time_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 1000, 25))
    monkeypatch.setattr("time.monotonic", lambda: float(next(clock)))
    graph, source = growing({value: [F] for value in PAPERS}, seconds=60.0)
    graph.states([B, C, D, E])
    assert source.asked == [B, C, D]
    assert graph.in_words == "3 asked for now, 1 left, since 60 s were over"
    # What is known counts, however late.
    assert graph.references([A, B], 9) == {A: (F,), B: (F,)}


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    graph, _ = growing({B: [F]})
    graph.on_progress = lambda done, total: told.append((done, total))
    graph.references([A, B, C], 9)
    assert told == [(0, 2), (1, 2)]

"""What topics say of a plan."""

from collections.abc import Mapping, Sequence

import pytest

from citeplug.errors import CiteplugError, StoreBroken, StoreBusy
from citeplug.records.paper import Paper
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.records.topics import Topic
from citeplug.related.plan_section import known_topics, topics_of_plan

HOLES, GRAPHS = Topic(1, "black hole", ("black hole",), 40), Topic(2, "graph", ("graph",), 30)
KNOWN = {"a": HOLES, "b": HOLES, "c": GRAPHS}


def plan(*cites: str) -> Plan:
    return Plan((PlanParagraph("p1", "Heading", (PlanLine("say it", cites), PlanLine("relate it")), words=50),))


class Broken:
    def __init__(self, error: CiteplugError) -> None:
        self.error = error

    def of(self, ids: Sequence[str]) -> Mapping[str, Topic]:
        raise self.error

    def within(self, wanted: Sequence[str], papers: Sequence[Paper] = ()) -> frozenset[str]:
        raise self.error


def test_a_paragraph_has_the_topic_of_more_than_half_of_its_papers() -> None:
    assert topics_of_plan(plan("a", "b", "c"), KNOWN) == {"p1": Topic(1, "black hole", ("black hole",), 2)}


@pytest.mark.parametrize("cites", [(), ("a", "c"), ("x", "y"), ("a", "x"), ("a", "b", "x", "y")])
def test_half_of_them_is_too_few(cites: tuple[str, ...]) -> None:
    assert topics_of_plan(plan(*cites), KNOWN) == {}


@pytest.mark.parametrize("error", [StoreBroken("torn"), StoreBusy("busy")])
def test_topics_that_cannot_be_read_are_none(error: CiteplugError) -> None:
    assert known_topics(["a"], Broken(error)) == {}
    assert known_topics(["a"], None) == {}

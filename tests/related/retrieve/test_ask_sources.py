"""Queries at services: which are sent, how their answers are joined, and what an outage leaves."""

from datetime import date

import pytest

from citeplug.errors import SourceUnavailable
from citeplug.records.paper import Paper, Query
from citeplug.related.retrieve.ask_sources import FEWEST, ask_sources
from tests.harness.arxiv_server import paper

MAIN = Query("the whole abstract", "abstract")
QUIC = Query("QUIC transport performance web", "model:method")
HTTP = Query("HTTP/2 page load time", "model:baselines")
PAPERS = [paper(f"2001.0000{n}", f"Paper {n}") for n in range(10)]


class Service:
    """A service with an answer for each query; it fails at a query that it has none for."""

    def __init__(self, name: str, **answers: list[Paper]) -> None:
        self.name = name
        self.answers = answers
        self.asked: list[tuple[str, int]] = []

    def search(self, text: str, limit: int, before: date | None = None) -> list[Paper]:
        self.asked.append((text, limit))
        first = text.split()[0].replace("/", "")
        if first not in self.answers:
            raise SourceUnavailable(f"{self.name} cannot be reached", "try again")
        return self.answers[first][:limit]


def test_without_a_model_s_queries_the_main_one_is_sent_alone() -> None:
    service = Service("arXiv", the=PAPERS)
    answers = ask_sources([MAIN, Query("a phrase", "phrases")], [service], 5)
    assert service.asked == [(MAIN.text, FEWEST)]
    assert answers.papers == PAPERS[:5]
    assert [query.asked for query in answers.queries] == [("arXiv",), ()]


def test_a_model_s_queries_are_sent_in_the_place_of_the_draft_s_words_with_equal_shares() -> None:
    service = Service("arXiv", QUIC=PAPERS[:3], HTTP2=PAPERS[2:6])
    answers = ask_sources([MAIN, QUIC, HTTP], [service], 120)
    assert service.asked == [(QUIC.text, 60), (HTTP.text, 60)]
    # The first of each query, then the second; a paper that both find is there once.
    assert [p.id.value[-1] for p in answers.papers] == ["0", "2", "1", "3", "4", "5"]
    assert [query.asked for query in answers.queries] == [(), ("arXiv",), ("arXiv",)]


def test_several_services_are_asked_and_each_query_names_them() -> None:
    services = [Service("arXiv", QUIC=PAPERS[:2]), Service("OpenAlex", QUIC=PAPERS[1:3])]
    answers = ask_sources([MAIN, QUIC], services, 9)
    assert [p.id.value[-1] for p in answers.papers] == ["0", "1", "2"]
    assert answers.queries[1].asked == ("arXiv", "OpenAlex")


def test_a_service_that_fails_is_asked_no_more_and_the_others_answers_count() -> None:
    down, up = Service("arXiv", QUIC=PAPERS[:1]), Service("OpenAlex", QUIC=[], HTTP2=PAPERS[4:5])
    answers = ask_sources([MAIN, QUIC, HTTP, Query("third", "model:x")], [down, up], 9, must_answer=True)
    assert [text for text, _ in down.asked] == [QUIC.text, HTTP.text]
    assert [str(outage) for outage in answers.outages] == ["arXiv cannot be reached", "OpenAlex cannot be reached"]
    assert {p.id.value for p in answers.papers} == {PAPERS[0].id.value, PAPERS[4].id.value}


def test_where_nothing_else_can_be_searched_an_outage_is_no_answer() -> None:
    with pytest.raises(SourceUnavailable):
        ask_sources([MAIN], [Service("arXiv")], 5, must_answer=True)
    assert ask_sources([MAIN], [Service("arXiv")], 5).papers == []


def test_progress_is_told_for_each_query() -> None:
    told: list[tuple[str, int, int]] = []
    service = Service("arXiv", QUIC=[], HTTP2=[])
    ask_sources([MAIN, QUIC, HTTP], [service], 5, on_progress=lambda *step: told.append(step))
    assert told == [("arXiv", 0, 2), ("arXiv", 1, 2)]

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.records.dialogue import Reply
from citeplug.records.draft import BibEntry, Cite, Span
from citeplug.related.retrieve.model_queries import (
    LONGEST,
    MOST,
    WEIGHT,
    propose_queries,
    queries_request,
    read_queries,
)
from tests.harness.scripted_models import ScriptedModel
from tests.related.write.examples import DRAFT


def item(query: str, facet: str = "method") -> dict[str, str]:
    return {"query": query, "facet": facet, "reason": "It is its method."}


def texts(*items: Any) -> list[str]:
    return [p.text for p in read_queries(Reply("", {"queries": list(items)}))]


def test_each_query_has_its_facet_and_a_share_of_the_weight() -> None:
    model = ScriptedModel(lambda seen, _: {"queries": [item("log anomaly detection"), item("label free learning")]})
    first, second = propose_queries(DRAFT, model)
    assert first.text == "log anomaly detection"
    assert first.aspect == "model:method"
    assert first.weight + second.weight == pytest.approx(WEIGHT)
    assert DRAFT.abstract in model.requests[0].shared


def test_neighbouring_literature_needs_no_word_of_the_draft() -> None:
    assert texts(item("process mining", facet="neighbour")) == ["process mining"]


def test_the_model_is_told_what_the_draft_cites_already() -> None:
    span = Span(DRAFT.root, 0, 1, 1)
    entries = (
        BibEntry("a", "article", {"title": "{Logs} of \\'Etude"}, span),
        BibEntry("b", "book", {"title": "X"}, span),
    )
    draft = replace(DRAFT, entries=entries, cites=(Cite(("a",), "cite", span),))
    assert "titles of what it cites already: Logs of Étude\n" in queries_request(draft).shared


def test_one_query_alone_is_asked_for_and_read_as_litllm_s_single_query() -> None:
    model = ScriptedModel(lambda seen, _: {"queries": [item("log anomaly detection"), item("server faults")]})
    assert [p.text for p in propose_queries(DRAFT, model, 1)] == ["log anomaly detection"]
    assert model.requests[0].prompt.startswith("Write one query")


@pytest.mark.parametrize(("most", "count"), [(3, "3"), (5, "5"), (10, "5 to 10")])
def test_several_queries_are_asked_for_by_their_number(most: int, count: str) -> None:
    assert queries_request(DRAFT, most).prompt.startswith(f"Write {count} queries.")


def test_facets_exclude_one_another() -> None:
    assert texts(item("log anomaly detection"), item("anomaly detection log files"), item("server faults")) == [
        "log anomaly detection",
        "server faults",
    ]


def test_a_query_is_a_few_plain_words() -> None:
    (query,) = texts(item('"log\x1b[31m parsing" AND (anomaly OR fault) ' + "word " * 40))
    assert query.startswith("log parsing anomaly fault")
    assert len(query.split()) == LONGEST


def test_no_more_than_the_most_are_read() -> None:
    assert len(texts(*(item(f"query{n}") for n in range(20)))) == MOST


def test_bare_texts_are_queries_too() -> None:
    assert texts("log parsing", 3, None) == ["log parsing"]


_json = st.recursive(
    st.none() | st.integers() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["query", "facet", "queries"]), inner),
    max_leaves=8,
)


@given(_json)
def test_any_answer_can_be_read(data: Any) -> None:
    assert len(read_queries(Reply("", data))) <= MOST

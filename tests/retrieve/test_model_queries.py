from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.records.dialogue import Reply
from citeplug.retrieve.model_queries import LONGEST, MANNERS, MOST, WEIGHT, Manner, propose_queries, read_queries
from tests.scripted_models import ScriptedModel
from tests.write.examples import DRAFT

QUOTE = "a detector that finds faults in system logs"


def item(query: str, quote: str = QUOTE, facet: str = "method") -> dict[str, str]:
    return {"query": query, "facet": facet, "reason": "It is its method.", "quote": quote}


def texts(*items: Any, manner: Manner = "optimized") -> list[str]:
    return [p.query.text for p in read_queries(Reply("", {"queries": list(items)}), DRAFT, manner)]


def test_each_query_has_its_reason_and_its_place_in_the_draft() -> None:
    model = ScriptedModel(lambda seen, _: {"queries": [item("log anomaly detection"), item("label free learning")]})
    first, second = propose_queries(DRAFT, model)
    assert first.query.text == "log anomaly detection"
    assert first.query.aspect == "model:method"
    assert first.quote == QUOTE
    assert first.query.weight + second.query.weight == pytest.approx(WEIGHT)
    assert DRAFT.abstract in model.requests[0].shared


def test_facets_exclude_one_another() -> None:
    assert texts(item("log anomaly detection"), item("anomaly detection log files"), item("server faults")) == [
        "log anomaly detection",
        "server faults",
    ]


def test_an_optimized_query_needs_a_quotation_from_the_draft() -> None:
    assert texts(item("quantum gravity", quote="a theory of everything that is")) == []
    assert texts(item("quantum gravity", quote=""), manner="multiple") == ["quantum gravity"]


def test_a_query_is_a_few_plain_words() -> None:
    (query,) = texts(item('"log\x1b[31m parsing" AND (anomaly OR fault) ' + "word " * 40))
    assert query.startswith("log parsing anomaly fault")
    assert len(query.split()) == LONGEST


@pytest.mark.parametrize(("manner", "count"), [("single", 1), ("multiple", 3), ("optimized", MOST)])
def test_each_manner_has_its_number(manner: Manner, count: int) -> None:
    assert len(texts(*(item(f"query{n}") for n in range(20)), manner=manner)) == count


def test_bare_texts_are_queries_too() -> None:
    assert texts("log parsing", 3, None, manner="multiple") == ["log parsing"]


_json = st.recursive(
    st.none() | st.integers() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["query", "quote", "queries"]), inner),
    max_leaves=8,
)


@given(_json, st.sampled_from(MANNERS))
def test_any_answer_can_be_read(data: Any, manner: Manner) -> None:
    assert len(read_queries(Reply("", data), DRAFT, manner)) <= MOST

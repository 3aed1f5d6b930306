"""Gold sets and runs: what is read, and what is refused with the file and the line."""

import json
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.errors import UnreadableInput
from citeplug.evaluate.gold import Gold, query_of, read_gold
from citeplug.evaluate.runs import RunLine, read_run, tie_at
from citeplug.evaluate.scores import Kind, KnownTexts, MeasureSettings, RunScores, score

GOLD = {"query_id": "q", "source": "s", "title": "T", "abstract": "A", "before": "2020-01-01", "cited": ["2001.00001"]}


def lines(*rows: Any) -> Iterable[tuple[int, bytes]]:
    return enumerate((row if isinstance(row, bytes) else json.dumps(row).encode() for row in rows), 1)


def gold_of(*rows: Any) -> list[Gold]:
    return read_gold(lines(*rows), "gold.jsonl")


def run_of(*rows: Any, gold: list[Gold] | None = None) -> dict[str, RunLine]:
    return read_run(lines(*rows), "run.jsonl", gold or gold_of(GOLD))


def values(scores: RunScores) -> dict[str, float]:
    return {each.name: each.value for each in scores.measures}


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (b"{", "gold.jsonl, line 1 is not JSON"),
        (b'{"query_id": NaN}', "NaN is not a number"),
        (b"[" * 100_000, "gold.jsonl, line 1 is not JSON"),
        (b"\xff", "not JSON"),
        ([], "not a JSON object"),
        ({"title": "T"}, "has no query_id"),
        ({"query_id": "q", "cited": "2001.00001"}, "cited is not a list"),
        ({"query_id": "q", "cited": [1]}, "cited is not a list of strings"),
        ({"query_id": "q", "nuggets": [{"text": "x", "importance": "great"}]}, "importance is not one of vital, okay"),
    ],
)
def test_a_bad_line_of_a_gold_set_is_named(row: Any, said: str) -> None:
    with pytest.raises(UnreadableInput, match=said):
        gold_of(row)


FIELDS = st.sampled_from(
    "query_id question_id cited exclude plan nuggets texts answerable citation_counts results candidates refused"
    " sentences judged cost versions text inputs_digest title sentences cites importance relevance entailment".split()
)
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FIELDS, inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(FIELDS, JSON, max_size=6))
def test_any_line_is_read_or_refused(row: dict[str, Any]) -> None:
    row = {**row, "query_id": "q"}
    with suppress(UnreadableInput):
        gold_of(row)
    with suppress(UnreadableInput):
        run = run_of(row)
        for kind in get_args(Kind):
            score(kind, gold_of(GOLD), run, MeasureSettings())


def test_a_gold_set_has_each_query_once_and_one_at_least() -> None:
    with pytest.raises(UnreadableInput, match="line 2: query q occurs twice"):
        gold_of(GOLD, GOLD)
    with pytest.raises(UnreadableInput, match="holds no query"):
        gold_of()


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"query_id": "other"}, "the gold set has no query other"),
        ({"query_id": "q", "results": ["2001.00001", "arXiv:2001.00001v3"]}, "result 2001.00001 occurs twice"),
        ({"query_id": "q", "results": [{"id": "a", "score": 1}, {"id": "b", "score": 2}]}, "above the one before"),
        ({"query_id": "q", "results": [{"id": "a", "score": 1}, {"id": "b"}]}, "some results have a score"),
        ({"query_id": "q", "results": [{"score": 1}]}, "a result has no id"),
        (b'{"query_id": "q", "results": [{"id": "a", "score": NaN}]}', "NaN is not a number"),
        (b'{"query_id": "q", "results": [{"id": "a", "score": 1e999}]}', "out of range"),
        (b'{"query_id": "q", "cost": 1' + b"0" * 400 + b"}", "cost is not a finite number"),
        ({"query_id": "q", "results": [], "inputs_digest": "0" * 64}, "made for other inputs of q"),
        ({"query_id": "q", "judged": {"relevance": {"a": 11}}}, "a is not a score from 0 to 10"),
        ({"query_id": "q", "judged": {"nuggets": ["support"]}}, "1 nuggets are judged, the gold set has 0"),
        ({"query_id": "q", "judged": {"entailment": [{"sentence": 0, "entailed": True}]}}, "the place of a sentence"),
    ],
)
def test_a_bad_line_of_a_run_is_named(row: Any, said: str) -> None:
    with pytest.raises(UnreadableInput, match=said) as caught:
        run_of(row)
    assert str(caught.value).startswith("run.jsonl, line 1") and caught.value.exit_code == 2 and caught.value.hint


def test_a_run_answers_every_query_once() -> None:
    with pytest.raises(UnreadableInput, match="occurs twice"):
        run_of({"query_id": "q"}, {"query_id": "q"})
    with pytest.raises(UnreadableInput, match="no line for 1 of 2 queries, r the first"):
        run_of({"query_id": "q"}, gold=gold_of(GOLD, {**GOLD, "query_id": "r"}))


def test_a_run_that_found_the_query_s_own_paper_is_refused() -> None:
    gold = gold_of({**GOLD, "exclude": ["2001.00009v2"]})
    with pytest.raises(UnreadableInput, match=r"2001\.00009 is the query's own paper"):
        run_of({"query_id": "q", "results": ["2001.00009"]}, gold=gold)


def test_a_run_for_the_inputs_is_taken_and_the_inputs_hold_no_answer() -> None:
    gold = gold_of({**GOLD, "section": "secret", "nuggets": [], "answer": "secret", "exclude": []})
    query = query_of(gold[0])
    assert set(query) == {"query_id", "text", "title", "abstract", "before", "exclude", "inputs_digest"}
    assert query["text"] == "T. A"
    assert run_of({"query_id": "q", "inputs_digest": query["inputs_digest"]}, gold=gold)


def test_the_digest_is_of_the_inputs_alone() -> None:
    (one,), (same,), (other,) = (
        gold_of(row) for row in (GOLD, {**GOLD, "cited": ["2001.00002"], "source": "x"}, {**GOLD, "abstract": "B"})
    )
    assert one.digest == same.digest != other.digest


@given(st.lists(st.sampled_from([0.1, 0.2, 0.3]), max_size=6), st.frozensets(st.sampled_from("abcdef")))
def test_a_tie_matters_where_equals_of_both_kinds_are_parted(given_: list[float], cited: frozenset[str]) -> None:
    scores = tuple(sorted(given_, reverse=True))
    line = RunLine("q", results=tuple("abcdef"[: len(scores)]), scores=scores)
    cut = tie_at(line, cited, [3])
    if cut is None and len(scores) > 3 and scores[2] == scores[3]:
        equals = [name for name, score in zip(line.results, scores, strict=True) if score == scores[3]]
        assert len({name in cited for name in equals}) == 1
    assert cut is None or scores[2] == scores[3]


def test_a_tie_that_decides_a_measure_is_refused_and_without_scores_the_order_counts() -> None:
    gold = gold_of(GOLD)
    tied = [{"id": "2001.00001", "score": 1}, {"id": "2001.00002", "score": 1}]
    with pytest.raises(UnreadableInput, match="results 1 and 2 have one score"):
        score("retrieval", gold, run_of({"query_id": "q", "results": tied}), MeasureSettings((1,)))
    listed = run_of({"query_id": "q", "results": [each["id"] for each in tied]})
    assert values(score("retrieval", gold, listed, MeasureSettings((1,))))["recall@1"] == 1
    assert (
        values(score("retrieval", gold, run_of({"query_id": "q", "results": tied}), MeasureSettings((2,))))["recall@2"]
        == 1
    )


def test_an_empty_gold_set_is_left_out_and_counted() -> None:
    gold = gold_of(GOLD, {**GOLD, "query_id": "r", "cited": []})
    run = run_of({"query_id": "q", "results": ["2001.00001"]}, {"query_id": "r", "results": ["x"]}, gold=gold)
    done = score("retrieval", gold, run, MeasureSettings((1,)))
    assert done.empty == ("r",)
    assert values(done)["recall@1"] == 1 and len(done.measures[0].values) == 1


def test_a_ranking_keeps_what_it_left_out_among_the_retrieved() -> None:
    gold = gold_of({**GOLD, "cited": ["a", "b"]})
    run = run_of({"query_id": "q", "results": ["a", "a"], "candidates": ["a", "b", "c"]}, gold=gold)
    found = values(score("ranking", gold, run, MeasureSettings((1,))))
    assert found["normalised recall@1"] == 0.5
    assert (found["incomplete list"], found["repeated value"], found["complete ranked list"]) == (1, 1, 0)


def test_a_section_is_measured_by_all_that_the_lines_give() -> None:
    gold = gold_of(
        {
            **GOLD,
            "section": "Graphs are sampled.",
            "plan": {"sentences": 2, "cites": ["2001.00001"]},
            "nuggets": [{"text": "graphs are sampled", "importance": "vital"}],
            "texts": {"2001.00001": "We sample graphs of 1000 nodes in a single pass over all edges."},
            "citation_counts": {"2001.00001": 10},
        }
    )
    sentence = {
        "text": "They sample graphs of 1,000 nodes.",
        "cites": [{"key": "k", "arxiv_id": "2001.00001"}],
        "quotes": [{"paper": "2001.00001", "text": "We sample graphs of 1000 nodes"}],
    }
    judged = {
        "relevance": {"2001.00001": 7},
        "nuggets": ["partial_support"],
        "entailment": [{"sentence": 0, "cites": ["2001.00001"], "entailed": True}],
    }
    found = values(
        score(
            "section",
            gold,
            run_of({"query_id": "q", "sentences": [sentence], "judged": judged}, gold=gold),
            MeasureSettings(),
        )
    )
    assert found["reference coverage"] == found["citation coverage"] == found["document importance"] == 1
    assert (found["plan followed"], found["plan: mean difference"], found["plan: largest difference"]) == (0, 1, 1)
    assert 0 < found["ROUGE-1"] < 1 and found["words of nuggets"] == 1
    assert found["source relevance, mean"] == found["source relevance, sum"] == 7
    assert (found["nugget coverage, all"], found["nugget coverage, vital, strict"]) == (0.5, 0)
    assert found["citation precision"] == found["ALCE citation recall"] == found["claim coverage"] == 1
    assert found["validity of quotations"] == found["agreement of numbers"] == found["reality of keys"] == 1
    assert found["share of copied runs"] == 0


def test_a_section_of_citeplug_related_is_read_as_it_is_with_its_plan() -> None:
    source = {"arxiv_id": "2001.00001", "text": "We sample graphs of any size", "of": "abstract"}
    sentence = {"text": "S.", "cites": [{"key": "k", "arxiv_id": "2001.00001"}], "sources": [source]}
    own = {"text": "We differ.", "cites": [], "sources": [{**source, "arxiv_id": None}]}
    plan = {"paragraphs": [{"lines": [{"cites": ["2001.00001"]}, {"cites": ["2001.00002"]}, {"cites": []}]}]}
    row = {"query_id": "q", "section": {"paragraphs": [{"sentences": [sentence, own]}]}, "plan": plan}
    known = KnownTexts({}, {"2001.00001": "We sample graphs of any size."})
    found = values(score("section", gold_of(GOLD), run_of(row), MeasureSettings(known=known)))
    assert (found["plan followed"], found["plan: mean difference"], found["citation coverage"]) == (0, 1, 0.5)
    assert found["validity of quotations"] == found["reference coverage"] == 1


def test_a_section_that_cites_the_query_s_own_paper_is_refused() -> None:
    gold = gold_of({**GOLD, "exclude": ["2001.00009"]})
    with pytest.raises(UnreadableInput, match="own paper"):
        run_of({"query_id": "q", "sentences": [{"text": "S.", "cites": ["2001.00009"]}]}, gold=gold)


def test_what_nobody_judged_is_not_measured() -> None:
    sentences = [{"text": "One.", "cites": ["a"]}, {"text": "Two.", "cites": ["b"]}]
    judged = {"entailment": [{"sentence": 0, "cites": ["a"], "entailed": True}], "relevance": {"a": 7}}
    found = values(
        score(
            "section",
            gold_of(GOLD),
            run_of({"query_id": "q", "sentences": sentences, "judged": judged}),
            MeasureSettings(),
        )
    )
    assert (
        not {
            "citation precision",
            "ALCE citation recall",
            "claim coverage",
            "nugget coverage, all",
            "source relevance, mean",
        }
        & found.keys()
    )


def test_a_paper_that_no_catalogue_has_is_not_real() -> None:
    run = run_of({"query_id": "q", "sentences": [{"text": "One.", "cites": ["2001.00001", "x"]}]})
    known = KnownTexts({"2001.00001": "T"}, {"2001.00001": "An abstract."})
    assert values(score("section", gold_of(GOLD), run, MeasureSettings(known=known)))["reality of keys"] == 0.5
    assert "reality of keys" not in values(score("section", gold_of(GOLD), run, MeasureSettings()))


def test_refusals_are_wrong_answers_only_where_answers_are_judged() -> None:
    gold = gold_of(*({"question_id": n, "question": "Who?", "answerable": True} for n in (1, 2)))
    refused, given_ = {"question_id": 1, "refused": True}, {"question_id": 2, "sentences": [{"text": "She."}]}
    alone = values(score("answers", gold, run_of(refused, given_, gold=gold), MeasureSettings()))
    judged = run_of(refused, {**given_, "judged": {"correct": True}}, gold=gold)
    assert "answer accuracy" not in alone
    assert values(score("answers", gold, judged, MeasureSettings()))["answer accuracy"] == 0.5


def test_answers_with_citations_are_read_as_they_are() -> None:
    gold = gold_of(
        {"question_id": 1, "question": "How many?", "answerable": True, "texts": [{"title": "t", "text": "x"}, {}]},
        {"question_id": "2", "question": "Who?", "answerable": False},
    )
    citation = {"paper": "t", "passage": 1, "start": 0, "end": 3, "quote": "three words are not five but these are"}
    answer = {"question_id": "1", "refused": False, "sentences": [{"text": "Ten.", "citations": [citation]}]}
    run = run_of(answer, {"question_id": "2", "refused": True, "sentences": []}, gold=gold)
    found = values(score("answers", gold, run, MeasureSettings()))
    assert set(gold[0].texts) == {"t", "text 2"}
    assert (found["refusal recall"], found["over-refusal"], found["number of citations"]) == (1, 0, 1)
    assert found["validity of quotations"] == 0 and "answer accuracy" not in found

"""Scores from verdicts: each measure by each judge, the mean of both orders for each query."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from citeplug.evaluate.gold import Gold
from citeplug.evaluate.judge.entailment import verdicts_from
from citeplug.evaluate.judge.nuggets import VALUES
from citeplug.evaluate.judge.question import Measure, Order, Verdict
from citeplug.evaluate.judge.relevance_rate import MOST
from citeplug.evaluate.measures.nugget_coverage import JudgedNugget, nugget_coverage
from citeplug.evaluate.measures.source_relevance import source_relevance
from citeplug.evaluate.runs import RunLine
from citeplug.evaluate.scores import Scored, citation_measures

ACCURACY = "answer accuracy"
_NAMES = {"quality": "quality of the section", "organisation": "organisation", "correctness": ACCURACY}


@dataclass(frozen=True, slots=True)
class Judged:
    """What was judged: the gold set, and of one run its lines, by query, and the papers whose texts are known."""

    gold: Sequence[Gold]
    lines: Mapping[str, RunLine] = field(default_factory=dict)
    known: Mapping[str, Collection[str]] = field(default_factory=dict)
    as_published: bool = False


def judged_scores(verdicts: Sequence[Verdict], judged: Judged) -> list[Scored]:
    """Return one for each measure, named with its judge where there are several.

    An order in which an item could not be read gives nothing to its query; a query without an order is in no score.
    Of answers, a refusal of an answerable question is wrong, without a judge.
    """
    queries = {each.query_id: each for each in judged.gold}
    several = len({each.model for each in verdicts}) > 1
    asked: dict[tuple[str, str, Measure], dict[Order, dict[str, float | None]]] = {}
    for each in verdicts:
        orders = asked.setdefault((each.query_id, each.model, each.measure), {})
        orders.setdefault(each.order, {})[each.item] = each.value
    found: dict[str, dict[str, float]] = {}
    for (query, model, measure), orders in asked.items():
        whole = [read for items in orders.values() if (read := _whole(items)) is not None]
        values: dict[str, list[float]] = {}
        for items in whole:
            for name, value in _measured(measure, items, queries[query], judged).items():
                values.setdefault(f"{name}, by {model}" if several else name, []).append(value)
        for name, given in values.items():
            found.setdefault(name, {})[query] = fmean(given)
    refused = {each.query_id for each in judged.gold if _refused(each, judged)}
    return [
        Scored(name, {**dict.fromkeys(refused, 0.0), **given} if name.startswith(ACCURACY) else given)
        for name, given in found.items()
    ]


def _refused(gold: Gold, judged: Judged) -> bool:
    line = judged.lines.get(gold.query_id)  # none where several runs are compared
    return gold.answerable is not False and bool(gold.answer) and line is not None and line.refused


def _whole(items: Mapping[str, float | None]) -> dict[str, float] | None:
    read = {item: value for item, value in items.items() if value is not None}
    return read if len(read) == len(items) else None


def _measured(measure: Measure, items: Mapping[str, float], gold: Gold, judged: Judged) -> dict[str, float]:
    if measure == "metrics":
        return dict(items)
    if measure == "nuggets":
        return _nuggets(items, gold)
    if measure == "entailment":
        return _citations(items, gold, judged)
    if measure == "relevance":
        relevance = source_relevance(items)
        return {} if relevance is None else _relevance(relevance.mean, relevance.sum)
    if measure == "relevance-rate":
        return {"relevance rate": fmean(items.values()) / MOST}
    return {_NAMES[measure]: next(iter(items.values()))}


def _citations(items: Mapping[str, float], gold: Gold, judged: Judged) -> dict[str, float]:
    sentences, known = judged.lines[gold.query_id].sentences, judged.known[gold.query_id]
    values = citation_measures(sentences, verdicts_from(items), known, as_published=judged.as_published)
    return {name: value for name, value in values if value is not None}


def _relevance(mean: float, total: float) -> dict[str, float]:
    return {"source relevance, mean": mean, "source relevance, sum": total}


def _nuggets(items: Mapping[str, float], gold: Gold) -> dict[str, float]:
    support = {value: name for name, value in VALUES.items()}
    judged = [JudgedNugget(each.importance, support[items[str(at)]]) for at, each in enumerate(gold.nuggets, 1)]
    found = {}
    for among in ("all", "vital", "weighted"):
        for strict in (False, True):
            value = nugget_coverage(judged, among, strict=strict)
            if value is not None:
                found[f"nugget coverage, {among}{', strict' if strict else ''}"] = value
    return found

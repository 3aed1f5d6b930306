"""Scores from verdicts: each measure by each judge, the mean of both orders for each query; and how far judges agree.

A judge agrees with itself where its value stays when the order is swapped; two judges agree where their means do.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from citeplug.evaluate.bootstrap import Interval, paired_bootstrap
from citeplug.evaluate.gold import Gold
from citeplug.evaluate.judge.published import HIGHEST_RATE, SUPPORT, verdicts_from
from citeplug.evaluate.judge.question import Measure, Order, Verdict
from citeplug.evaluate.measures.citations import source_relevance
from citeplug.evaluate.measures.texts import JudgedNugget, nugget_coverages
from citeplug.evaluate.runs import RunLine
from citeplug.evaluate.scores import Scored, citation_measures

ACCURACY = "answer accuracy"
PREFERENCE = "preferred to the first"
_NAMES = {
    "quality": "quality of the section",
    "rating": "rating of the section",
    "organisation": "organisation",
    "correctness": ACCURACY,
    "preference": PREFERENCE,
}

Item = tuple[str, str]  # query and item


@dataclass(frozen=True, slots=True)
class JudgedRun:
    """What was judged: the gold set, and of one run its lines, by query, and the papers whose texts are known."""

    gold: Sequence[Gold]
    lines: Mapping[str, RunLine] = field(default_factory=dict)
    known: Mapping[str, Collection[str]] = field(default_factory=dict)
    as_published: bool = False


def judged_scores(verdicts: Sequence[Verdict], judged: JudgedRun) -> list[Scored]:
    """Return one for each measure, named with its judge where there are several.

    An order in which an item could not be read gives nothing to its query; a query without an order is in no score.
    Of answers, a refusal of an answerable question is wrong, without a judge.
    """
    queries = {query.query_id: query for query in judged.gold}
    several = len({verdict.model for verdict in verdicts}) > 1
    by_order: dict[tuple[str, str, Measure], dict[Order, dict[str, float | None]]] = {}
    for verdict in verdicts:
        orders = by_order.setdefault((verdict.query_id, verdict.model, verdict.measure), {})
        orders.setdefault(verdict.order, {})[verdict.item] = verdict.value
    values_by_name: dict[str, dict[str, float]] = {}
    for (query, model, measure), orders in by_order.items():
        whole = [read for items in orders.values() if (read := _whole(items)) is not None]
        values: dict[str, list[float]] = {}
        for items in whole:
            for name, value in _measured(measure, items, queries[query], judged).items():
                values.setdefault(f"{name}, by {model}" if several else name, []).append(value)
        for name, numbers in values.items():
            values_by_name.setdefault(name, {})[query] = fmean(numbers)
    refused = {gold.query_id for gold in judged.gold if _refused(gold, judged)}
    return [
        Scored(name, {**dict.fromkeys(refused, 0.0), **by_query} if name.startswith(ACCURACY) else by_query)
        for name, by_query in values_by_name.items()
    ]


def _refused(gold: Gold, judged: JudgedRun) -> bool:
    line = judged.lines.get(gold.query_id)  # none where several runs are compared
    return gold.answerable is not False and bool(gold.answer) and line is not None and line.refused


def _whole(items: Mapping[str, float | None]) -> dict[str, float] | None:
    read = {item: value for item, value in items.items() if value is not None}
    return read if len(read) == len(items) else None


def _measured(measure: Measure, items: Mapping[str, float], gold: Gold, judged: JudgedRun) -> dict[str, float]:
    if measure == "nuggets":
        return _nuggets(items, gold)
    if measure == "entailment":
        return _citations(items, gold, judged)
    if measure == "relevance":
        return source_relevance(items)
    if measure == "relevance-rate":
        return {"relevance rate": fmean(items.values()) / HIGHEST_RATE}
    return {_NAMES[measure]: next(iter(items.values()))}


def _citations(items: Mapping[str, float], gold: Gold, judged: JudgedRun) -> dict[str, float]:
    sentences, known = judged.lines[gold.query_id].sentences, judged.known[gold.query_id]
    values = citation_measures(sentences, verdicts_from(items), known, as_published=judged.as_published)
    return {name: value for name, value in values if value is not None}


def _nuggets(items: Mapping[str, float], gold: Gold) -> dict[str, float]:
    support = {value: name for name, value in SUPPORT.items()}
    judged = [JudgedNugget(nugget.importance, support[items[str(at)]]) for at, nugget in enumerate(gold.nuggets, 1)]
    return {name: value for name, value in nugget_coverages(judged) if value is not None}


def apart_from_even(scored: Scored) -> Interval | None:
    """Return by how much a share of preferences differs from one half; None for any other score, and for one query."""
    even = dict.fromkeys(scored.values, 0.5)
    return paired_bootstrap(even, scored.values) if scored.name.startswith(PREFERENCE) else None


@dataclass(frozen=True, slots=True)
class Agreement:
    """Of `items` that have two values: share that are `same`, mean `distance` of the others and these together.

    `models` are one judge, asked in both orders, or two. `earlier` is, for one judge, the mean of the value at the
    earlier place minus that at the later place, with its interval over queries: above 0 where it prefers what comes
    first. None where no item has changed its place.
    """

    measure: Measure
    models: tuple[str, ...]
    items: int
    same: float
    distance: float
    earlier: Interval | None = None


def agreement_with_itself(verdicts: Sequence[Verdict]) -> list[Agreement]:
    """One for each measure and judge that has values of some item in both orders."""
    agreements = []
    for measure, model in _kinds(verdicts):
        orders: dict[Item, list[Verdict]] = {}
        for verdict in verdicts:
            if (verdict.measure, verdict.model) == (measure, model) and verdict.value is not None:
                orders.setdefault((verdict.query_id, verdict.item), []).append(verdict)
        pairs = {item: sorted(two, key=lambda verdict: verdict.place) for item, two in orders.items() if len(two) == 2}
        if pairs:
            values = [(_value_of(one), _value_of(other)) for one, other in pairs.values()]
            moved = {item: (one, other) for item, (one, other) in pairs.items() if one.place != other.place}
            earlier = paired_bootstrap(
                _by_query((item, _value_of(later)) for item, (_, later) in moved.items()),
                _by_query((item, _value_of(first)) for item, (first, _) in moved.items()),
            )
            agreements.append(Agreement(measure, (model,), len(pairs), *_alike(values), earlier))
    return agreements


def agreement_of_judges(verdicts: Sequence[Verdict]) -> list[Agreement]:
    """One for each measure and two judges: of the means over both orders, items that both have values of."""
    means: dict[tuple[Measure, str], Mapping[Item, float]] = {}
    for measure, model in _kinds(verdicts):
        values: dict[Item, list[float]] = {}
        for verdict in verdicts:
            if (verdict.measure, verdict.model) == (measure, model) and verdict.value is not None:
                values.setdefault((verdict.query_id, verdict.item), []).append(verdict.value)
        means[measure, model] = {item: fmean(numbers) for item, numbers in values.items()}
    agreements = []
    kinds = list(means)
    for at, (measure, one) in enumerate(kinds):
        for other_measure, other in kinds[at + 1 :]:
            both = means[measure, one].keys() & means[other_measure, other].keys() if measure == other_measure else ()
            if both:
                values_of_both = [(means[measure, one][item], means[measure, other][item]) for item in both]
                agreements.append(Agreement(measure, (one, other), len(both), *_alike(values_of_both)))
    return agreements


def _kinds(verdicts: Iterable[Verdict]) -> list[tuple[Measure, str]]:
    return list(dict.fromkeys((verdict.measure, verdict.model) for verdict in verdicts))


def _alike(values: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return fmean(one == other for one, other in values), fmean(abs(one - other) for one, other in values)


def _by_query(values: Iterable[tuple[Item, float]]) -> dict[str, float]:
    by_query: dict[str, list[float]] = {}
    for (query, _), value in values:
        by_query.setdefault(query, []).append(value)
    return {query: fmean(numbers) for query, numbers in by_query.items()}


def _value_of(verdict: Verdict) -> float:
    assert verdict.value is not None
    return verdict.value

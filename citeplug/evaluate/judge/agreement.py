"""Agreement of a judge with itself when the order is swapped, its preference for a place, and that of two judges."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from citeplug.evaluate.bootstrap import Interval, paired_bootstrap
from citeplug.evaluate.judge.question import Measure, Verdict

Item = tuple[str, str]  # query and item


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
    found = []
    for measure, model in _kinds(verdicts):
        orders: dict[Item, list[Verdict]] = {}
        for each in verdicts:
            if (each.measure, each.model) == (measure, model) and each.value is not None:
                orders.setdefault((each.query_id, each.item), []).append(each)
        pairs = {item: sorted(two, key=lambda each: each.place) for item, two in orders.items() if len(two) == 2}
        if pairs:
            values = [(_value(one), _value(other)) for one, other in pairs.values()]
            moved = {item: (one, other) for item, (one, other) in pairs.items() if one.place != other.place}
            earlier = paired_bootstrap(
                _by_query((item, _value(later)) for item, (_, later) in moved.items()),
                _by_query((item, _value(first)) for item, (first, _) in moved.items()),
            )
            found.append(Agreement(measure, (model,), len(pairs), *_alike(values), earlier))
    return found


def agreement_of_judges(verdicts: Sequence[Verdict]) -> list[Agreement]:
    """One for each measure and two judges: of the means over both orders, items that both have values of."""
    means: dict[tuple[Measure, str], Mapping[Item, float]] = {}
    for measure, model in _kinds(verdicts):
        values: dict[Item, list[float]] = {}
        for each in verdicts:
            if (each.measure, each.model) == (measure, model) and each.value is not None:
                values.setdefault((each.query_id, each.item), []).append(each.value)
        means[measure, model] = {item: fmean(given) for item, given in values.items()}
    found = []
    kinds = list(means)
    for at, (measure, one) in enumerate(kinds):
        for other_measure, other in kinds[at + 1 :]:
            both = means[measure, one].keys() & means[other_measure, other].keys() if measure == other_measure else ()
            if both:
                values_of_both = [(means[measure, one][item], means[measure, other][item]) for item in both]
                found.append(Agreement(measure, (one, other), len(both), *_alike(values_of_both)))
    return found


def _kinds(verdicts: Iterable[Verdict]) -> list[tuple[Measure, str]]:
    return list(dict.fromkeys((each.measure, each.model) for each in verdicts))


def _alike(values: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return fmean(one == other for one, other in values), fmean(abs(one - other) for one, other in values)


def _by_query(values: Iterable[tuple[Item, float]]) -> dict[str, float]:
    found: dict[str, list[float]] = {}
    for (query, _), value in values:
        found.setdefault(query, []).append(value)
    return {query: fmean(given) for query, given in found.items()}


def _value(verdict: Verdict) -> float:
    assert verdict.value is not None
    return verdict.value

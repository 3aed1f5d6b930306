"""Filters of a list of papers, by what the author has done with them and by year, each a link with its count."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from citeplug.records.paper import Paper, Reason

_FEWEST = 9  # papers: fewer are seen at once
_YEARS = 3  # that have a filter of their own


@dataclass(frozen=True, slots=True)
class FilterLink:
    """`query` is that of the address that the link leads to, empty for the whole list."""

    label: str
    count: int
    query: str
    is_on: bool


def filters(
    papers: Mapping[str, tuple[str, int | None]], asked: Mapping[str, str]
) -> tuple[list[list[FilterLink]], frozenset[str]]:
    """The rows of filters, and the ids of the papers that those which are `asked` for leave.

    `papers` are the states and years by id. A filter that is on leads back to the list without it.
    """
    states = Counter(state for state, _ in papers.values() if state)
    years = sorted({year for _, year in papers.values() if year}, reverse=True)
    recent, last = years[:_YEARS], years[_YEARS - 1] if len(years) > _YEARS else 0

    def named(year: int | None) -> str:
        return "" if not year else str(year) if year in recent else f"before {last}"

    facts = {value: {"show": state, "year": named(year)} for value, (state, year) in papers.items()}
    counts = {"show": states, "year": Counter(fact["year"] for fact in facts.values() if fact["year"])}
    on = {name: asked.get(name, "") for name in counts if asked.get(name, "") in counts[name]}
    ids = frozenset(value for value, fact in facts.items() if all(fact[name] == on[name] for name in on))
    if len(papers) < _FEWEST:
        return [], frozenset(papers)
    always = {name: value for name, value in asked.items() if name == "q"}
    order = {"show": list(states), "year": [*map(str, recent), f"before {last}"]}
    rows = [[FilterLink("All", len(papers), urlencode(always), not on)]]
    for name, labels in order.items():
        row = []
        for label in labels:
            if count := counts[name][label]:
                rest = {other: value for other, value in on.items() if other != name}
                query = {**always, **rest, **({} if on.get(name) == label else {name: label})}
                row.append(FilterLink(label, count, urlencode(query), on.get(name) == label))
        if len(row) > 1 or name in on:
            rows.append(row)
    return rows, ids


def shown_reason(reasons: tuple[Reason, ...], paper: Paper) -> Reason | None:
    """The reason for a row: words of the draft that the paper's title has, or its abstract; else what it is like.

    Words that are in the draft's body and in the paper's abstract alone say little.
    """
    title = paper.title.lower()

    def weight(reason: Reason) -> int:
        if reason.kind == "words":
            telling = reason.of == "abstract" or any(word.lower() in title for word in reason.words)
            return 0 if telling else 3
        return {"graph": 0, "citation": 1}.get(reason.kind, 2)

    return min(reasons, key=weight, default=None)

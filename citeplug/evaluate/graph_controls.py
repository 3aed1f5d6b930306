"""Controls of a run that was found by citations: the same queries without the graph, and by popularity.

What a run finds by who cites whom may be what the words find as well, or what is cited often anyway. Both are searched
for in the user's catalogue, as `citeplug search` does, and measured as the run is.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from citeplug.corpus.fusion import Scores, best_first, combine
from citeplug.corpus.stores import Report, need_models, open_corpus
from citeplug.errors import UnreadableInput
from citeplug.evaluate.bootstrap import Interval
from citeplug.evaluate.evaluate_run import Evaluation, by_source, intervals_by_source, numbered_lines
from citeplug.evaluate.gold import Gold, read_gold
from citeplug.evaluate.runs import RunLine
from citeplug.evaluate.scores import MeasureSettings, Scored, score
from citeplug.protocols import CitationSource
from citeplug.records.paper import ArxivId, Filter
from citeplug.related.retrieve.candidates import search
from citeplug.related.retrieve.deep_research import MOST_LINKS, POOL
from citeplug.settings.environment import Settings as Environment

TEXT_ONLY, POPULARITY = "text only", "popularity"


@dataclass(frozen=True, slots=True)
class Control:
    """One control beside the run `of`: its scores by source, and intervals of the run minus the control."""

    name: str
    of: Path
    by_source: Mapping[str, Sequence[Scored]]
    intervals: Mapping[str, Mapping[str, Interval]]


def graph_controls(
    environment: Environment, gold_file: Path, runs: Sequence[Evaluation], settings: MeasureSettings, report: Report
) -> list[Control] | None:
    """Return both controls of each run that used the graph; None where this machine has no papers or no graph.

    Raises UnreadableInput for a query whose `before` is no date.
    """
    claiming = [run for run in runs if run.by_graph]
    if not claiming:
        return []
    gold = [query for query in read_gold(*numbered_lines(gold_file)) if query.cited]
    lines_by_control: dict[str, dict[str, RunLine]] = {TEXT_ONLY: {}, POPULARITY: {}}
    with open_corpus(environment) as corpus:
        if corpus.is_empty() or not corpus.graph.edges():
            return None
        need_models(environment)
        for number, query in enumerate(gold):
            report("controls", number, len(gold))
            where = Filter(_before(query, gold_file), exclude=query.exclude)
            # All that is found is embedded: a control that had less time than the run would flatter it.
            candidates = search(query.text, corpus, where, POOL, seconds=None)
            scores = {candidate.paper.id.value: candidate.score for candidate in candidates}
            orders = {TEXT_ONLY: list(scores), POPULARITY: by_popularity(scores, where, corpus.graph)}
            for name, order in orders.items():
                lines_by_control[name][query.query_id] = RunLine(
                    query.query_id, results=tuple(order[: max(settings.cuts)])
                )
    controls = []
    for name, lines in lines_by_control.items():
        scored = by_source(gold, score("retrieval", gold, lines, settings))
        controls += [
            Control(name, run.run.path, scored, intervals_by_source(scored, run.by_source)) for run in claiming
        ]
    return controls


def _before(query: Gold, file: Path) -> date | None:
    day = query.inputs.get("before")
    try:
        return date.fromisoformat(day) if day else None
    except (TypeError, ValueError) as error:
        raise UnreadableInput(
            f"{file}: 'before' of query {query.query_id} is not a date", "write it like 2025-08-01"
        ) from error


def by_popularity(scores: Mapping[str, float], where: Filter, source: CitationSource) -> list[str]:
    """Order papers by the score of a search and the logarithm of how often they are cited, both standardised.

    Counted are citations by papers whose id is of a month before `where.before`, and not by those that it excludes.
    """

    def counts(citing: str) -> bool:
        return citing not in where.exclude and (where.before is None or _month(citing) < where.before)

    citers = source.citers(list(scores), MOST_LINKS)
    times = {value: sum(map(counts, citers.get(value, ()))) for value in scores}
    return best_first(combine([Scores(scores), Scores({value: math.log1p(count) for value, count in times.items()})]))


def _month(value: str) -> date:
    try:
        return ArxivId.parse(value).month
    except ValueError:  # of no known month: it is not older
        return date.max

"""Output of `citeplug evaluate`: tables for a reader, and JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from citeplug.cli.console import counted, say, say_warning, show_table
from citeplug.records.json_form import fields_of

if TYPE_CHECKING:
    from citeplug.evaluate.bootstrap import Interval
    from citeplug.evaluate.evaluate_mine import OwnPapers
    from citeplug.evaluate.evaluate_run import Comparison, Evaluation
    from citeplug.evaluate.scores import Scored


def evaluation_as_json(done: "Evaluation") -> dict[str, Any]:
    values: dict[str, dict[str, float]] = {}
    for measure in done.scores.measures:
        for query, value in measure.values.items():
            values.setdefault(query, {})[measure.name] = value
    return {
        "kind": done.kind,
        "gold": {"file": str(done.gold.path), "sha256": done.gold.sha256, "queries": done.queries},
        "run": {"file": str(done.run.path), "sha256": done.run.sha256, "without_digest": done.undigested},
        "empty": list(done.scores.empty),
        "sources": {source: _measures_as_json(measures) for source, measures in done.by_source.items()},
        "queries": [{"query_id": query, "values": by_measure} for query, by_measure in values.items()],
        "cost": done.cost,
        "versions": {name: list(versions) for name, versions in done.versions.items()},
    }


def _measures_as_json(measures: "Sequence[Scored]") -> list[dict[str, Any]]:
    return [{"name": measure.name, "value": measure.value, "queries": len(measure.values)} for measure in measures]


def comparison_as_json(done: "Comparison") -> dict[str, Any]:
    return {
        "kind": done.first.kind,
        "gold": {"file": str(done.first.gold.path), "sha256": done.first.gold.sha256, "queries": done.first.queries},
        "runs": [{"file": str(system.run.path), "sha256": system.run.sha256} for system in (done.first, done.second)],
        "sources": {
            source: [{"name": name, **asdict(interval)} for name, interval in intervals.items()]
            for source, intervals in done.intervals.items()
        },
    }


def mine_as_json(done: "OwnPapers") -> dict[str, Any]:
    papers = [
        {
            **fields_of(paper, "main title before"),
            "dated_by": paper.dated_by or None,
            **fields_of(paper, "references on_arxiv"),
            "in_catalogue": paper.held,
            "newer": paper.newer,
            "found": [{"id": value, "title": paper.titles[value], "rank": rank} for value, rank in paper.ranks.items()],
            "missed": [{"id": value, "title": paper.titles[value]} for value in paper.missed],
        }
        for paper in done.papers
    ]
    return {"papers": papers, "measures": _measures_as_json(done.measures), "left_out": list(done.left_out)}


def show_mine(done: "OwnPapers", level: int) -> None:
    for paper in done.papers:
        say(paper.title)
        day = (
            f"as of {paper.before}, by {paper.dated_by}"
            if paper.before
            else "of an unknown day, so that all papers count"
        )
        held = f"{paper.held} of {counted(paper.references, 'reference', 'references')} in your catalogue"
        say(f"  {paper.main}")
        say(f"  {day}; {held}" + (f", {paper.newer} of them newer" if paper.newer else ""))
        asked = len(paper.ranks) + len(paper.missed)
        places = ", ".join(str(rank) for rank in paper.ranks.values())
        if asked:
            say(f"  found {len(paper.ranks)} of {asked}" + (f", at {places}" if places else ""))
        for value in paper.missed if level > 0 else ():
            say(f"  missed {value}  {paper.titles[value]}")
    say()
    for measure in done.measures:
        if not measure.name.startswith("recall"):
            continue
        say(f"{measure.name:30}{measure.value:10.3f}  ({counted(len(measure.values), 'paper', 'papers')})")
    if not done.measures:
        say("your catalogue has none of the papers that these cite")
    if done.left_out and level >= 0:
        say(f"left out: {counted(len(done.left_out), 'document', 'documents')}; -v says why", err=True)
    for reason in done.left_out if level > 0 else ():
        say(f"  {reason}", err=True)


def show_evaluation(done: "Evaluation") -> None:
    """Print a row for each measure, a column for all queries and one for each source."""
    sources = list(done.by_source) if len(done.by_source) > 2 else ["all"]
    by_name = {source: {measure.name: measure for measure in measures} for source, measures in done.by_source.items()}
    heads = ["measure", *(f"{source} ({_most(by_name[source])})" for source in sources)]
    names = [measure.name for measure in done.scores.measures]
    rows = [[name, *(_cell(by_name[source], name) for source in sources)] for name in names]
    show_table(rows, heads, numbers=len(sources))
    if done.cost is not None:
        say(f"cost: {done.cost:g}")
    for name, versions in done.versions.items():
        say(f"{name}: {', '.join(versions)}")
    _show_left_out(done)


def show_comparison(done: "Comparison") -> None:
    say(f"B minus A, 95 % interval; * where it excludes 0 (A: {done.first.run.path}, B: {done.second.run.path})")
    means = {
        source: [
            {measure.name: measure.value for measure in run.by_source[source]} for run in (done.first, done.second)
        ]
        for source in done.intervals
    }
    for source, intervals in done.intervals.items():
        queries = max(interval.queries for interval in intervals.values())
        say(f"\n{source}, {counted(queries, 'query', 'queries')}")
        rows = [
            (
                *(name, *(f"{values[name]:.3f}" for values in means[source]), *_apart(interval)),
                f"({interval.queries})" if interval.queries < queries else "",
            )
            for name, interval in intervals.items()
        ]
        show_table(rows, ("measure", "A", "B", "B - A", "interval", ""))
    _show_left_out(done.first)


def _apart(interval: "Interval") -> tuple[str, str]:
    """The difference, and its interval, marked where it leaves out 0."""
    sure = " *" if interval.low > 0 or interval.high < 0 else ""
    return f"{interval.difference:+.3f}", f"{interval.low:+.3f} to {interval.high:+.3f}{sure}"


def _most(measures: "Mapping[str, Scored]") -> int:
    return max((len(measure.values) for measure in measures.values()), default=0)


def _cell(measures: "Mapping[str, Scored]", name: str) -> str:
    """The value, with the number of its queries where these are not all."""
    if name not in measures:
        return "-"
    scored = measures[name]
    fewer = f" ({len(scored.values)})" if len(scored.values) < _most(measures) else ""
    return f"{scored.value:.3f}{fewer}"


def _show_left_out(done: "Evaluation") -> None:
    if done.scores.empty:
        say(f"left out: {counted(len(done.scores.empty), 'query', 'queries')} with an empty gold set", err=True)
    if done.undigested:
        lines = counted(done.undigested, "line does", "lines do")
        say_warning(f"{lines} not say for which inputs they were made (inputs_digest)")

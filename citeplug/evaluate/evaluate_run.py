"""Evaluation of run files on a gold set, and comparison of two; nothing is written, and nothing is sent anywhere."""

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from citeplug.corpus.stores import open_corpus
from citeplug.corpus.vectors.minilm import MiniLM
from citeplug.errors import UnreadableInput
from citeplug.evaluate.bootstrap import RESAMPLES, SEED, Interval, paired_bootstrap
from citeplug.evaluate.gold import Gold, is_held, query_of, read_gold
from citeplug.evaluate.runs import RunLine, read_run
from citeplug.evaluate.scores import LONGEST_DIFFERENCE, Kind, KnownTexts, MeasureSettings, RunScores, Scored, score
from citeplug.files.json_lines import JsonLines
from citeplug.files.project_files import open_regular
from citeplug.settings.environment import Settings as Environment

ALL = "all"
_WITH_TEXT: tuple[Kind, ...] = ("section", "answers")
_BY_GOLD: tuple[Kind, ...] = ("retrieval", "ranking")  # nothing is measured without cited papers


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file and the SHA-256 of its bytes."""

    path: Path
    sha256: str


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Scores of a run. `by_source` has those of all queries under `all`, then of each source of the gold set.

    `undigested` counts the queries whose line does not say for which
    inputs it was made. `cost` is the sum of the lines' costs, None where none has one; `versions` are all values of
    each name.
    """

    kind: Kind
    gold: ReadFile
    run: ReadFile
    queries: int
    scores: RunScores
    by_source: Mapping[str, tuple[Scored, ...]]
    undigested: int
    cost: float | None
    versions: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs on one gold set: for each source and measure the interval of second minus first, and both means."""

    first: Evaluation
    second: Evaluation
    intervals: Mapping[str, Mapping[str, Interval]]


def gold_inputs(file: Path) -> Iterator[dict[str, Any]]:
    """Return the queries of a gold file without their answers, for a system to answer. Raises UnreadableInput."""
    return map(query_of, read_gold(*numbered_lines(file)))


def gold_half(file: Path, *, held: bool) -> Iterator[bytes]:
    """Return the lines of a gold file whose queries are of one half, as they are. Raises UnreadableInput."""
    lines = list(numbered_lines(file)[0])
    queries = read_gold(lines, str(file))
    return (line for (_, line), query in zip(lines, queries, strict=True) if is_held(query) == held)


def evaluate_run(
    environment: Environment,
    kind: Kind,
    gold_file: Path,
    run_file: Path,
    settings: MeasureSettings,
    *,
    judged: bool = False,
) -> Evaluation:
    """Score a run. Which papers exist, and their abstracts, is what the user's catalogue has, if it has any.

    Raises UnreadableInput for a file that cannot be read, is not of the form, or was made for another gold set, and
    where nothing can be measured, unless the run is `judged` too.
    """
    gold = read_gold(*numbered_lines(gold_file))
    run = read_run(*numbered_lines(run_file), gold)
    if kind in _WITH_TEXT:
        split = MiniLM("fp32").word_pieces if any(query.section for query in gold) else None
        settings = replace(settings, known=known_texts(environment, gold, run), split=split)
    scores = score(kind, gold, run, settings)
    nothing = not scores.measures or (kind in _BY_GOLD and len(scores.empty) == len(gold))
    if nothing and not judged:
        raise UnreadableInput(
            f"nothing of {run_file} can be measured by {gold_file}",
            "the documentation's page on evaluation describes both files",
        )
    costs = [line.cost for line in run.values() if line.cost is not None]
    return Evaluation(
        kind,
        read_file(gold_file),
        read_file(run_file),
        len(gold),
        scores,
        by_source(gold, scores),
        sum(not line.digest for line in run.values()),
        sum(costs) if costs else None,
        _versions(run),
    )


def compare_runs(
    environment: Environment,
    kind: Kind,
    gold_file: Path,
    first: Path,
    second: Path,
    settings: MeasureSettings,
    *,
    resamples: int,
    seed: int,
    judged: bool = False,
) -> Comparison:
    """Score two runs on one gold set, with paired bootstrap intervals of the differences. Raises as `evaluate_run`."""
    one, other = (
        evaluate_run(environment, kind, gold_file, run_file, settings, judged=judged) for run_file in (first, second)
    )
    return compare(one, other, resamples=resamples, seed=seed)


def compare(first: Evaluation, second: Evaluation, *, resamples: int = RESAMPLES, seed: int = SEED) -> Comparison:
    """Return the two with paired bootstrap intervals of their differences, by source and measure."""
    intervals: dict[str, dict[str, Interval]] = {}
    for source, measures in first.by_source.items():
        theirs = {scored.name: scored for scored in second.by_source.get(source, ())}
        for mine in measures:
            if mine.name == LONGEST_DIFFERENCE or mine.name not in theirs:  # an interval is of means
                continue
            values = theirs[mine.name].values
            interval = paired_bootstrap(mine.values, values, resamples=resamples, seed=seed)
            if interval is not None:
                intervals.setdefault(source, {})[mine.name] = interval
    return Comparison(first, second, intervals)


def by_source(gold: Sequence[Gold], scores: RunScores) -> dict[str, tuple[Scored, ...]]:
    """Return the scores of all queries under `all`, then those of each source of the gold set."""
    sources: dict[str, set[str]] = {ALL: {query.query_id for query in gold}}
    for query in gold:
        if query.source:
            sources.setdefault(query.source, set()).add(query.query_id)
    return {
        source: tuple(part for measure in scores.measures if (part := measure.of(queries)))
        for source, queries in sources.items()
    }


def known_texts(environment: Environment, gold: Sequence[Gold], run: Mapping[str, RunLine]) -> KnownTexts | None:
    """Records of all papers that the run or the gold set cites; None with an empty catalogue."""
    ids = {cite for line in run.values() for cite in line.cited} | {cite for query in gold for cite in query.cited}
    with open_corpus(environment) as corpus:
        if corpus.is_empty():
            return None
        papers = corpus.papers(sorted(ids))
    return KnownTexts(
        {value: paper.title for value, paper in papers.items()},
        {value: paper.abstract for value, paper in papers.items()},
    )


def numbered_lines(file: Path) -> tuple[Iterator[tuple[int, bytes]], str]:
    """Return the lines of a file with their numbers, and its name. Reading raises UnreadableInput."""
    # All or an error: a part of a run is another run.
    return JsonLines(file, whole=True).lines(), str(file)


def read_file(file: Path) -> ReadFile:
    """Return the file with its digest."""
    with open_regular(file) as stream:
        return ReadFile(file, hashlib.file_digest(stream, "sha256").hexdigest())


def _versions(run: Mapping[str, RunLine]) -> dict[str, tuple[str, ...]]:
    versions_by_name: defaultdict[str, set[str]] = defaultdict(set)
    for line in run.values():
        for name, version in line.versions.items():
            versions_by_name[name].add(version)
    return {name: tuple(sorted(versions)) for name, versions in sorted(versions_by_name.items())}

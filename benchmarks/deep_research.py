"""Recall of the papers that real papers cite, with the citation graph and without: Deep Research and its controls.

    python -m benchmarks.deep_research [cs] [hep] [all] [--data ../shared/data] [--home DIR] [--part 0.25]

Three worlds: `cs`, 400 queries among the 6,545 papers of the graph; `hep`, 120 queries among the sample's records of
its graph, and once more with those competing that only the graph knows; `all`, every query of gold_dev.jsonl among the
whole sample. A query is title, full stop and abstract; its own ids, so its own list, and all papers not older than it
are left out, of the base too. The rows:

    base          what `citeplug search --wait` finds
    popularity    its scores and how often a paper was cited before the query's day: what no choice of seeds would give
    text only     the first 200 of `search --deep`, ordered by their similarity to the query again
    deep          `search --deep`, with all lists of references, and with those of a half and of 30 % of the papers
    growing       the same, with no list known at first and 60 asked for in the run, as with `--online`

Vectors are kept under --home (by default `benchmarks` in CITEPLUG_HOME or the user's data directory): the first run
computes some 6,000 for `cs` and 90,000 for `all`. --part takes a share of the queries, by a hash of their ids.
"""

import argparse
import gzip
import hashlib
import json
import math
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from benchmarks.gold import CUTS, DATA, GOLD, SAMPLE, machine, mean_recall, read_lines
from citeplug.corpus.fusion import Scores, best_first, combine
from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import open_corpus
from citeplug.errors import SourceUnavailable
from citeplug.protocols import CitationSource
from citeplug.records.paper import ArxivId, Candidate, Filter, Paper
from citeplug.records.passage import Mentioned, Reference
from citeplug.related.retrieve.candidates import search
from citeplug.related.retrieve.deep_research import MOST_LINKS, POOL, GraphReach, deepen, expand
from citeplug.related.retrieve.growing_graph import GrowingGraph
from citeplug.settings.environment import read_settings

SHARES = (1.0, 0.5, 0.3)
IN_A_RUN = 60  # lists: as many as come in the time of a run if each takes a second
REORDERED = 200
HEP = "paperscape"
EDGES = {"cs": ("cs_edges",), "hep": ("hep_edges",), "all": ("cs_edges", "hep_edges")}


@dataclass(frozen=True, slots=True)
class Asked:
    """A query, what a search for it found, and the papers that it cites."""

    query_id: str
    source: str
    text: str
    where: Filter
    cited: frozenset[str]
    found: Sequence[Candidate]


class Lists:
    """Reference lists in memory, as `protocols.CitationSource`."""

    def __init__(self, lists: Mapping[str, Sequence[str]]) -> None:
        self.lists: dict[str, Sequence[str]] = {}
        self._citers: dict[str, list[str]] = defaultdict(list)
        for citing, cited in sorted(lists.items()):
            self.put(citing, cited)

    def put(self, citing: str, cited: Sequence[str]) -> None:
        self.lists[citing] = cited
        for value in dict.fromkeys(cited):
            if value != citing:
                self._citers[value].append(citing)

    def references(self, ids: Sequence[str], most: int) -> Mapping[str, tuple[str, ...]]:
        return {value: tuple(self.lists[value][:most]) for value in ids if self.lists.get(value)}

    def citers(self, ids: Sequence[str], most: int) -> Mapping[str, tuple[str, ...]]:
        return {value: tuple(self._citers[value][:most]) for value in ids if value in self._citers}

    def mentions(self, cited: str, most: int) -> Sequence[Mentioned]:
        return ()

    def states(self, ids: Sequence[str]) -> Mapping[str, str]:
        return {value: "known" for value in ids if value in self.lists}

    def unresolved(self, ids: Sequence[str]) -> Mapping[str, Sequence[Reference]]:
        return {}

    def stamp(self) -> str:
        return str(len(self.lists))

    def share(self, share: float) -> "Lists":
        """The lists of so many papers, by a hash of their ids."""
        return self if share >= 1 else Lists({v: cited for v, cited in self.lists.items() if _fraction(v) < share})


@dataclass(slots=True)
class Asking:
    """A service that gives the lists of `known`, `most` of them, which go into `graph`."""

    known: Lists
    graph: Lists
    most: int = IN_A_RUN

    def fetch(self, paper: Paper) -> None:
        if self.most == 0:
            raise SourceUnavailable("the time is over", "run it again")
        self.most -= 1
        value = paper.id.value
        if value in self.known.lists:
            self.graph.put(value, self.known.lists[value])


def read_lists(data: Path, names: Iterable[str]) -> Lists:
    lists: dict[str, list[str]] = defaultdict(list)
    for name in names:
        with gzip.open(data / "citations" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as stream:
            for row in map(json.loads, stream):
                lists[row["id"]] += row["cited"]
    return Lists({value: sorted(set(cited)) for value, cited in lists.items()})


@contextmanager
def corpus_of(world: str, data: Path, home: Path) -> Iterator[Corpus]:
    """The records of a world, all embedded."""
    place = home / ("graph-cs" if world == "cs" else "full")
    with (
        open_corpus(replace(read_settings(), home=home, corpus=place)) as corpus,
        tempfile.TemporaryDirectory() as folder,
    ):
        file, start = data / SAMPLE, time.perf_counter()
        if world == "cs":
            file = Path(folder) / "cs.jsonl"
            file.write_text("".join(_cs_lines(data)), encoding="utf-8")
        corpus.add([file])
        corpus.vectors([value for value, _ in _lines(file)])
        graph = [data / "citations" / f"{name}.jsonl.gz" for name in EDGES[world]]
        corpus.add_edges(graph, date.today())
        print(f"{corpus.records:,} records, {corpus.graph.edges():,} citations, {time.perf_counter() - start:.0f} s")
        yield corpus


def _cs_lines(data: Path) -> Iterator[str]:
    lists = read_lists(data, EDGES["cs"]).lists
    rows = _gold(data / "citations" / "gold_cs_dev.jsonl")
    wanted = {*lists, *(value for row in rows for value in (*row["exclude"], *row["cited"]))}
    known = dict(_lines(data / "citations" / "cs_records.jsonl.gz"))
    yield from known.values()
    yield from (line for value, line in read_lines(data) if value in wanted and value not in known)


def _lines(file: Path) -> Iterator[tuple[str, str]]:
    opener = gzip.open if file.suffix == ".gz" else open
    with opener(file, "rt", encoding="utf-8") as stream:
        for line in stream:
            yield json.loads(line)["id"], line


def _gold(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def ask(world: str, data: Path, corpus: Corpus, part: float) -> list[Asked]:
    """Every query of a world with the first 1,000 papers that a search finds."""
    file = data / ("citations/gold_cs_dev.jsonl" if world == "cs" else GOLD)
    among = _records_of_hep(data) if world == "hep" else None
    asked, seconds = [], []
    for row in _gold(file):
        if _fraction(row["query_id"]) >= part or (world == "hep" and row["source"] != HEP):
            continue
        before = date.fromisoformat(row["before"]) if row["before"] else None
        where = Filter(before, exclude=frozenset(row["exclude"]), among=among)
        text, start = f"{row['title']}. {row['abstract']}", time.perf_counter()
        found = search(text, corpus, where, POOL, seconds=None)
        seconds.append(time.perf_counter() - start)
        asked.append(Asked(row["query_id"], row["source"], text, where, frozenset(row["cited"]), found))
    print(
        f"{len(asked)} queries of {file.name}; the search itself: {1000 * statistics.median(seconds):.0f} ms (median)"
    )
    return asked


def _records_of_hep(data: Path) -> frozenset[str]:
    """The sample's records of papers that the hep lists name, as citing or as cited."""
    lists = read_lists(data, EDGES["hep"]).lists
    named = {*lists, *(value for cited in lists.values() for value in cited)}
    return frozenset(value for value, _ in read_lines(data) if value in named)


def deep(asked: Asked, corpus: Corpus, lists: Lists, own: Sequence[str] = ()) -> list[str]:
    """What is found with the papers that `own` names as the draft's citations; these are left out of it."""
    wish, most = GraphReach(share=0.0), max(*CUTS, REORDERED) + len(own)
    made, _ = deepen(asked.found, None, corpus, lists, asked.where, wish, most, own=own)
    return [candidate.paper.id.value for candidate in made if candidate.paper.id.value not in own]


def growing(asked: Asked, corpus: Corpus, lists: Lists) -> list[str]:
    """What is found where lists are asked for when they are needed."""
    graph = Lists({})
    grown = GrowingGraph(graph, Asking(lists, graph), corpus.papers)
    made, _ = deepen(asked.found, None, corpus, grown, asked.where, GraphReach(share=0.0), max(*CUTS, REORDERED))
    return [candidate.paper.id.value for candidate in made]


def half_given(
    asked: Sequence[Asked], corpus: Corpus, lists: Lists
) -> Iterator[tuple[str, dict[str, list[str]], list[Asked]]]:
    """Rows in which half of the citations are the draft's, by a hash of the ids, and the others are to be found."""
    halves = {each.query_id: sorted(v for v in each.cited if _fraction(each.query_id + v) < 0.5) for each in asked}
    others = [replace(each, cited=each.cited - set(halves[each.query_id])) for each in asked]
    others = [each for each in others if each.cited and halves[each.query_id]]
    base, plain, known = dict[str, list[str]](), dict[str, list[str]](), dict[str, list[str]]()
    for each in others:
        half = halves[each.query_id]
        base[each.query_id] = [c.paper.id.value for c in each.found if c.paper.id.value not in half]
        plain[each.query_id] = [value for value in deep(each, corpus, lists) if value not in half]
        known[each.query_id] = deep(each, corpus, lists, half)
    yield "half of its citations given, base", base, others
    yield "  deep, from what is found alone", plain, others
    yield "  deep, from what it cites too", known, others


def with_unknown(asked: Asked, corpus: Corpus, lists: Lists) -> list[str]:
    """As `deep`, where papers without a record take places too: those whose id is of a month before the query's."""

    def admit(ids: Sequence[str]) -> Collection[str]:
        papers, before = corpus.papers(ids), asked.where.before
        month = before.replace(day=1) if before else None
        return {
            value
            for value in ids
            if value not in asked.where.exclude
            and (asked.where.admits(papers[value]) if value in papers else not month or _day(value) < month)
        }

    scores = {candidate.paper.id.value: candidate.score for candidate in asked.found}
    return best_first(expand(scores, [], lists, admit, GraphReach(share=0.0)).scores)


def popularity(asked: Asked, lists: Lists) -> list[str]:
    scores = {candidate.paper.id.value: candidate.score for candidate in asked.found}
    return by_popularity(scores, asked.where, lists)


def text_only(found: Sequence[str], asked: Asked, corpus: Corpus) -> list[str]:
    vectors = corpus.vectors(found[:REORDERED])
    (own,) = corpus.embed([asked.text])
    return best_first({value: float(vector @ own) for value, vector in vectors.items()})


def report(name: str, runs: Mapping[str, Sequence[str]], asked: Sequence[Asked]) -> None:
    print(f"  {name:36}" + "".join(f"{value:8.3f}" for value in mean_recall(runs, asked)), flush=True)


def measure(world: str, data: Path, home: Path, part: float) -> None:
    print(f"\n{world}: read {data / 'citations'}, {', '.join(EDGES[world])}")
    lists = read_lists(data, EDGES[world])
    with corpus_of(world, data, home) as corpus:
        asked = ask(world, data, corpus, part)
        if not asked:
            return
        print(f"  {'recall of the cited papers':36}" + "".join(f"{f'@{cut}':>8}" for cut in CUTS))

        def row(name: str, of: Callable[[Asked], Sequence[str]], queries: Sequence[Asked] = asked) -> None:
            report(name, {each.query_id: of(each) for each in queries}, queries)

        row("base", lambda each: [candidate.paper.id.value for candidate in each.found])
        row("popularity", lambda each: popularity(each, lists))
        runs = {each.query_id: deep(each, corpus, lists) for each in asked}
        row("text only", lambda each: text_only(runs[each.query_id], each, corpus))
        report("deep", runs, asked)
        for share in SHARES[1:]:
            some = lists.share(share)
            row(f"deep, {share:.0%} of the lists", lambda each, some=some: deep(each, corpus, some))  # type: ignore[misc]
        row(f"growing, {IN_A_RUN} lists", lambda each: growing(each, corpus, lists))
        if world == "hep":
            row("deep, papers without a record compete", lambda each: with_unknown(each, corpus, lists))
        for name, found, queries in half_given(asked, corpus, lists):
            report(name, found, queries)
        for source in dict.fromkeys(each.source for each in asked if world == "all"):
            its = [each for each in asked if each.source == source]
            row(f"{source} ({len(its)}), base", lambda each: [c.paper.id.value for c in each.found], its)
            row(f"{source}, deep", lambda each: runs[each.query_id], its)
        seconds = []
        for each in asked:
            start = time.perf_counter()
            deepen(each.found, None, corpus, corpus.graph, each.where, GraphReach(), max(CUTS))
            seconds.append(1000 * (time.perf_counter() - start))
        cuts = statistics.quantiles(seconds, n=20) if len(seconds) > 1 else seconds * 20
        print(f"  on top of a search, graph and records on disk: {cuts[9]:.0f} ms (median), {cuts[18]:.0f} ms (p95)")


def _day(value: str) -> date:
    return ArxivId(value).month


def _fraction(value: str) -> float:
    return int(hashlib.sha256(value.encode()).hexdigest()[:8], 16) / 2**32


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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("worlds", nargs="*", choices=[*EDGES, []], metavar="WORLD", help=", ".join(EDGES))
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--home", type=Path, default=read_settings().home / "benchmarks")
    parser.add_argument("--part", type=float, default=1.0)
    chosen = parser.parse_args()
    if not (chosen.data / "citations").is_dir():
        parser.error(f"{chosen.data} has no folder `citations`: give its place with --data")
    print("python -m benchmarks.deep_research " + " ".join(sys.argv[1:]))
    print(machine())
    worlds = chosen.worlds or list(EDGES)
    if "all" in worlds:
        print("the sample's hep half is enriched with cited papers: read `all` beside its popularity control")
    for world in worlds:
        measure(world, chosen.data, chosen.home, chosen.part)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

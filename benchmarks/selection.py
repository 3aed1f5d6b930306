"""Which papers a section discusses: of those that the real paper cites, how many are in the shortlist.

    python -m benchmarks.selection [--data ../shared/data] [--home DIR] [--part N] [--show]

Three measures: (1) the shortlist of 20 beside the first 20 of `citeplug search`, and the list of `citeplug papers`, for
drafts of a title and an abstract, by the vectors of the first lexical candidates alone, as a section is written, of all
of them, and of the whole collection; (2) half of what a paper cites is given as the draft's citations, the other half
is looked for; the split is by hash; (3) real drafts: which of the papers that they cite, and that the catalogue has,
are in the shortlist, and in the text.

The catalogue is the whole sample and the records of `citations/deepscholar_records.jsonl.gz`, which have authors. They
are answers of the DeepScholar queries, so that nothing may be chosen by these; constants were chosen on the other
queries whose hash is even. Vectors are computed as they are needed, and kept under --home. `--part 4` takes a quarter
of the queries, by hash; `--show` lists the shortlists of the real drafts.
"""

import argparse
import hashlib
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from statistics import median
from types import ModuleType

import numpy as np

from benchmarks.gold import CUTS, DATA, GOLD, SAMPLE, Gold, machine, mean_recall, read_gold
from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import lookup_in, open_corpus
from citeplug.latex.project import find_root, read_draft
from citeplug.records.draft import BibEntry, Cite, Draft, Span
from citeplug.records.outcome import Dense, Options
from citeplug.records.paper import Filter, Paper, Query
from citeplug.related.progress import Progress, Tools
from citeplug.related.ranking import rank_papers
from citeplug.related.retrieve import candidates
from citeplug.related.retrieve.candidates import retrieve_candidates
from citeplug.related.retrieve.cited_papers import cited_papers
from citeplug.related.retrieve.queries import queries_from_draft
from citeplug.related.retrieve.stages import LONG_ENOUGH, SIDE_DEPTH
from citeplug.related.run import RunInputs, relate
from citeplug.settings.environment import read_settings

RECORDS = Path("citations") / "deepscholar_records.jsonl.gz"
ALL = 10_000  # papers: more than the lexical rankings of a draft have
BREADTH, DIVERSITY = 20, Options().diversity
HERE = Span(Path("main.tex").resolve(), 0, 0, 1)

Runs = dict[str, list[str]]


def drafted(query: Gold, cited: Sequence[Paper] = ()) -> Draft:
    """A draft of a title and an abstract that cites these papers."""
    title, _, abstract = query.text.partition(". ")
    entries = tuple(BibEntry(p.id.value, "misc", {"title": p.title}, HERE, p.id.value) for p in cited)
    cites = (Cite(tuple(entry.key for entry in entries), "cite", HERE),) if entries else ()
    return Draft(HERE.file, (HERE.file,), title, abstract, entries=entries, cites=cites)


def shortlist(
    draft: Draft, corpus: Corpus, chosen: Options, *, whole: bool = False, dense: Dense = "candidates"
) -> list[Paper]:
    """The papers that `citeplug related` would discuss, best first; `whole`: then those shortlisted and left out."""
    tools, progress = Tools(corpus, lookup_in(corpus), dense=dense), Progress(lambda stage, done, total: None)
    ranking = rank_papers(draft, chosen, tools, before=date.max, progress=progress)
    left_out = ranking.unfit[: chosen.breadth - ranking.wanted] if whole else ()
    return [item.paper for item in (*ranking.papers[: ranking.wanted], *left_out)]


@contextmanager
def weights(module: ModuleType = candidates, **values: float) -> Iterator[None]:
    """Constants of a module of retrieval as they are not in use."""
    before = {name: getattr(module, name) for name in values}
    try:
        for name, value in values.items():
            setattr(module, name, value)
        yield
    finally:
        for name, value in before.items():
            setattr(module, name, value)


def drawn(query_id: str) -> int:
    """A number that the id alone determines."""
    return int(hashlib.sha256(query_id.encode()).hexdigest(), 16)


def show(name: str, runs: Mapping[str, Sequence[str]], gold: Sequence[Gold], cuts: Sequence[int]) -> None:
    print(f"  {name:44}" + "".join(f"{value:8.3f}" for value in mean_recall(runs, gold, cuts)), flush=True)


def groups(gold: Sequence[Gold]) -> Iterator[tuple[str, list[Gold]]]:
    """The queries by where they are from; those that nothing was chosen by are the last."""
    others = [query for query in gold if query.source != "deepscholar"]
    yield "sample's own, even hash (chosen on)", [query for query in others if drawn(query.query_id) % 2 == 0]
    yield "sample's own, odd hash", [query for query in others if drawn(query.query_id) % 2]
    yield "DeepScholar", [query for query in gold if query.source == "deepscholar"]
    yield "not Paperscape, 5 cited or more", [q for q in gold if q.source != "paperscape" and len(q.cited) >= 5]


def selection(gold: Sequence[Gold], corpus: Corpus) -> None:
    """Recall of the cited papers in the shortlist of 20 and the list behind it, beside the search they are chosen from.

    What words do not bring up, the vectors of the whole collection may: each mode has the search beside it.
    """
    ways: dict[str, Callable[[Gold], list[str]]] = {}
    modes: tuple[Dense, ...] = ("candidates", "all-candidates", "whole")
    for dense in modes:
        if dense != "all-candidates":
            ways[f"search -k 20, dense = {dense}"] = partial(_searched, corpus=corpus, dense=dense)
        for diversity in (0.0, DIVERSITY):
            name = f"dense = {dense}, diversity {diversity:g}"
            ways[f"shortlist, {name}"] = partial(_chosen, corpus=corpus, diversity=diversity, whole=True, dense=dense)
            ways[f"of it in the section, {name}"] = partial(_chosen, corpus=corpus, diversity=diversity, dense=dense)
        ways[f"citeplug papers -k 100, dense = {dense}"] = partial(_listed, corpus=corpus, dense=dense)
    ways[f"as published, diversity {DIVERSITY:g}"] = partial(
        _chosen, corpus=corpus, diversity=DIVERSITY, as_published=True
    )
    runs: dict[str, Runs] = {}
    for name, ask in ways.items():
        runs[name], seconds = {}, []
        for query in gold:
            start = time.perf_counter()
            runs[name][query.query_id] = ask(query)
            seconds.append(time.perf_counter() - start)
        size = sum(map(len, runs[name].values())) / len(gold)
        print(f"  {name}: {size:.1f} papers, {1000 * median(seconds):.0f} ms (median)", flush=True)
    print(f"\n{'recall of the cited papers':46}" + "".join(f"{f'@{cut}':>8}" for cut in CUTS))
    for source, queries in [("all", gold), *groups(gold)]:
        print(f"{source}, {len(queries)} queries")
        for name, found in runs.items():
            show(name, found, queries, CUTS if name.startswith("citeplug papers") else CUTS[:1])


def _listed(query: Gold, corpus: Corpus, dense: Dense) -> list[str]:
    chosen = Options(BREADTH, exclude=tuple(query.exclude))
    tools, progress = Tools(corpus, lookup_in(corpus), dense=dense), Progress(lambda stage, done, total: None)
    ranking = rank_papers(drafted(query), chosen, tools, before=date.max, progress=progress)
    papers = [item.paper for item in ranking.papers] + [candidate.paper for candidate in ranking.spare]
    return [paper.id.value for paper in papers]


def _searched(query: Gold, corpus: Corpus, dense: Dense) -> list[str]:
    asked = [Query(query.text, "text")]
    found = retrieve_candidates(asked, corpus, Filter(exclude=query.exclude), BREADTH, dense=dense)
    return [candidate.paper.id.value for candidate in found]


def _chosen(
    query: Gold,
    corpus: Corpus,
    diversity: float,
    *,
    as_published: bool = False,
    whole: bool = False,
    dense: Dense = "candidates",
) -> list[str]:
    wanted = Options(BREADTH, diversity=diversity, exclude=tuple(query.exclude), as_published=as_published)
    return [paper.id.value for paper in shortlist(drafted(query), corpus, wanted, whole=whole, dense=dense)]


def half_given(gold: Sequence[Gold], corpus: Corpus) -> None:
    """Recall of half the cited papers, the other half given as what the draft cites; of these, the share chosen."""
    given = {q.query_id: sorted(q.cited, key=lambda v: drawn(q.query_id + v))[: len(q.cited) // 2] for q in gold}
    asked = [replace(q, cited=q.cited - set(given[q.query_id])) for q in gold if len(q.cited) >= 4]
    runs: dict[str, Runs] = {"without them": {}, "by their titles alone": {}, "without their authors": {}, "now": {}}
    inside: list[float] = []
    for query in asked:
        own = given[query.query_id]
        known = list(corpus.papers(own).values())
        runs["without them"][query.query_id] = _others(query, own, (), corpus)
        with weights(CITED_WEIGHT=0.0, CITED_PAIRS_WEIGHT=0.0, AUTHORS_WEIGHT=0.0):
            runs["by their titles alone"][query.query_id] = _others(query, own, known, corpus)
        with weights(AUTHORS_WEIGHT=0.0):
            runs["without their authors"][query.query_id] = _others(query, own, known, corpus)
        runs["now"][query.query_id] = _others(query, own, known, corpus)
        chosen = shortlist(drafted(query, known), corpus, Options(BREADTH, exclude=tuple(query.exclude)))
        inside.append(len({paper.id.value for paper in chosen} & set(own)) / len(own))
    print(f"\n{'half of the citations given: recall of the others':46}" + "".join(f"{f'@{cut}':>8}" for cut in CUTS))
    for source, queries in [("all", asked), *groups(asked)]:
        print(f"{source}, {len(queries)} queries")
        for name, found in runs.items():
            show(name, found, queries, CUTS)
    print(f"of those given, {sum(inside) / len(inside):.3f} are in the shortlist of {BREADTH}")


def _others(query: Gold, own: Sequence[str], known: Sequence[Paper], corpus: Corpus) -> list[str]:
    draft = drafted(query, known)
    found = retrieve_candidates(
        queries_from_draft(draft, {paper.id.value: paper for paper in known}),
        corpus,
        Filter(exclude=query.exclude),
        max(CUTS) + len(own),
        cited=known,
        cited_authors=[paper.authors for paper in known],
        depth=LONG_ENOUGH,
        side_depth=SIDE_DEPTH,
        dense="candidates",
    )
    return [c.paper.id.value for c in found if c.paper.id.value not in own][: max(CUTS)]


def real_drafts(data: Path, corpus: Corpus, *, listed: bool) -> None:
    """How many of the papers that real drafts cite, and that the catalogue has, are shortlisted and in the text."""
    print(f"\nreal drafts, of the cited papers that the catalogue has: in the shortlist of {BREADTH}; in the text")
    total = np.zeros(3, np.int64)
    for row in json.loads((data / "latex_manifest.json").read_text("utf-8")):
        main = data / "latex" / row["folder"] / row["main"]
        if row["kind"] != "paper" or not main.exists():
            continue
        draft = read_draft(find_root(main))
        held = {p.id.value for p in cited_papers(draft, corpus, corpus).values() if p.complete}
        if not held:
            continue
        chosen = shortlist(draft, corpus, Options(BREADTH))
        counts = [sum(paper.id.value in held for paper in chosen), len(held & _written(draft, corpus))]
        total += (len(held), *counts)
        print(
            f"  {row['folder'] + '/' + row['main']:70.70} {len(held):3}" + "".join(f"{c:5}" for c in counts), flush=True
        )
        if listed:
            print(f"    {draft.title}")
            for paper in chosen:
                print(f"      {'cited' if paper.id.value in held else '     '} {paper.id.value:16} {paper.title}")
    print(f"  {'all':70} {total[0]:3}" + "".join(f"{count:5}" for count in total[1:]))


def _written(draft: Draft, corpus: Corpus) -> set[str]:
    """The papers that the section cites which is written without a model."""
    tools = Tools(corpus, lookup_in(corpus))
    progress = Progress(lambda stage, done, total: None)
    made = relate(RunInputs(draft, Options(BREADTH), tools, date.max, date.today(), progress))
    return {cite for each in made.section.paragraphs for sentence in each.sentences for cite in sentence.cites}


def main() -> int:
    """Print the numbers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help=f"folder of {GOLD} and {SAMPLE}")
    parser.add_argument("--home", type=Path, default=read_settings().home / "benchmarks")
    parser.add_argument("--part", type=int, default=1, metavar="N", help="one of N queries, by hash")
    parser.add_argument("--show", action="store_true", help="list the shortlists of the real drafts")
    chosen = parser.parse_args()
    files = [chosen.data / SAMPLE, chosen.data / RECORDS]
    for file in (*files, chosen.data / GOLD):
        if not file.is_file():
            parser.error(f"{file} is not there: give the folder of the data with --data")
    print("python -m benchmarks.selection " + " ".join(sys.argv[1:]))
    print(machine())
    gold = [query for query in read_gold(chosen.data) if drawn(query.query_id) // 2 % chosen.part == 0]
    with open_corpus(replace(read_settings(), home=chosen.home, corpus=chosen.home / "selection")) as corpus:
        corpus.add(files)
        print(f"{corpus.records:,} records, {len(gold)} queries")
        selection(gold, corpus)
        half_given(gold, corpus)
        real_drafts(chosen.data, corpus, listed=chosen.show)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

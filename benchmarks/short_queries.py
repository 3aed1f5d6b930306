"""What people type: keywords, an author with a topic, a title half remembered; typed search beside BM25 and the other.

    python -m benchmarks.short_queries [--data ../shared/data] [--home DIR] [--part N] [--seconds S] [--other FILE]

Fifty queries of each kind. Titles and authors are drawn from the sample's records, by a fixed seed: some words of a
title, in another order now and then, must find it; a surname and two words of a title, or two surnames, must find the
papers of these authors that have one of the words. Of keywords (`short_queries.json`) the papers on their topic are
judged: by title those of the fifty that constants were chosen on, by title and abstract, without knowing which search
found them, those of forty that were written and judged afterwards (the last 33 of 586 knowing it). `--pool` prints
those that the searches find and nobody has judged yet. `--other` is another version of `typed_search.py`, as `git show
REVISION:...` prints it. `--part 3` takes a third.

Vectors are computed as they are needed, and kept under --home; with `--seconds 0` only those that are there count.
"""

import argparse
import importlib.util
import json
import random
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from statistics import mean
from types import ModuleType

from benchmarks.gold import DATA, SAMPLE, machine
from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import open_corpus
from citeplug.records.paper import Filter, Paper
from citeplug.related.retrieve import typed_search
from citeplug.settings.environment import read_settings
from citeplug.text.folding import split_name

FIRST = 10
COUNT = 50  # queries of each kind
SEED = 11
JUDGED = Path(__file__).with_suffix(".json")


def bm25(text: str, corpus: Corpus, seconds: float | None) -> list[str]:
    return [value for value, _ in corpus.lexical(text, FIRST, Filter())]


def typed(text: str, corpus: Corpus, seconds: float | None, module: ModuleType = typed_search) -> list[str]:
    found = module.search_typed(text, corpus, Filter(), FIRST, seconds=seconds)
    return [candidate.paper.id.value for candidate in found.candidates[:FIRST]]


def module_of(file: Path) -> ModuleType:
    """Another version of `typed_search.py`."""
    spec = importlib.util.spec_from_file_location("citeplug.related.retrieve.other_typed_search", file)
    assert spec is not None and spec.loader is not None
    sys.modules[spec.name] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SYSTEMS: Mapping[str, Callable[[str, Corpus, float | None], list[str]]] = {
    "BM25": bm25,
    "typed": typed,
}
_SMALL = frozenset("a an the of for in on and to with by from via using towards at as is are be its into new".split())


@dataclass(frozen=True)
class ShortQuery:
    """A query with the ids of the papers that it is for."""

    text: str
    papers: frozenset[str]


def content_words(title: str) -> list[str]:
    return [
        word for word in re.findall(r"[A-Za-z][A-Za-z0-9-]+", title) if len(word) > 2 and word.lower() not in _SMALL
    ]


def surnames(paper: Paper) -> list[str]:
    names = [split_name(name).family for name in paper.authors[:3]]
    return [name for name in names if re.fullmatch(r"[A-Za-z'-]{3,}", name)]


def title_queries(papers: Sequence[Paper], draw: random.Random) -> list[ShortQuery]:
    """Three fifths of the words of a title; of three in ten in another order."""
    queries = []
    for paper in papers:
        words = content_words(paper.title)
        if len(words) < 4 or "$" in paper.title:
            continue
        picked = sorted(draw.sample(range(len(words)), max(3, round(len(words) * 0.6))))
        if draw.random() < 0.3:
            draw.shuffle(picked)
        queries.append(ShortQuery(" ".join(words[at] for at in picked).lower(), frozenset({paper.id.value})))
        if len(queries) == COUNT:
            break
    return queries


def author_queries(papers: Sequence[Paper], everything: Sequence[Paper], draw: random.Random) -> list[ShortQuery]:
    """A surname and two words of the title; of every fifth two surnames."""
    by_surname: dict[str, set[str]] = {}
    texts = {paper.id.value: f"{paper.title} {paper.abstract}".lower() for paper in everything}
    for paper in everything:
        for name in paper.authors:
            by_surname.setdefault(name.split()[-1].lower(), set()).add(paper.id.value)
    queries: list[ShortQuery] = []
    for paper in papers:
        words, names = content_words(paper.title), surnames(paper)
        if len(words) < 4 or not names or "$" in paper.title:
            continue
        two = len(queries) % 5 == 0 and len(names) > 1
        topic = [] if two else [words[at] for at in sorted(draw.sample(range(len(words)), 2))]
        named = names[:2] if two else names[:1]
        found = set.intersection(*(by_surname.get(name.lower(), set()) for name in named))
        if topic:
            stems = [word.lower()[: max(4, len(word) - 2)] for word in topic]
            found = {value for value in found if any(stem in texts[value] for stem in stems)}
        text = " ".join([*named, *topic])
        queries.append(ShortQuery(text.lower() if draw.random() < 0.5 else text, frozenset(found | {paper.id.value})))
        if len(queries) == COUNT:
            break
    return queries


def share(found: Sequence[str], relevant: frozenset[str]) -> float:
    """Precision of the first ten, of as many as there are."""
    return len(relevant.intersection(found[:FIRST])) / min(FIRST, len(relevant))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--home", type=Path, default=Path("/tmp/citeplug-benchmark"))
    parser.add_argument("--part", type=int, default=1)
    parser.add_argument("--seconds", type=float, help="for embedding papers, of each query; default: no bound")
    parser.add_argument("--other", type=Path)
    parser.add_argument("--pool", action="store_true")
    arguments = parser.parse_args()
    judged: dict[str, dict[str, dict[str, list[str]]]] = json.loads(JUDGED.read_text("utf-8"))
    with open_corpus(read_settings({"CITEPLUG_HOME": str(arguments.home)})) as corpus:
        corpus.add([arguments.data / SAMPLE])
        every = corpus.catalogue.published_between(date.min, date.max)
        draw = random.Random(SEED)
        shuffled = list(every)
        draw.shuffle(shuffled)
        titles = title_queries(shuffled, draw)[:: arguments.part]
        authors = author_queries(shuffled[5000:], every, draw)[:: arguments.part]
        print(f"{machine()}; {len(every):,} records; {len(titles)} titles, {len(authors)} authors")
        print(f"{'':20}{'title first':>12}{'in ten':>8}{'author':>8}" + "".join(f"{part:>13}" for part in judged))
        unjudged: dict[str, set[str]] = {}
        systems = dict(SYSTEMS)
        if arguments.other is not None:
            systems[arguments.other.name[:19]] = partial(typed, module=module_of(arguments.other))
        for name, system in systems.items():

            def find(text: str, system: Callable[..., list[str]] = system) -> list[str]:
                return system(text, corpus, arguments.seconds)

            of_titles = [(query, find(query.text)) for query in titles]
            first = mean(found[:1] == list(query.papers) for query, found in of_titles)
            among = mean(share(found, query.papers) for query, found in of_titles)
            by_author = mean(share(find(query.text), query.papers) for query in authors)
            row = f"{name:20}{first:12.2f}{among:8.2f}{by_author:8.3f}"
            for queries in judged.values():
                on_topic, known = 0, 0
                for text in list(queries)[:: arguments.part]:
                    found, both = find(text), {*queries[text]["on"], *queries[text]["off"]}
                    on_topic += len(set(queries[text]["on"]).intersection(found))
                    known += len(both.intersection(found))
                    unjudged.setdefault(text, set()).update({*found} - both)
                row += f"{on_topic / max(1, known):7.3f}{f'({known})':>6}"
            print(row, flush=True)
        if arguments.pool:
            for text, values in unjudged.items():
                print(f"\n{text}")
                for value, paper in sorted(corpus.papers(sorted(values)).items()):
                    print(f"  {value} {paper.title}. {paper.abstract[:300]}")


if __name__ == "__main__":
    main()

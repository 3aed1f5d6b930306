"""What prepared questions would add to a search without a model: the plain search against an augmented one.

    python -m benchmarks.meta_knowledge [--data ../shared/data] [--home DIR] [--others 500] [--titles]

The pool is every paper that a gold query cites and some others, each prepared by patterns from its abstract. Of each
query the nearest prepared questions are searched for too. Three ways to use what they find: behind the plain results,
beside a plain search of the same length, and mixed with it at a weight.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.gold import DATA, Gold, fixed_pool, id_and_line, machine, mean_recall, read_gold
from benchmarks.tune_retrieval import halves
from citeplug.corpus.fusion import Ranking, fuse
from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import open_corpus
from citeplug.corpus.vectors.text_vectors import KeptVectors
from citeplug.prepare.augment import augment
from citeplug.prepare.run import prepare_by_patterns
from citeplug.prepare.store import PreparedStore, place
from citeplug.protocols import Vectors
from citeplug.records.paper import Filter, Paper
from citeplug.records.prepared import PaperSource, Prepared
from citeplug.related.retrieve.candidates import search
from citeplug.settings.environment import read_settings
from citeplug.text.cleaning import plain

CUTS = (20, 30, 45)
WEIGHTS = (0.1, 0.3)
_DEPTH = 50  # results of each search


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--home", type=Path, default=read_settings().home / "benchmarks")
    parser.add_argument("--others", type=int, default=500)
    parser.add_argument("--titles", action="store_true", help="ask with the title of each query alone")
    chosen = parser.parse_args()
    print("python -m benchmarks.meta_knowledge " + " ".join(sys.argv[1:]))
    print(machine())
    gold = read_gold(chosen.data)
    lines = fixed_pool(chosen.data, gold, len({value for query in gold for value in query.cited}) + chosen.others)
    ids = [value for value, _ in id_and_line(lines)]
    with (
        tempfile.TemporaryDirectory() as folder,
        open_corpus(replace(read_settings(), home=chosen.home, corpus=chosen.home / f"meta-{chosen.others}")) as corpus,
    ):
        file = Path(folder) / "pool.jsonl"
        file.write_text("".join(lines), encoding="utf-8")
        corpus.add([file])
        prepared, vectors = _prepare(list(corpus.papers(ids).values()), corpus, Path(folder))
        _measure(gold, corpus, prepared, vectors, titles=chosen.titles)
    return 0


def _prepare(papers: Sequence[Paper], corpus: Corpus, folder: Path) -> tuple[list[Prepared], dict[str, Vectors]]:
    began = time.process_time()
    made = []
    for paper in papers:
        paper = replace(paper, title=plain(paper.title), abstract=plain(paper.abstract))
        source = PaperSource(paper.id.value, paper.id.version, paper.title, paper.abstract, (), "")
        made.append(prepare_by_patterns(source, paper))
    seconds = time.process_time() - began
    questions = list(dict.fromkeys(pair.question for each in made for pair in each.pairs))
    asked = sum(bool(each.pairs) for each in made)
    facts = sum(bool(each.facts) for each in made)
    print(
        f"{len(made):,} abstracts: {asked / len(made):.1%} have questions ({len(questions):,}),"
        f" {facts / len(made):.1%} fields; {1000 * seconds / len(made):.1f} ms of CPU each"
    )
    store = PreparedStore(folder)
    vectors = KeptVectors(store.database, corpus.embedder()).of(questions)
    store.close()
    assert place(folder).is_file()
    return made, dict(zip(questions, vectors, strict=True))


def _measure(
    gold: Sequence[Gold],
    corpus: Corpus,
    prepared: Sequence[Prepared],
    vectors: Mapping[str, Vectors],
    *,
    titles: bool,
) -> None:
    runs: dict[str, dict[str, list[str]]] = {}
    counts = []
    for query in gold:
        where = Filter(exclude=query.exclude)
        text = query.title if titles else query.text
        plainly = _found(text, corpus, where)
        (asked,) = corpus.embed([text])
        others = [each for each in prepared if each.paper not in query.exclude]
        questions = augment(np.asarray(asked), others, vectors)
        counts.append(len(questions))
        found = [_found(each.pair.question, corpus, where) for each in questions]
        theirs = [value for value, _ in fuse([Ranking(each) for each in found])]
        rows = {"plain": plainly, "augmented questions alone": theirs}
        for k in (20, 30):
            more = [value for value in theirs if value not in plainly[:k]]
            rows[f"plain {k}, then up to {k // 2} by questions"] = [*plainly[:k], *more[: k // 2]]
        for weight in WEIGHTS:
            mixed = fuse([Ranking(plainly), *(Ranking(each, weight / len(found)) for each in found)])
            rows[f"mixed by ranks, weight {weight}"] = [value for value, _ in mixed]
        for name, ranked in rows.items():
            runs.setdefault(name, {})[query.query_id] = ranked
    print(f"{len(gold)} queries, {sum(counts) / len(counts):.1f} questions each, {sum(not n for n in counts)} without")
    groups = {f"all, {len(gold)}": gold, "one half": halves(gold)[1]}
    groups["not physics"] = [query for query in gold if query.source != "paperscape"]
    print(f"{'':44}" + "".join(f"{name:>24}" for name in groups))
    print(f"{'':44}" + "".join(f"{' '.join(f'@{cut}' for cut in CUTS):>24}" for _ in groups))
    for name, run in runs.items():
        cells = (" ".join(f"{value:.3f}" for value in mean_recall(run, part, CUTS)) for part in groups.values())
        print(f"{name:44}" + "".join(f"{cell:>24}" for cell in cells), flush=True)


def _found(text: str, corpus: Corpus, where: Filter) -> list[str]:
    return [found.paper.id.value for found in search(text, corpus, where, _DEPTH, seconds=None)]


if __name__ == "__main__":
    raise SystemExit(main())

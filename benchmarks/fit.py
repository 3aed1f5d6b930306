"""How well `related/retrieve/fit.py` tells papers that belong into a section from others, and its weights anew.

    python -m benchmarks.fit [--data ../shared/data] [--home DIR] [--small N [--others M]]

`fit_labels.json` has what readers said of papers found: 1 belongs, 0 does not, between them doubtful. One reader, who
wrote this, read the first 15 for each of 63 drafts; others, who had not seen the code, those that 225 sections cited.
LaTeX papers are drafts twice, whole and by title and abstract alone (with half the weight), `half:` queries cite half
of what the real paper does, and the others are abstracts of the sample. The drafts are shared out by hash among twelve
parts, each folder in one, and each part is scored with weights that were fitted on the others. Printed: the share that
belongs (doubtful ones count by their number), the share that clearly does not (up to .25), and how much of all that
belongs is kept, by the score from which on a paper is kept; and the weights fitted on all. The catalogue is that of
`benchmarks.selection`. With `--small` each draft has one of its own, of the first N papers found for it and M others
drawn from the sample, and the weights are those in use.
"""

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.gold import DATA, SAMPLE, machine, read_gold, read_lines
from benchmarks.selection import HERE, RECORDS, drafted, drawn
from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import lookup_in, open_corpus
from citeplug.latex.project import find_root, read_draft
from citeplug.records.draft import Draft
from citeplug.records.outcome import Options
from citeplug.related.progress import Progress, Tools
from citeplug.related.retrieve.fit import FITS, WEIGHTS, DraftFit
from citeplug.related.retrieve.stages import Candidates, find_candidates, make_queries
from citeplug.settings.environment import read_settings

LABELS = Path(__file__).with_name("fit_labels.json")
RIDGE = 3.0
CLEARLY_NOT = 0.25
PARTS = 12
FIRST = 14  # papers that are labelled of a draft; of sections what they cite, which is fewer
BARS = (-9, FITS, 0.4, 0.8, 1.2, 1.4, 1.6)
Floats = NDArray[np.float64]


def drafts(data: Path, names: set[str], corpus: Corpus) -> Iterator[tuple[str, Draft, frozenset[str]]]:
    """The labelled drafts by name, with the ids that are the draft's own; LaTeX papers once more without their text."""
    for query in read_gold(data):
        if query.query_id in names:
            title, _, abstract = query.text.partition(". ")
            yield query.query_id, _abstract(title, abstract), query.exclude
        if (name := f"half:{query.query_id}") in names:
            given = sorted(query.cited, key=lambda value: drawn(query.query_id + value))[: len(query.cited) // 2]
            yield name, drafted(query, list(corpus.papers(given).values())), query.exclude
    ids = sorted(name.removeprefix("arxiv:") for name in names if name.startswith("arxiv:"))
    for value, paper in corpus.papers(ids).items():
        yield f"arxiv:{value}", _abstract(paper.title, paper.abstract), frozenset([value])
    for name in sorted(names):
        if (main := data / "latex" / name).is_file():
            draft = read_draft(find_root(main))
            yield name, draft, frozenset()
            yield name, _abstract(draft.title, draft.abstract), frozenset()


def _abstract(title: str, abstract: str) -> Draft:
    return Draft(HERE.file, (HERE.file,), " ".join(title.split()), " ".join(abstract.split()))


def numbers(draft: Draft, exclude: frozenset[str], corpus: Corpus) -> dict[str, tuple[float, ...]]:
    """What `DraftFit` knows of each paper found for a draft, by id."""
    found = candidates(draft, exclude, corpus)
    fit = DraftFit(found.papers, found.vectors, found.words, found.cited, found.own)
    known = {each.paper.id.value: fit.numbers(each) for each in found.papers}
    return {value: each for value, each in known.items() if each is not None}


def candidates(draft: Draft, exclude: frozenset[str], corpus: Corpus) -> Candidates:
    tools, progress = Tools(corpus, lookup_in(corpus)), Progress(lambda stage, done, total: None)
    options = Options(15, exclude=tuple(exclude))
    queries = make_queries(draft, options, tools, progress, date.max)
    return find_candidates(queries, draft, options, tools, before=date.max, progress=progress)


def small_catalogue(
    draft: Draft, exclude: frozenset[str], corpus: Corpus, others: Sequence[str], size: int, home: Path
) -> dict[str, tuple[float, ...]]:
    """As `numbers`, over a catalogue of `others` and of the first `size` papers that are found in `corpus`."""
    first = [each.paper for each in candidates(draft, exclude, corpus).papers[:size]]
    papers = {each.id.value: each for each in (*first, *corpus.papers(others).values())}
    settings = replace(read_settings(), home=home)
    with tempfile.TemporaryDirectory() as folder, open_corpus(replace(settings, corpus=Path(folder))) as made:
        made.add_papers(list(papers.values()))
        return numbers(draft, exclude, made)


def fitted(x: Floats, y: Floats, weight: Floats) -> Floats:
    """Weights of a logistic regression with a ridge, the constant first; `x` is (n, d)."""
    middle, spread = x.mean(axis=0), x.std(axis=0) + 1e-9
    rows = np.column_stack([np.ones(len(x)), (x - middle) / spread])
    ridge = RIDGE * np.diag([0.0, *[1.0] * x.shape[1]])
    found = np.zeros(rows.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-rows @ found))
        gradient = rows.T @ (weight * (p - y)) + ridge @ found
        found -= np.linalg.solve((rows * (weight * p * (1 - p))[:, None]).T @ rows + ridge, gradient)
    slopes = found[1:] / spread
    return np.array([found[0] - slopes @ middle, *slopes])


def show(title: str, scores: Floats, labels: Floats) -> None:
    kept = [scores >= bar for bar in BARS]
    print(f"\n{title}, {len(labels)} papers")
    print(f"  {'score from':20}" + "".join(f"{bar:>8}" for bar in ("all", *BARS[1:])))
    print(f"  {'papers':20}" + "".join(f"{rows.sum():8}" for rows in kept))
    print(f"  {'belong':20}" + "".join(f"{labels[rows].mean():8.3f}" for rows in kept))
    print(f"  {'clearly do not':20}" + "".join(f"{(labels[rows] <= CLEARLY_NOT).mean():8.3f}" for rows in kept))
    print(f"  {'of all that belong':20}" + "".join(f"{labels[rows].sum() / labels.sum():8.3f}" for rows in kept))


def main() -> int:
    """Print the numbers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--home", type=Path, default=read_settings().home / "benchmarks")
    parser.add_argument("--small", type=int, default=0, metavar="N", help="papers found that each small catalogue has")
    parser.add_argument("--others", type=int, default=0, metavar="M", help="papers of other matters that it has too")
    chosen = parser.parse_args()
    said = json.loads(LABELS.read_text("utf-8"))
    print("python -m benchmarks.fit " + " ".join(sys.argv[1:]))
    print(machine())
    rows: list[tuple[tuple[float, ...], float, str, bool, bool, bool]] = []
    with open_corpus(replace(read_settings(), home=chosen.home, corpus=chosen.home / "selection")) as corpus:
        corpus.add([chosen.data / SAMPLE, chosen.data / RECORDS])
        everything = [value for value, _ in read_lines(chosen.data)] if chosen.others else []
        others = random.Random(2025).sample(everything, chosen.others)
        for name, draft, exclude in drafts(chosen.data, set(said), corpus):
            latex = (chosen.data / "latex" / name).is_file()
            if not draft.abstract and not draft.sections:
                continue
            if chosen.small:
                known = small_catalogue(draft, exclude, corpus, others, chosen.small, chosen.home)
            else:
                known = numbers(draft, exclude, corpus)
            for value, each in known.items():
                if value in said[name]:
                    folder, few = name.split("/")[0], len(said[name]) < FIRST
                    rows.append((each, said[name][value], folder, latex, bool(draft.sections), few))
    x, labels = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    parts, whole = np.array([drawn(row[2]) % PARTS for row in rows]), np.array([row[4] for row in rows])
    blind = np.array([row[5] for row in rows])
    weight = np.array([0.5 if row[3] and not row[4] else 1.0 for row in rows])
    scores = np.zeros(len(rows))
    if chosen.small:
        scores = np.column_stack([np.ones(len(x)), x]) @ np.array(WEIGHTS)
    for part in range(PARTS) if not chosen.small else ():
        here = parts == part
        constant, *slopes = fitted(x[~here], labels[~here], weight[~here])
        scores[here] = constant + x[here] @ slopes
    show("whole drafts", scores[whole], labels[whole])
    show("title and abstract", scores[~whole & ~blind], labels[~whole & ~blind])
    show("cited in sections, read blind", scores[blind], labels[blind])
    print("\nweights fitted on all: " + ", ".join(f"{each:.2f}" for each in fitted(x, labels, weight)))
    print("in use:                " + ", ".join(f"{each:.2f}" for each in WEIGHTS))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

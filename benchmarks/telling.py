"""Which sentence of an abstract is taken for a section without a model, beside the one that a reader would take.

    python -m benchmarks.telling [FILE.jsonl.gz]

Reads the public snapshot's line format, by default ../shared/data/arxiv_sample.jsonl.gz, and `telling_labels.json`:
of 120 abstracts with two sentences of contribution or more, those that a reader would take, by their number, the best
first ("fit"), and the same of 109 others at random ("held out"). Prints how often the best is chosen, how often another
good one, a poor one, or none, and the weights of `citeplug.related.write.extractive.choice` as the first part gives
them: by logistic regression on pairs of sentences of one abstract, of which the reader would take one.
"""

import gzip
import json
import sys
from datetime import date
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from citeplug.records.paper import ArxivId, Paper
from citeplug.related.write.extractive.choice import features, telling
from citeplug.related.write.extractive.contributions import find_contributions, find_deeds
from citeplug.related.write.extractive.statements import Contribution
from citeplug.related.write.extractive.things import find_mechanisms
from citeplug.text.sentences import split_sentences

SAMPLE = Path(__file__).resolve().parents[1].parent / "shared" / "data" / "arxiv_sample.jsonl.gz"
LABELS = Path(__file__).with_name("telling_labels.json")


def candidates(paper: Paper) -> list[Contribution]:
    """What the abstract states, a sentence once; what its authors only look at where it states nothing else."""
    stated = [*find_contributions(paper), *find_mechanisms(paper)] or find_deeds(paper)
    return list({told.start: told for told in reversed(stated)}.values())


def read_papers(file: Path, ids: set[str]) -> dict[str, Paper]:
    day = date(2000, 1, 1)  # the writer does not look at dates
    papers = {}
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            if record["id"] in ids:
                names = tuple(record["authors"].replace(" and ", ", ").split(", "))
                title, abstract = (" ".join(record[name].split()) for name in ("title", "abstract"))
                papers[record["id"]] = Paper(ArxivId.parse(record["id"]), title, abstract, names, day, day)
    return papers


def count(papers: dict[str, Paper], labels: dict[str, list[int]]) -> str:
    best = good = poor = none = 0
    for value, wanted in labels.items():
        starts = [start for start, _ in split_sentences(papers[value].abstract)]
        told = max(candidates(papers[value]), key=lambda one: (telling(one, papers[value]), -one.start), default=None)
        number = None if told is None else starts.index(told.start)
        none += number is None
        best += number is not None and number in wanted[:1]
        good += number in wanted[1:]
        poor += number is not None and number not in wanted
    return f"{len(labels)} abstracts: the best {best}, another good one {good}, a poor one {poor}, none {none}"


def fit(papers: dict[str, Paper], labels: dict[str, list[int]]) -> NDArray[np.float64]:
    """Weights (f,) of the features, by Newton's method with a penalty of 1 on their squares."""
    rows, sure = list[list[float]](), list[float]()
    for value, wanted in labels.items():
        paper = papers[value]
        starts = [start for start, _ in split_sentences(paper.abstract)]
        told = {starts.index(one.start): [*features(one, paper).values()] for one in candidates(paper)}
        for rank, number in enumerate(wanted):
            for other in told.keys() - {number} - ({*wanted} if rank else set()):
                if number in told:
                    rows.append([a - b for a, b in zip(told[number], told[other], strict=True)])
                    sure.append(0.7 if rank else 0.4 if other in wanted else 1.0)
    pairs, weight = np.array(rows), np.array(sure)
    weights = np.zeros(pairs.shape[1])
    for _ in range(50):
        wrong = 1 / (1 + np.exp(pairs @ weights))
        slope = pairs.T @ (weight * wrong) - weights
        bend = (pairs.T * (weight * wrong * (1 - wrong))) @ pairs + np.eye(len(weights))
        weights += np.linalg.solve(bend, slope)
    return weights


def main() -> int:
    """Print the counts of both parts, and the weights."""
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else SAMPLE
    labels = json.loads(LABELS.read_text("utf-8"))
    papers = read_papers(file, {value for part in labels.values() for value in part})
    for part, own in labels.items():
        print(f"{part}: {count(papers, own)}")
    first = next(paper for paper in papers.values() if candidates(paper))
    names = features(candidates(first)[0], first)
    print({name: round(float(w), 1) for name, w in zip(names, fit(papers, labels["fit"]), strict=True)})
    return 0


if __name__ == "__main__":
    sys.exit(main())

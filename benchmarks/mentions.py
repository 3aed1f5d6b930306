"""Whether what papers say of a work could show that a sentence on it is wrong.

    python -m benchmarks.mentions [--data ../shared/data] [--home DIR]

Every sentence of the abstract of a work is a true one on it; the sentences of another work that the same project cites
are wrong ones. Both are compared with the sentences in which real papers cite the work, where there are at least three:
by the largest cosine, and by the share of its words. A finding "differs from how others describe it" would flag what is
below a bar: printed is the share of true and of wrong sentences that it flags.
"""

import argparse
import json
import sys
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.gold import DATA, SAMPLE, machine
from benchmarks.selection import RECORDS
from citeplug.corpus.stores import open_corpus
from citeplug.latex.full_text import read_full_text
from citeplug.latex.project import find_root, read_draft
from citeplug.records.paper import Paper
from citeplug.related.retrieve.cited_papers import cited_papers
from citeplug.settings.environment import read_settings
from citeplug.text.cited_text import words
from citeplug.text.sentences import split_sentences

FEWEST = 3  # sentences about a work
BARS = {"cosine": (0.1, 0.15, 0.2, 0.25, 0.3), "words": (0.01, 0.1, 0.2)}


def main() -> int:
    """Print the numbers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help=f"folder of {SAMPLE} and of latex/")
    parser.add_argument("--home", type=Path, default=read_settings().home / "benchmarks")
    chosen = parser.parse_args()
    print("python -m benchmarks.mentions " + " ".join(sys.argv[1:]))
    print(machine())
    said: dict[str, dict[str, str]] = defaultdict(dict)  # by work, the project of each sentence about it
    papers: dict[str, Paper] = {}
    with open_corpus(replace(read_settings(), home=chosen.home, corpus=chosen.home / "selection")) as corpus:
        corpus.add([chosen.data / SAMPLE, chosen.data / RECORDS])
        for row in json.loads((chosen.data / "latex_manifest.json").read_text("utf-8")):
            main_file = chosen.data / "latex" / row["folder"] / row["main"]
            if row["kind"] != "paper" or not main_file.exists():
                continue
            root = find_root(main_file)
            known = cited_papers(read_draft(root), corpus, corpus)
            for mention in read_full_text(root).mentions:
                for paper in (known[key] for key in mention.keys if key in known and known[key].complete):
                    said[paper.id.value].setdefault(mention.sentence, row["folder"].partition("+")[0])
                    papers[paper.id.value] = paper
        embedder = corpus.embedder()
        enough = [value for value, each in said.items() if len(each) >= FEWEST]
        several = sum(len(set(said[value].values())) >= FEWEST for value in enough)
        print(f"{len(said)} works, {sum(map(len, said.values()))} sentences about them")
        print(f"{len(enough)} works with {FEWEST} or more sentences, {several} of them by {FEWEST} or more projects")
        vectors = {value: np.asarray(embedder.embed(list(said[value])), np.float32) for value in enough}
        found: dict[str, tuple[list[float], list[float]]] = {"cosine": ([], []), "words": ([], [])}
        for work, paper in papers.items():
            sentences = [paper.abstract[start:end] for start, end in split_sentences(paper.abstract)]
            rows = np.asarray(embedder.embed(sentences), np.float32)
            for other in enough:
                if not set(said[work].values()) & set(said[other].values()):
                    continue
                which = int(other != work)
                found["cosine"][which].extend((rows @ vectors[other].T).max(axis=1).tolist())
                found["words"][which].extend(max(_shared(each, text) for text in said[other]) for each in sentences)
    for name, (true, wrong) in found.items():
        right, false = np.array(true), np.array(wrong)
        above = (right[:, None] > false).mean() + 0.5 * (right[:, None] == false).mean()
        print(
            f"{name}: {len(right)} true and {len(false)} wrong sentences; a true one is above a wrong one: {above:.2f}"
        )
        for bar in BARS[name]:
            flagged, caught = (right < bar).mean(), (false < bar).mean()
            print(f"  below {bar:g}: {flagged:.1%} of the true, {caught:.1%} of the wrong")
    return 0


def _shared(sentence: str, mention: str) -> float:
    own = {word for word in words(sentence) if len(word) > 3}
    return len(own & set(words(mention))) / max(1, len(own))


if __name__ == "__main__":
    raise SystemExit(main())

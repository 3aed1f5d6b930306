"""Depth: does the order of papers by their full texts lose relevance, and what is there to quote?

    python -m benchmarks.depth [--show]

The documents of the real projects in ../shared/data/latex are each other's candidates: each in turn is the draft, by
its title and abstract, and relevant are the other documents of its project, versions of one work and its companions.
Few projects of few fields, and no reference lists: it shows whether passages lead away from what abstracts find, and
claims no recall. Prints for each depth the mean average precision of the order by abstracts and passages, as it is and
as published (the mean of the cosines), for all relevant documents and for companions alone, which do not repeat the
draft's abstract; then the sentences that can be quoted without a model, of abstracts and of the nearest passages.
`--show` prints those of the passages.
"""

import argparse
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

import numpy as np

from benchmarks.fulltext import DATA
from citeplug.corpus.fulltext.from_latex import read_document
from citeplug.corpus.fulltext.search import PassageSearch
from citeplug.corpus.fulltext.store import TextStore
from citeplug.corpus.vectors.embedders import open_embedder
from citeplug.errors import CiteplugError, Unfit
from citeplug.latex.project import read_draft
from citeplug.latex.roots import is_standalone, roots_in
from citeplug.protocols import NearPassages, Vectors
from citeplug.records.outcome import Options
from citeplug.records.paper import ArxivId, Candidate, Paper
from citeplug.records.passage import PaperText, Passage
from citeplug.related.retrieve.depth import nearest, rescored
from citeplug.related.retrieve.longlist import rate
from citeplug.related.write.extractive.contributions import find_contributions, find_in_passages
from citeplug.text.compare import compare_titles

DAY = date(2026, 1, 1)
DEPTHS = (0, 1, 2, 6)
_COMPARED = 24


def documents(store: TextStore) -> list[tuple[str, Paper]]:
    """The project and the record of each document that has an abstract and a text; the texts are kept."""
    found: list[tuple[str, Paper]] = []
    for folder in sorted(path for path in DATA.iterdir() if path.is_dir()):
        for root in roots_in(folder):
            try:
                draft, read = read_draft(root), read_document(root)
            except (CiteplugError, Unfit):
                continue
            if is_standalone(root) or len(draft.abstract.split()) < 20 or read.words < 1_000 or not draft.title:
                continue
            value = f"2601.{len(found):05}"
            store.put(PaperText(value, 1, "own", read.title, read.sections, read.references), DAY)
            abstract = " ".join(draft.abstract.split())
            found.append((folder.name, Paper(ArxivId(value, 1), draft.title, abstract, ("A. Author",), DAY, DAY)))
    return found


def average_precision(order: list[str], relevant: set[str]) -> float:
    hits, total = 0, 0.0
    for place, value in enumerate(order, start=1):
        if value in relevant:
            hits += 1
            total += hits / place
    return total / len(relevant)


@dataclass(frozen=True, slots=True)
class Case:
    """A document as the draft, and the others as candidates, by abstract and with their passages nearest to it.

    `vectors` are of the abstracts, by id, its own among them. `own` are the documents of its project, `alike` those of
    these that are versions of it.
    """

    draft: Paper
    candidates: Sequence[Candidate]
    near: Mapping[str, NearPassages]
    vectors: Mapping[str, Vectors]
    own: frozenset[str]
    alike: frozenset[str]

    def chosen(self, depth: int) -> dict[str, list[tuple[Passage, float]]]:
        """The passages of each candidate at a depth, with their cosines."""
        options = Options(depth=depth)
        return {value: nearest(each, options) for value, each in self.near.items()} if depth else {}

    def scored(self, depth: int, *, as_published: bool) -> list[Candidate]:
        """The candidates with their relevance at a depth; as published it is the mean of the cosines."""
        chosen = self.chosen(depth)
        if not as_published:
            return rescored(self.candidates, chosen) if depth else list(self.candidates)
        cosines = ([c.similarity, *(cosine for _, cosine in chosen.get(c.paper.id.value, ()))] for c in self.candidates)
        means = [float(np.mean(each)) for each in cosines]
        return [replace(c, relevance=m, similarity=m) for c, m in zip(self.candidates, means, strict=True)]


def cases() -> Iterator[Case]:
    """One for each document."""
    with tempfile.TemporaryDirectory() as name:
        store, model = TextStore(Path(name)), open_embedder(None)
        papers = documents(store)
        search = PassageSearch(store, lambda: model)
        ids = [paper.id.value for _, paper in papers]
        matrix = model.embed([f"{paper.title}. {paper.abstract}" for _, paper in papers])
        vectors = dict(zip(ids, matrix, strict=True))
        print(f"{len(papers)} documents of {len({project for project, _ in papers})} projects")
        for project, paper in papers:
            others = [other for _, other in papers if other is not paper]
            cosines = [float(vectors[other.id.value] @ vectors[paper.id.value]) for other in others]
            pairs = zip(others, cosines, strict=True)
            candidates = rate([Candidate(other, cosine, cosine, ("dense",)) for other, cosine in pairs])
            near = search.near(ids, [f"{paper.title}. {paper.abstract}"], _COMPARED)
            own = {other.id.value: other for where, other in papers if where == project and other is not paper}
            alike = {v for v, p in own.items() if compare_titles(p.title, paper.title, same_authors=True) != "other"}
            yield Case(paper, candidates, near, vectors, frozenset(own), frozenset(alike))
        store.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", action="store_true")
    asked = parser.parse_args()
    scores: dict[tuple[int, str, str], list[float]] = {}
    quoted: dict[int, list[int]] = {depth: [] for depth in DEPTHS}
    shown: set[str] = set()
    for case in cases():
        wanted = {"all": case.own, "companions": case.own - case.alike}
        for depth in DEPTHS:
            passages = {value: [passage for passage, _ in each] for value, each in case.chosen(depth).items()}
            for way in ("usual", "published"):
                scored = case.scored(depth, as_published=way == "published")
                order = [c.paper.id.value for c in sorted(scored, key=lambda c: -c.relevance)]
                for kind, relevant in wanted.items():
                    if relevant:
                        known = [v for v in order if kind == "all" or v not in case.alike]
                        scores.setdefault((depth, way, kind), []).append(average_precision(known, set(relevant)))
            for c in sorted(case.scored(depth, as_published=False), key=lambda c: -c.relevance)[:5]:
                told = find_contributions(c.paper) if depth == 0 else []
                deep = find_in_passages(c.paper, passages.get(c.paper.id.value, ()))
                quoted[depth].append(len(told) + len(deep))
                shown |= {
                    f"{c.paper.title[:30]} | {each.passage.section[:20]} | {each.own}" for each in deep if each.passage
                }
    for kind in ("all", "companions"):
        for way in ("usual", "published"):
            line = "  ".join(f"{depth}: {np.mean(scores[depth, way, kind]):.3f}" for depth in DEPTHS)
            print(f"mean average precision, {kind}, {way}, by depth: {line} ({len(scores[0, way, kind])} drafts)")
    for depth, counts in quoted.items():
        what = f"{depth} nearest passages" if depth else "abstracts"
        share = np.mean(np.array(counts) > 0)
        print(f"sentences to quote in {what}, a paper: {np.mean(counts):.2f}; papers with one: {share:.2f}")
    for line in sorted(shown) if asked.show else ():
        print(line)


if __name__ == "__main__":
    main()

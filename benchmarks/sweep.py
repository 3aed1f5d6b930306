"""Breadth, diversity and depth swept, as Citegeist does beside its Table 1, without a judge.

    python -m benchmarks.sweep [--data ../shared/data] [--full] [--home DIR]

Of each gold query, title and abstract, the first 6b candidates are searched, and b chosen by Eq. 1 at each diversity:
as citeplug weighs it, and as published (cosines, and the smallest closeness). Recall is of the cited papers; relevance
the mean cosine of the chosen papers to the query, where Citegeist asks a judge; nearness the mean of each chosen
paper's largest cosine to another, which diversity is to lower. Records and vectors are those of benchmarks.retrieval.

Depth needs full texts: it is swept over the documents of real projects (benchmarks.depth), each in turn the draft, with
five of the others chosen. Recall is of the other documents of its project, versions of it among them; relevance is of
the abstracts, which is what Citegeist's judge is shown, too.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from statistics import fmean

import numpy as np

from benchmarks.depth import DEPTHS, Case, cases
from benchmarks.gold import Gold, gold_corpus, read_arguments, read_gold
from citeplug.corpus.index import Corpus
from citeplug.evaluate.measures.retrieval import recall_at_k
from citeplug.protocols import Vectors
from citeplug.records.paper import Candidate, Filter
from citeplug.related.retrieve.candidates import search
from citeplug.related.retrieve.longlist import CANDIDATES_PER_PAPER, rate, select_longlist

BREADTHS, DIVERSITIES = (5, 10, 20), (0.0, 0.15, 0.3, 0.6)
MOST = CANDIDATES_PER_PAPER * max(BREADTHS)
DEPTH_BREADTH, DEPTH_DIVERSITIES = 5, (0.0, 0.3)


def measured(
    cited: Collection[str], asked: Vectors, chosen: Sequence[Candidate], vectors: Mapping[str, Vectors]
) -> tuple[float, float, float]:
    """Recall, relevance and nearness of what was chosen for one query, whose vector is `asked`."""
    ids = [candidate.paper.id.value for candidate in chosen]
    rows = np.stack([vectors[value] for value in ids]).astype(np.float64)
    cosines = rows @ rows.T
    np.fill_diagonal(cosines, -1.0)
    nearness = float(cosines.max(axis=1).mean()) if len(ids) > 1 else 0.0
    return recall_at_k(ids, cited, len(ids)) or 0.0, float((rows @ asked).mean()), nearness


def sweep(gold: Sequence[Gold], corpus: Corpus) -> Iterator[tuple[int, float, bool, tuple[float, ...]]]:
    """Breadth, diversity, as published or not, and the means over the queries."""
    found = {q.query_id: search(q.text, corpus, Filter(exclude=q.exclude), MOST, seconds=None) for q in gold}
    vectors = {name: corpus.vectors([each.paper.id.value for each in given]) for name, given in found.items()}
    asked = {query.query_id: corpus.embed([query.text])[0] for query in gold}
    for breadth in BREADTHS:
        for as_published in (False, True):
            for diversity in DIVERSITIES:
                rows = []
                for query in gold:
                    first = found[query.query_id][: CANDIDATES_PER_PAPER * breadth]
                    known, first = vectors[query.query_id], first if as_published else rate(first)
                    longlist = select_longlist(first, known, breadth, diversity, as_published=as_published)
                    rows.append(measured(query.cited, asked[query.query_id], longlist[:breadth], known))
                yield breadth, diversity, as_published, tuple(map(fmean, zip(*rows, strict=True)))


def sweep_depth(drafts: Sequence[Case]) -> Iterator[tuple[int, float, bool, tuple[float, ...]]]:
    """Depth, diversity, as published or not, and the means over the drafts."""
    for as_published in (False, True):
        for diversity in DEPTH_DIVERSITIES:
            for depth in DEPTHS:
                rows = []
                for case in drafts:
                    scored = case.scored(depth, as_published=as_published)
                    scored = sorted(scored, key=lambda each: -each.relevance)
                    longlist = select_longlist(
                        scored, case.vectors, DEPTH_BREADTH, diversity, as_published=as_published
                    )
                    asked = case.vectors[case.draft.id.value]
                    rows.append(measured(case.own, asked, longlist[:DEPTH_BREADTH], case.vectors))
                yield depth, diversity, as_published, tuple(map(fmean, zip(*rows, strict=True)))


def main() -> None:
    """Print a row for each setting."""
    chosen = read_arguments(__doc__ or "")
    gold = [query for query in read_gold(chosen.data) if query.cited]
    with gold_corpus(chosen.data, chosen.home, gold, full=chosen.full) as (corpus, _):
        print(f"{len(gold)} queries\n\nbreadth diversity  form           recall relevance nearness")
        for breadth, diversity, as_published, means in sweep(gold, corpus):
            _print(breadth, diversity, as_published, means)
    print()
    drafts = [case for case in cases() if case.own]
    print(
        f"{len(drafts)} drafts, breadth {DEPTH_BREADTH}\n\n  depth diversity  form           recall relevance nearness"
    )
    for depth, diversity, as_published, means in sweep_depth(drafts):
        _print(depth, diversity, as_published, means)


def _print(setting: int, diversity: float, as_published: bool, means: Sequence[float]) -> None:
    form = "as published" if as_published else "citeplug"
    print(f"{setting:7} {diversity:9.2f}  {form:13}" + "".join(f"{value:9.3f}" for value in means), flush=True)


if __name__ == "__main__":
    main()

"""Breadth and diversity swept, as Citegeist does beside its Table 1, without a judge.

    python -m benchmarks.sweep [--data ../shared/data] [--full] [--home DIR]

Of each gold query, title and abstract, the first 6b candidates are searched, and b chosen by Eq. 1 at each diversity:
as citeplug weighs it, and as published (cosines, and the smallest closeness). Recall is of the cited papers; relevance
the mean cosine of the chosen papers to the query, where Citegeist asks a judge; nearness the mean of each chosen
paper's largest cosine to another, which diversity is to lower. Records and vectors are those of benchmarks.retrieval.
Depth is not swept: it needs full texts.
"""

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

import numpy as np

from benchmarks.gold import Gold, gold_corpus, read_arguments, read_gold
from citeplug.corpus.index import Corpus
from citeplug.evaluate.measures.recall_at_k import recall_at_k
from citeplug.ports import Vectors
from citeplug.records.paper import Candidate, Filter
from citeplug.retrieve.candidates import search
from citeplug.retrieve.longlist import CANDIDATES_PER_PAPER, rate, select_longlist

BREADTHS, DIVERSITIES = (5, 10, 20), (0.0, 0.15, 0.3, 0.6)
MOST = CANDIDATES_PER_PAPER * max(BREADTHS)


def measured(
    query: Gold, asked: Vectors, chosen: Sequence[Candidate], vectors: Mapping[str, Vectors]
) -> tuple[float, float, float]:
    """Recall, relevance and nearness of what was chosen for one query, whose vector is `asked`."""
    ids = [candidate.paper.id.value for candidate in chosen]
    rows = np.stack([vectors[value] for value in ids]).astype(np.float64)
    cosines = rows @ rows.T
    np.fill_diagonal(cosines, -1.0)
    nearness = float(cosines.max(axis=1).mean()) if len(ids) > 1 else 0.0
    return recall_at_k(ids, query.cited, len(ids)) or 0.0, float((rows @ asked).mean()), nearness


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
                    rows.append(measured(query, asked[query.query_id], longlist[:breadth], known))
                yield breadth, diversity, as_published, tuple(map(fmean, zip(*rows, strict=True)))


def main() -> None:
    """Print a row for each setting."""
    chosen = read_arguments(__doc__ or "")
    gold = [query for query in read_gold(chosen.data) if query.cited]
    with gold_corpus(chosen.data, chosen.home, gold, full=chosen.full) as (corpus, _):
        print(f"{len(gold)} queries\n\nbreadth diversity  form           recall relevance nearness")
        for breadth, diversity, as_published, means in sweep(gold, corpus):
            form = "as published" if as_published else "citeplug"
            print(f"{breadth:7} {diversity:9.2f}  {form:13}" + "".join(f"{value:9.3f}" for value in means), flush=True)


if __name__ == "__main__":
    main()

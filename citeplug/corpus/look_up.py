"""Papers of the catalogue by words that an author types."""

from collections.abc import Sequence

from citeplug.corpus.index import Corpus
from citeplug.corpus.quick_search import quick_search
from citeplug.records.paper import Filter, Paper

_SHORTEST = 3  # letters of a text that is compared by its meaning


def look_up(text: str, corpus: Corpus, k: int) -> Sequence[Paper]:
    """Return at most `k` papers: first those that have each word in title, authors, year or abstract.

    The last word may be the beginning of one. Those on the same topic follow.
    """
    ids = corpus.look_up(text, k)
    papers = dict(corpus.papers(ids))
    found = [papers[value] for value in ids if value in papers]
    if len(found) < k and sum(map(str.isalpha, text)) >= _SHORTEST:
        found += [paper for paper in quick_search(text, corpus, Filter(), k) if paper.id.value not in papers]
    return found[:k]

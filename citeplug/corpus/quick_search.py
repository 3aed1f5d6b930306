"""Quick search, for completion: a lexical and a dense ranking, fused by ranks."""

from collections.abc import Sequence

from citeplug.corpus.fusion import Ranking, fuse
from citeplug.protocols import PaperIndex
from citeplug.records.paper import Filter, Paper

_DEPTH = 100  # papers of each ranking


def quick_search(text: str, index: PaperIndex, where: Filter, k: int) -> Sequence[Paper]:
    """Return at most `k` papers that `where` admits, best first; only `text` is embedded."""
    if k < 1:
        return ()
    lexical = [value for value, _ in index.lexical(text, _DEPTH, where)]
    dense = [value for value, _ in index.nearest(index.embed([text])[0], _DEPTH, where)]
    # Most of a catalogue may have no vectors yet: a paper without one gets its lexical rank in the dense ranking too.
    known = index.vectors(lexical, 0.0)
    for rank, value in enumerate(lexical):
        if value not in known:
            dense.insert(rank, value)
    ids = [value for value, _ in fuse([Ranking(dense), Ranking(lexical)])[:k]]
    papers = index.papers(ids)
    return tuple(papers[value] for value in ids if value in papers)

"""Authors that papers share with what the draft cites: who is cited once is often cited again."""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from citeplug.records.paper import Paper
from citeplug.text.folding import fold_name, is_collective, split_name

MOST_NAMES = 30  # of one work: a list of thousands tells little, and would take seconds


def share_authors(
    papers: Mapping[str, Paper], cited: Iterable[Sequence[str]], own: Collection[str] = ()
) -> dict[str, float]:
    """For each paper the logarithm of 1 and the number of cited works that share an author with it.

    `cited` are the authors of each cited work. A paper of `own` ids is one of these, and does not count for itself.
    """
    works = [people for names in cited if (people := _people(names))]
    wanted = Counter(person for people in works for person in people)
    shared = {}
    for value, paper in papers.items():
        mine = {person for person in _people(paper.authors) if person in wanted}
        count = sum(not mine.isdisjoint(people) for people in works) if mine else 0
        shared[value] = math.log1p(max(0, count - (value in own)))
    return shared


def _people(names: Sequence[str]) -> frozenset[tuple[str, str]]:
    """Surname and first initial of each, which tell people well enough among the papers on one matter."""
    split = [split_name(name) for name in names[:MOST_NAMES] if not is_collective(name)]
    return frozenset((fold_name(n.surname), fold_name(n.given)[:1]) for n in split if n.given and n.surname)

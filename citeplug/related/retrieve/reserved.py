"""Places kept for what a language model's own queries find, and those made of a theme of the draft's citations.

Each of these queries weighs little in the fused score: a paper that it alone finds would come too late to be judged.
"""

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import TypeVar

from citeplug.corpus.fusion import Scores, best_first, combine
from citeplug.records.paper import Candidate, Query
from citeplug.related.retrieve.queries import THEME

OWN = "model:"  # how the aspects of these queries begin
BEST = 2  # papers of each

T = TypeVar("T")


def best_of_own(
    queries: Sequence[Query], lexical: Sequence[Mapping[str, float]], near: Sequence[Mapping[str, float]]
) -> frozenset[str]:
    """The ids of the best papers of each of these queries, by words and meaning."""
    return frozenset(
        value
        for query, words, meaning in zip(queries, lexical, near, strict=True)
        if query.aspect.startswith((OWN, THEME))
        for value in best_first(combine([Scores(words), Scores(meaning)]))[:BEST]
    )


def keep(items: Sequence[T], k: int, reserved: Callable[[T], bool]) -> list[T]:
    """The first `k`, where later ones that are `reserved` take the last places, at most half of all."""
    late = [each for each in items[k:] if reserved(each)][: k // 2]
    kept, left = list[T](), len(late)
    for each in reversed(items[:k]):
        if left and not reserved(each):
            left -= 1
        else:
            kept.append(each)
    return [*reversed(kept), *late][:k]


def keep_reserved(candidates: Sequence[Candidate], k: int) -> list[Candidate]:
    """The first `k`, those that are reserved in place of the last others."""
    return keep(candidates, k, attrgetter("reserved"))

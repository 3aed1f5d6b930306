"""Comparison of the topics with the catalogue that they are derived from, and repair."""

from collections.abc import Iterator

from citeplug.corpus.locking import exclusive
from citeplug.corpus.topics.index import TopicIndex


def check_topics(topics: TopicIndex, repair: bool) -> Iterator[tuple[str, int, str]]:
    """Yield (kind, count, message) of the problems; none without topics. With `repair` they are repaired.

    Raises StoreBusy if another process is making topics.
    """
    if not topics.made:
        return
    with exclusive(topics.lock):
        damage = topics.damage()
        if damage is not None:
            if repair:
                topics.make(None, anew=True)
            yield "damaged", 1, f"the topics cannot be read ({damage[:200]})"
            return
        behind, missing, extra = topics.differences()
        if repair and missing > behind:
            topics.assign_again()
        if repair and (behind or missing or extra):
            topics.make(None)
        if behind:
            yield "behind", behind, "records without an assigned topic yet"
        if missing > behind:
            yield "missing", missing - behind, "records missing from the topics"
        if extra:
            yield "extra", extra, "rows of the topics without a record"

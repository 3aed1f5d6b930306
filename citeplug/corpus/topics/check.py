"""Comparison of the topics with the catalogue that they are derived from, and repair."""

from collections.abc import Iterator

from citeplug.corpus.catalogue import Catalogue
from citeplug.corpus.locking import exclusive
from citeplug.corpus.topics.index import TopicIndex


def check_topics(topics: TopicIndex, catalogue: Catalogue, repair: bool) -> Iterator[tuple[str, int, str]]:
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
        behind, rows = topics.counts()
        if behind:
            yield "behind", behind, "records without an assigned topic yet"
            if not repair:
                return  # rows can only be counted against records that were assigned
            topics.make(None)
            _, rows = topics.counts()
        difference = catalogue.records() - rows
        if difference and repair:
            topics.assign_again()
            topics.make(None)
        if difference > 0:
            yield "missing", difference, "records missing from the topics"
        if difference < 0:
            yield "extra", -difference, "rows of the topics without a record"

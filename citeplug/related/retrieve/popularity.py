"""The control of a search by citations: how often papers are cited, whoever cites them."""

import math
from collections.abc import Mapping
from datetime import date

from citeplug.corpus.fusion import Scores, best_first, combine
from citeplug.protocols import CitationSource
from citeplug.records.paper import ArxivId, Filter
from citeplug.related.retrieve.deep_research import MOST_LINKS


def by_popularity(scores: Mapping[str, float], where: Filter, source: CitationSource) -> list[str]:
    """Order papers by the score of a search and the logarithm of how often they are cited, both standardised.

    Counted are citations by papers whose id is of a month before `where.before`, and not by those that it excludes.
    """

    def counts(citing: str) -> bool:
        return citing not in where.exclude and (where.before is None or _month(citing) < where.before)

    citers = source.citers(list(scores), MOST_LINKS)
    times = {value: sum(map(counts, citers.get(value, ()))) for value in scores}
    return best_first(combine([Scores(scores), Scores({value: math.log1p(count) for value, count in times.items()})]))


def _month(value: str) -> date:
    try:
        return ArxivId.parse(value).month
    except ValueError:  # of no known month: it is not older
        return date.max

"""Comparison of a sentence with its sources by rules, without a model.

Numbers with their units and names are compared in code and refused where no source has them. What else the words
give away is a suspicion, for the judge.
"""

from collections.abc import Callable, Iterator, Sequence

from citeplug.attribute.claims.across import unknown_digits
from citeplug.attribute.claims.across import unknown_names as names_across
from citeplug.attribute.claims.evidence import Doubt, Evidence
from citeplug.attribute.claims.names import unknown_names
from citeplug.attribute.claims.numbers import unknown_numbers
from citeplug.attribute.claims.opposites import reversed_claims
from citeplug.attribute.claims.polarity import turned_negations
from citeplug.attribute.claims.roles import swapped_roles
from citeplug.attribute.claims.strength import inflations

__all__ = ["Doubt", "Evidence", "doubts", "suspicions", "unsourced"]

Rule = Callable[[str, Evidence], Iterator[Doubt]]
_SUSPICIONS: tuple[Rule, ...] = (turned_negations, reversed_claims, swapped_roles, inflations)


def unsourced(text: str, sources: Sequence[str], own: str, language: str, papers: int = 1) -> Iterator[Doubt]:
    """Hard doubts: numbers that none of `sources` has, and names that neither they nor the author's `own` text has.

    `text` is a sentence in `language` without its citations, `papers` how many papers it cites.
    """
    evidence = Evidence(tuple(sources), granted=own, papers=papers)
    rules = (unknown_numbers, unknown_names) if language == "English" else (unknown_digits, names_across)
    for rule in rules:
        yield from rule(text, evidence)


def suspicions(segment: str, sources: Sequence[str], own: str = "") -> Iterator[Doubt]:
    """Suspicions against an English `segment`, the part of a sentence that its citation stands for."""
    evidence = Evidence((*sources, *([own] if own else [])))
    for rule in _SUSPICIONS:
        yield from rule(segment, evidence)


def doubts(sentence: str, evidence: Evidence) -> Iterator[Doubt]:
    """All that the rules hold against an English sentence, be it decided or suspected."""
    sources = (*evidence.quotes, *evidence.titles)
    yield from unsourced(sentence, sources, evidence.granted, "English", evidence.papers)
    yield from suspicions(sentence, sources)

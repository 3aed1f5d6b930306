"""Comparison of a sentence with its quotations by rules, without a model: no more, no less, nothing else may be said.

The rules look at words alone. What they refuse is asked again, so they would rather refuse a true paraphrase
than let a false one pass; what they cannot see (docs/background.md) is a claim turned round in words that the
source has too, in places that the rules do not compare.
"""

from collections.abc import Callable, Iterator, Mapping

from citeplug.attribute.claims import german
from citeplug.attribute.claims.across import unknown_digits
from citeplug.attribute.claims.across import unknown_names as names_across
from citeplug.attribute.claims.evidence import Doubt, Evidence
from citeplug.attribute.claims.names import unknown_names
from citeplug.attribute.claims.numbers import unknown_numbers
from citeplug.attribute.claims.opposites import reversed_claims
from citeplug.attribute.claims.polarity import turned_negations
from citeplug.attribute.claims.roles import swapped_roles
from citeplug.attribute.claims.strength import inflations
from citeplug.attribute.claims.support import unsupported

__all__ = ["Doubt", "Evidence", "doubts"]

Rule = Callable[[str, Evidence], Iterator[Doubt]]
_RULES: tuple[Rule, ...] = (
    unknown_numbers,
    unknown_names,
    turned_negations,
    reversed_claims,
    swapped_roles,
    inflations,
    unsupported,
)
_RULES_ANYWHERE: tuple[Rule, ...] = (unknown_digits, names_across)
_RULES_ELSEWHERE: Mapping[str, tuple[Rule, ...]] = {"German": (german.doubts,)}


def doubts(segment: str, evidence: Evidence, language: str = "English") -> Iterator[Doubt]:
    """Doubts that `segment`, a sentence or the part of one that a citation stands for, is borne out by `evidence`.

    `segment` is plain text in `language` without citation markers; the evidence is in English, or in the draft's
    language where it is the draft's. Nothing is yielded for a segment that every rule lets pass. In other languages
    than English and German only numbers in digits and names are compared.
    """
    for rule in _RULES if language == "English" else _RULES_ELSEWHERE.get(language, _RULES_ANYWHERE):
        yield from rule(segment, evidence)

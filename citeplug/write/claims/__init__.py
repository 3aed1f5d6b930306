"""Whether a sentence says no more, no less and nothing other than its quotations: pure rules, no model.

The rules look at words alone. What they refuse is asked again, so they would rather refuse a true paraphrase
than let a false one pass; what they cannot see (docs/background.md) is a claim turned round in words that the
source has too, in places that the rules do not compare.
"""

from collections.abc import Iterator

from citeplug.write.claims.evidence import Doubt, Evidence
from citeplug.write.claims.names import unknown_names
from citeplug.write.claims.numbers import unknown_numbers
from citeplug.write.claims.opposites import reversed_claims
from citeplug.write.claims.polarity import turned_negations
from citeplug.write.claims.roles import swapped_roles
from citeplug.write.claims.strength import inflations
from citeplug.write.claims.support import unsupported

__all__ = ["Doubt", "Evidence", "doubts"]

_RULES = (
    unknown_numbers,
    unknown_names,
    turned_negations,
    reversed_claims,
    swapped_roles,
    inflations,
    unsupported,
)


def doubts(segment: str, evidence: Evidence) -> Iterator[Doubt]:
    """Why `segment`, a sentence or the part of one that a citation stands for, is not borne out by `evidence`.

    `segment` is plain text without citation markers. Nothing is yielded for a segment that every rule lets pass.
    """
    for rule in _RULES:
        yield from rule(segment, evidence)

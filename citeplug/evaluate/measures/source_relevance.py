"""Source relevance: each cited abstract beside the draft's, judged 0 to 10 (Citegeist, section 4, Table 1)."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Relevance:
    """`mean` 0 to 10; `sum` grows with the number of citations."""

    mean: float
    sum: float


def source_relevance(scores: Mapping[str, float]) -> Relevance | None:
    """Return mean and sum of the judged scores of a section's cited papers; None without citations.

    A citation that is not real has no abstract: it is judged 0 (Citegeist writes "(invalid citation)" in its place, and
    does not say how that counts).
    """
    return Relevance(sum(scores.values()) / len(scores), float(sum(scores.values()))) if scores else None

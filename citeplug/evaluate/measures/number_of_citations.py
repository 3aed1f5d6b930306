"""Number of citations of an answer (TruthReader, Table 2, "# Citation")."""

from collections.abc import Sequence

from citeplug.evaluate.measures.entailment import CitedSentence


def number_of_citations(sentences: Sequence[CitedSentence]) -> float | None:
    """Return how many citations the sentences have, each mention counted; None for a refusal, which has no sentence."""
    return float(sum(len(each.cites) for each in sentences)) if sentences else None

"""Claim coverage: sentences that a citation nearby bears out (DeepScholar-Bench, arXiv:2508.20033)."""

from collections.abc import Sequence

from citeplug.evaluate.measures.citation_precision import SHORTEST_PUBLISHED
from citeplug.evaluate.measures.entailment import CitedSentence, Verdicts


def claim_coverage(
    sentences: Sequence[CitedSentence], verdicts: Verdicts, window: int = 1, *, as_published: bool = False
) -> float | None:
    """Return the share of the sentences that the citations of one sentence within `window` places entail.

    None without sentences. The published code (`claim_coverage.py`) asks the sentence's own citations for each place
    of the window (it reads `sent` where the neighbour belongs), so that the window never acts, and passes over
    sentences of under 50 characters: the form `as_published`.
    """
    covered = []
    for at, sentence in enumerate(sentences):
        if as_published and len(sentence.text) < SHORTEST_PUBLISHED:
            continue
        near = [sentence] if as_published else sentences[max(0, at - window) : at + window + 1]
        covered.append(any(verdicts.entailed(at, each.cites) for each in near if each.cites))
    return sum(covered) / len(covered) if covered else None

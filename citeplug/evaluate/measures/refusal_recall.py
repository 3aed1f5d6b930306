"""Refusal recall: unanswerable questions that were refused (TruthReader, section 5.2, Table 2)."""


def refusal_recall(answerable: bool, refused: bool) -> float | None:
    """Return 1 or 0 for an unanswerable question; None for others."""
    return None if answerable else float(refused)


def over_refusal(answerable: bool, refused: bool) -> float | None:
    """Return 1 or 0 for an answerable question, 1 if it was refused; None for others.

    TruthReader does not report it: a system that refuses all has a refusal recall of 1.
    """
    return float(refused) if answerable else None

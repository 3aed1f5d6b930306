"""Answer accuracy: answers that agree with the reference answer (TruthReader, section 5.2, Table 2)."""


def answer_accuracy(answerable: bool, refused: bool, correct: bool | None) -> float | None:
    """Return 1 or 0 for an answerable question, 0 where it was refused; None for others, and where nobody judged."""
    if not answerable:
        return None
    if refused:
        return 0.0
    return None if correct is None else float(correct)

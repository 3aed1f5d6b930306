"""Whether a question goes on with the one before it, or changes the subject (TruthReader, section 4.1).

TruthReader trains its retriever on dialogues with others put among them, so that it drops a history that is about
something else. Here the built-in model, untrained, compares the earlier question with itself and the new one behind it:
a question that leans on the earlier one ("And on MNIST?", "Why?") hardly changes what both together are about.
"""

from collections.abc import Sequence

import numpy as np

from citeplug.ask.late_interaction import SplitTexts

_LEANS = 0.85  # cosine; chosen on 40 pairs of questions, measured on others: benchmarks/results.md
_LONGEST = 300  # characters of an earlier question: the model does not see what is behind 256 word pieces
_TURNS = 6  # of the conversation that count


def standing_alone(question: str, earlier: Sequence[str], split: SplitTexts) -> str:
    """The question behind the last of the `earlier` ones that was no follow-up itself; alone where it is none."""
    subject = ""
    for text in [*earlier[-_TURNS:], question]:
        whole = f"{subject} {text}".strip()
        if not subject or not _leans(subject, whole, split):
            subject, whole = text[:_LONGEST], text
    return whole


def _leans(subject: str, whole: str, split: SplitTexts) -> bool:
    one, both = (np.mean(pieces.vectors, axis=0) for pieces in split([subject, whole]))
    return float(one @ both) >= _LEANS * float(np.linalg.norm(one) * np.linalg.norm(both))

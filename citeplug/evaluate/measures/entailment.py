"""Verdicts on sentences and the papers they cite: what the measures of citations are computed from."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass


class NotJudged(LookupError):
    """A measure needs a verdict that nobody gave."""


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """A sentence without its citations, and the ids that it cites, in order, as often as it does."""

    text: str
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdicts:
    """By sentence (counted from 0) and papers: True if these papers together entail the sentence."""

    given: Mapping[tuple[int, frozenset[str]], bool]

    def entailed(self, sentence: int, papers: Collection[str]) -> bool:
        """Raises NotJudged where nobody judged this sentence beside these papers."""
        verdict = self.given.get((sentence, frozenset(papers)))
        if verdict is None:
            raise NotJudged(f"sentence {sentence} beside {', '.join(sorted(papers))}")
        return verdict

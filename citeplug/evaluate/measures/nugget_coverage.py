"""Nugget coverage, given judged nuggets (DeepScholar-Bench, arXiv:2508.20033, after TREC RAG's AutoNuggetizer)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Importance = Literal["vital", "okay"]
Support = Literal["support", "partial_support", "not_support"]
_PARTLY = 0.5


@dataclass(frozen=True, slots=True)
class JudgedNugget:
    """A fact that the real text states: its importance, and how far the text in question has it."""

    importance: Importance
    support: Support


def nugget_coverage(
    nuggets: Sequence[JudgedNugget], among: Literal["all", "vital", "weighted"] = "all", *, strict: bool = False
) -> float | None:
    """Return the mean support of the nuggets: 1 for support, half for partial support, or nothing for it if `strict`.

    `vital` counts these alone, `weighted` an okay nugget half. None without such nuggets.
    """
    weights = {"vital": 1.0, "okay": {"all": 1.0, "vital": 0.0, "weighted": 0.5}[among]}
    worth = {"support": 1.0, "partial_support": 0.0 if strict else _PARTLY, "not_support": 0.0}
    total = sum(weights[each.importance] for each in nuggets)
    return sum(weights[each.importance] * worth[each.support] for each in nuggets) / total if total else None

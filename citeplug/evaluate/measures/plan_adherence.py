"""Adherence of a text to the number of sentences that its plan gives (LitLLM, Table 8)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Adherence:
    """`followed`: 1 if the text has as many sentences as the plan, else 0. `difference`: in sentences."""

    followed: float
    difference: float


def plan_adherence(sentences: int, planned: int, *, as_published: bool = False) -> Adherence:
    """Compare the sentences of a text with those planned; Table 8 has the share of `followed`, mean and maximum of
    `difference`.

    `difference` is the distance. As published it has a sign, more sentences than planned being positive, so that texts
    too long and too short cancel: GPT-4 has a mean of -0.01 where 60.7 % of its texts follow the plan.
    """
    off = sentences - planned
    return Adherence(float(off == 0), float(off if as_published else abs(off)))

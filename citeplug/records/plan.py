"""Plan of a section: its paragraphs, and the sentences that each is to have."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PlanLine:
    """One planned sentence: what it does and which papers it cites (arXiv ids, or keys of the draft)."""

    intent: str
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlanParagraph:
    """One planned paragraph. `id` is stable (`p1`, ...); `words` is the target length."""

    id: str
    heading: str
    lines: tuple[PlanLine, ...]
    words: int
    keep: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    paragraphs: tuple[PlanParagraph, ...]

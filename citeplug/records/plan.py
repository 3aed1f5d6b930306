"""Plan of a section: its paragraphs, and the sentences of each."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PlanLine:
    """A planned sentence: its intent, and the papers that it cites (arXiv ids, or keys of the draft)."""

    intent: str
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlanParagraph:
    """A planned paragraph. `id` is stable (`p1`, ...); `words` is the target length."""

    id: str
    heading: str
    lines: tuple[PlanLine, ...]
    words: int
    keep: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    paragraphs: tuple[PlanParagraph, ...]

"""Plan of a section: its paragraphs, and the lines that say what each is to say."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class PlanLine:
    """A line of a plan: its intent, and the papers to be cited (arXiv ids, or keys of the draft).

    A line may give several sentences, and a sentence may serve several lines. `kind`: `paper` cites; `topic` opens
    the paragraph without papers; `draft` says what sets the draft apart, and has papers only where it names their
    limits. `weight`: a `core` paper may have two sentences, `passing` ones are cited together.
    """

    intent: str
    cites: tuple[str, ...] = ()
    kind: Literal["paper", "topic", "draft"] | None = None
    weight: Literal["core", "passing"] | None = None

    @property
    def role(self) -> Literal["paper", "topic", "draft"]:
        """`kind`, which in grammar 1 the papers alone decide."""
        return self.kind or ("paper" if self.cites else "draft")


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

"""Plan of a section: its paragraphs, and the lines that say what each is to say."""

from dataclasses import dataclass
from typing import Literal

LineKind = Literal["paper", "topic", "draft"]
Weight = Literal["core", "passing"]


@dataclass(frozen=True, slots=True)
class PlanLine:
    """A line of a plan: its intent, and the papers to be cited (arXiv ids, or keys of the draft).

    A line may give several sentences, and a sentence may serve several lines. `kind`: `paper` cites; `topic` opens
    the paragraph without papers; `draft` says what sets the draft apart, and has papers only where it names their
    limits. It is None where the papers alone decide it. `weight`: a `core` paper may have two sentences, `passing` ones
    are cited together.
    """

    intent: str
    cites: tuple[str, ...] = ()
    kind: LineKind | None = None
    weight: Weight | None = None

    def __post_init__(self) -> None:
        # One form for one line, so that a line that was printed and read again equals what it was.
        if self.kind == ("paper" if self.cites else "draft"):
            object.__setattr__(self, "kind", None)

    @property
    def role(self) -> LineKind:
        """`kind`, or what the papers say of it."""
        return self.kind or ("paper" if self.cites else "draft")

    @property
    def sentences(self) -> int:
        """About how many sentences the line gives."""
        return 2 if self.weight == "core" else 1

    @property
    def content(self) -> list[object]:
        """All of the line, for digests; of a line as grammar 1 had them, what was in its digests then."""
        return [self.intent, list(self.cites), *([self.kind, self.weight] if self.kind or self.weight else [])]


@dataclass(frozen=True, slots=True)
class PlanParagraph:
    """A planned paragraph. `id` is stable (`p1`, ...); `words` is the target length."""

    id: str
    heading: str
    lines: tuple[PlanLine, ...]
    words: int
    keep: bool = False

    @property
    def sentences(self) -> int:
        """About how many sentences the lines give."""
        return sum(line.sentences for line in self.lines)


@dataclass(frozen=True, slots=True)
class Plan:
    paragraphs: tuple[PlanParagraph, ...]

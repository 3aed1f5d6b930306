"""What was last generated, block by block and entry by entry: the base of a merge with what the author made of it."""

from dataclasses import dataclass, field

from citeplug.records.plan import PlanParagraph
from citeplug.records.section import Sentence

# What a new file of entries begins with.
HEADER = "% Entries of the related-work section, written by citeplug.\n\n"


@dataclass(frozen=True, slots=True)
class Generated:
    """The text of one block, as it was generated.

    `plan` was followed. `directives` are the lines of the plan as the planner printed them, without `% citeplug:`;
    empty where the plan was the author's wish. `lines` are the text with its notes. `inputs` is a digest of all that
    the text was made from, None where it should be made again. `keys` are the citation keys, by arXiv id or key.
    """

    plan: PlanParagraph
    directives: tuple[str, ...]
    lines: tuple[str, ...]
    inputs: str | None = None
    sentences: tuple[Sentence, ...] = ()
    keys: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GeneratedEntry:
    """One bibliography entry as it was generated: its key, its text with `\\n` line ends, and its paper."""

    key: str
    text: str
    arxiv_id: str

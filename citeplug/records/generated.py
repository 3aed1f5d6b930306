"""Generated blocks and entries as last written: the bases of a merge with the author's changes."""

from dataclasses import dataclass, field

from citeplug.records.plan import PlanParagraph
from citeplug.records.section import Sentence

# First lines of a new file of entries.
HEADER = "% Entries of the related-work section, written by citeplug.\n\n"


@dataclass(frozen=True, slots=True)
class Generated:
    """A block as it was generated.

    `plan` is the plan of its text. `directives` are the printed lines of a generated plan, without `% citeplug:`; empty
    if the plan was the author's. `lines` are the text with its notes. `inputs` is a digest of all inputs of the text,
    None to have it written again. `keys` are the citation keys, by arXiv id or key.
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

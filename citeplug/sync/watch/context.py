"""What a watcher works with, and the events that it reports."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from citeplug.records.finding import Finding

if TYPE_CHECKING:
    from citeplug.corpus.index import Corpus
    from citeplug.corpus.stores import Announce
    from citeplug.llm.allowance import Allowance
    from citeplug.settings.environment import Settings

# watching: it has begun; unchanged: something was saved, and nothing that counts is another; running: the section is
# being made; written, current: it was updated, or is current; due: that is left to the author; waiting: for git, or
# for a file that is missing just now; cancelled: a run whose inputs changed; failed: see `hint`; stopped: the end.
# news: papers came that the draft should discuss.
# With a remote also: pulled, merged, committed, pushed;
# synced: both sides are the same.
Kind = Literal[
    "watching",
    "unchanged",
    "running",
    "written",
    "current",
    "due",
    "waiting",
    "cancelled",
    "failed",
    "stopped",
    "news",
    "pulled",
    "merged",
    "committed",
    "pushed",
    "synced",
]


@dataclass(frozen=True, slots=True)
class WatchEvent:
    """`files` are those that were saved, or were written; `changed` the names of the inputs (`assess.reason`)
    that changed; `seconds` how long it took, None where nothing was done."""

    kind: Kind
    message: str
    files: tuple[Path, ...] = ()
    changed: tuple[str, ...] = ()
    seconds: float | None = None
    hint: str = ""
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class WatchOverrides:
    """The user's options for the watcher; what is None is as the document or citeplug.toml say, or as the section was
    last written.

    `online` lets words of the draft be sent to arXiv, as with `citeplug related`; `model` lets a section that a
    language model wrote be made anew.
    """

    breadth: int | None = None
    diversity: float | None = None
    categories: tuple[str, ...] | None = None
    online: bool = False
    model: bool = False

    @property
    def options(self) -> dict[str, Any]:
        """By the names of the choices."""
        values = {"breadth": self.breadth, "diversity": self.diversity, "categories": self.categories}
        return {name: value for name, value in values.items() if value is not None}


@dataclass(frozen=True, slots=True)
class WatchContext:
    """What a watcher and its runs work with.

    `corpus` stays open, so that nothing is loaded twice. `tell` is given every event, `announce` each query before it
    is sent. `allowance` is a language model that may be asked.
    """

    overrides: WatchOverrides
    settings: "Settings"
    corpus: "Corpus"
    tell: Callable[[WatchEvent], None]
    announce: "Announce | None" = None
    allowance: "Allowance | None" = None

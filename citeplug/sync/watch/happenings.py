"""Events that a watcher reports."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from citeplug.records.finding import Finding

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
class Happening:
    """`files` are those that were saved, or were written; `changed` the names of the inputs (`assess.reason`)
    that changed; `seconds` how long it took, None where nothing was done."""

    kind: Kind
    message: str
    files: tuple[Path, ...] = ()
    changed: tuple[str, ...] = ()
    seconds: float | None = None
    hint: str = ""
    findings: tuple[Finding, ...] = ()

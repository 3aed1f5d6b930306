"""One case of the hunt: what it is drawn from, what it found, and how it is done again."""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path


class Loss(Exception):
    """Something of an author's is gone, or a command ended in a way that it never may. `files` show it, by name."""

    def __init__(self, what: str, files: dict[str, bytes] | None = None) -> None:
        super().__init__(what)
        self.files = files or {}


@dataclass(slots=True)
class Case:
    """The case `number` of a part; the same seed, part and number draw the same. `folder` is empty at the beginning.

    `counts` are what was done, by its name in the table.
    """

    seed: int
    part: str
    number: int
    folder: Path
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def chance(self) -> random.Random:
        return random.Random(f"{self.seed} {self.part} {self.number}")


Play = Callable[[Case], None]


def demand(wrong: str | None, **files: bytes) -> None:
    """Raise Loss if the judge says that something is wrong."""
    if wrong is not None:
        raise Loss(wrong, files)

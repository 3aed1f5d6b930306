"""Vectors of all papers, computed while nobody waits: newest first, what the author works on before the rest."""

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from citeplug.corpus.catalogue import Catalogue
from citeplug.corpus.serialise import embedded_text
from citeplug.corpus.vectors import PaperVectors

# Papers sorted by length together, so that little padding is computed; and those embedded between two looks at whether
# somebody waits: a second or two on two cores.
SLICE = 1024
CHUNK = 64
REST = 1.5  # seconds after the last sign of foreground work
_SIGN = "foreground"  # the file whose time is that sign
_OFTEN = 0.3  # seconds between two signs
_SHARE = 2 / 3  # of the papers that have vectors: their categories are the author's
_MOST_CATEGORIES = 8


class Foreground:
    """A sign, seen by all processes, that somebody waits for vectors."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / _SIGN
        self._given = 0.0

    def give(self) -> None:
        """Say that somebody waits just now; costs nothing if that was said a moment ago."""
        now = time.monotonic()
        if now - self._given > _OFTEN:
            self._given = now
            with contextlib.suppress(OSError):
                self._file.touch()

    def waits(self) -> bool:
        """True if somebody waited in the last moments."""
        try:
            return abs(time.time() - self._file.stat().st_mtime) < REST
        except OSError:
            return False


@dataclass(frozen=True, slots=True)
class EmbedRequest:
    """Papers to embed: of `categories` (none: the author's first, then all), at most `most`, and for at most so
    many `seconds`; None: no bound."""

    categories: Sequence[str] = ()
    most: int | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class EmbedReport:
    """`embedded` papers got a vector now, `left` have none still, of those wished for; `seconds` in all, `rested` of
    them for the sake of others. `first` are the categories that came first."""

    embedded: int
    left: int
    seconds: float
    rested: float
    first: tuple[str, ...]


# What is told: how many are done, and how many there are to do.
Tell = Callable[[int, int], None]


def embed_in_background(
    catalogue: Catalogue, vectors: PaperVectors, foreground: Foreground, request: EmbedRequest, tell: Tell | None = None
) -> EmbedReport:
    """Embed what has no vector. It may be stopped at any moment: what was embedded is kept, and the next one goes on.

    Other processes come first: while one of them embeds or searches, nothing is done here. Raises StoreBroken (full
    disk), ModelUnavailable.
    """
    began = time.monotonic()
    end = None if request.seconds is None else began + request.seconds
    first = tuple(request.categories) or _authors_own(vectors)
    total = vectors.count_missing(tuple(request.categories))
    wanted = total if request.most is None else min(total, request.most)
    done, rested = 0, 0.0
    for ids in _slices(vectors, first, only=bool(request.categories)):
        found = catalogue.papers(ids[: wanted - done]).values()
        papers = sorted(found, key=lambda paper: len(embedded_text(paper)))
        for start in range(0, len(papers), CHUNK):
            rested += _rest(foreground, end)
            if end is not None and time.monotonic() >= end:
                break
            done += len(vectors.by_paper(papers[start : start + CHUNK], None, must_keep=True))
            if tell is not None:
                tell(done, wanted)
        vectors.hand_over(wait=5.0)
        if done >= wanted or (end is not None and time.monotonic() >= end):
            break
    left = vectors.count_missing(tuple(request.categories))
    return EmbedReport(done, left, time.monotonic() - began, rested, first)


def _authors_own(vectors: PaperVectors) -> tuple[str, ...]:
    """The categories in which searches have found papers so far, most first."""
    counts = vectors.categories()
    total, own = sum(counts.values()), []
    for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:_MOST_CATEGORIES]:
        own.append(name)
        total -= count
        if total <= (1 - _SHARE) * sum(counts.values()):
            break
    return tuple(own)


def _slices(vectors: PaperVectors, first: Sequence[str], *, only: bool) -> Iterator[list[str]]:
    """Ids without a vector, newest first, in parts: those listed in `first`, then the others unless `only` those."""
    if first:
        yield from vectors.missing_in(tuple(first), SLICE)
    if not only:
        yield from vectors.missing_in((), SLICE)


def _rest(foreground: Foreground, end: float | None) -> float:
    """Wait while somebody else waits; the seconds that took."""
    began = time.monotonic()
    while foreground.waits() and (end is None or time.monotonic() < end):
        time.sleep(0.2)
    return time.monotonic() - began

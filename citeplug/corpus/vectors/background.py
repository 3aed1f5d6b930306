"""Background computation of the vectors of all papers: newest first, the author's categories before the rest."""

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from citeplug.corpus.catalogue import Catalogue
from citeplug.corpus.record_rows import embedded_text
from citeplug.corpus.vectors.paper_vectors import PaperVectors

# Papers sorted by length together, so that little padding is computed; and papers embedded between two checks for
# foreground work: a second or two on two cores.
SLICE = 1024
CHUNK = 64
REST = 1.5  # seconds after the last sign of foreground work
_SIGN = "foreground"  # the file whose modification time is that sign
_OFTEN = 0.3  # seconds between two signs
_SHARE = 2 / 3  # of the papers that have vectors: their categories are the author's
_MOST_CATEGORIES = 8


class Foreground:
    """Sign for all processes that one of them waits for vectors."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / _SIGN
        self._given = 0.0

    def give(self) -> None:
        """Signal foreground work; does nothing if it was signalled a moment ago."""
        now = time.monotonic()
        if now - self._given > _OFTEN:
            self._given = now
            with contextlib.suppress(OSError):
                self._file.touch()

    def waits(self) -> bool:
        """Return True if foreground work was signalled in the last moments."""
        try:
            return abs(time.time() - self._file.stat().st_mtime) < REST
        except OSError:
            return False


@dataclass(frozen=True, slots=True)
class EmbedRequest:
    """Papers to embed: those of `categories` (none: the author's first, then all), at most `most`, for at most
    `seconds`; None: no bound."""

    categories: Sequence[str] = ()
    most: int | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class EmbedReport:
    """Result: `embedded` papers got a vector, `left` of the requested ones have none yet; `seconds` in all, `rested` of
    them waiting for other processes. `first` are the categories that came first."""

    embedded: int
    left: int
    seconds: float
    rested: float
    first: tuple[str, ...]


# Called with (papers done, papers in all).
Tell = Callable[[int, int], None]


def embed_in_background(
    catalogue: Catalogue, vectors: PaperVectors, foreground: Foreground, request: EmbedRequest, tell: Tell | None = None
) -> EmbedReport:
    """Embed papers without a vector. It may be stopped at any moment: vectors are kept, and the next run goes on.

    Other processes come first: this one pauses while another embeds or searches. Raises StoreBroken (full
    disk), ModelUnavailable.
    """
    began = time.monotonic()
    end = None if request.seconds is None else began + request.seconds
    first = tuple(request.categories) or _authors_own(vectors)
    total = vectors.table.count_missing(tuple(request.categories))
    wanted = total if request.most is None else min(total, request.most)
    done, rested = 0, 0.0
    for ids in _slices(vectors, first, only=bool(request.categories)):
        batch = catalogue.papers(ids[: wanted - done]).values()
        papers = sorted(batch, key=lambda paper: len(embedded_text(paper)))
        for start in range(0, len(papers), CHUNK):
            rested += _rest(foreground, end)
            if end is not None and time.monotonic() >= end:
                break
            done += len(vectors.by_paper(papers[start : start + CHUNK], None, must_keep=True))
            if tell is not None:
                tell(done, wanted)
        vectors.sync.hand_over(wait=5.0)
        if done >= wanted or (end is not None and time.monotonic() >= end):
            break
    left = vectors.table.count_missing(tuple(request.categories))
    return EmbedReport(done, left, time.monotonic() - began, rested, first)


def _authors_own(vectors: PaperVectors) -> tuple[str, ...]:
    """Return the categories in which searches have found papers so far, most first."""
    counts = vectors.table.categories()
    total, own = sum(counts.values()), []
    for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:_MOST_CATEGORIES]:
        own.append(name)
        total -= count
        if total <= (1 - _SHARE) * sum(counts.values()):
            break
    return tuple(own)


def _slices(vectors: PaperVectors, first: Sequence[str], *, only: bool) -> Iterator[list[str]]:
    """Yield ids without a vector in parts, newest first: those in categories `first`, then all unless `only` these."""
    if first:
        yield from vectors.table.missing_in(tuple(first), SLICE)
    if not only:
        yield from vectors.table.missing_in((), SLICE)


def _rest(foreground: Foreground, end: float | None) -> float:
    """Pause during foreground work; return the seconds."""
    began = time.monotonic()
    while foreground.waits() and (end is None or time.monotonic() < end):
        time.sleep(0.2)
    return time.monotonic() - began

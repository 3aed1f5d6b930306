"""Addition of snapshot files to the catalogue: unchanged, changed or new, in batches (Citegeist, 3.2.1)."""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from itertools import islice
from pathlib import Path

from citeplug.corpus.catalogue import Catalogue, Changes
from citeplug.corpus.lexical.index import LexicalIndex
from citeplug.records.paper import Paper
from citeplug.sources.snapshot import SnapshotReader

BATCH = 2000  # records in one transaction: at most that many are repeated after a kill
_INDEX_EVERY = (
    10_000  # records between two updates of the lexical index: at most that many are left to a search meanwhile
)

# Called with bytes read so far and bytes in all.
Progress = Callable[[int, int | None], None]


@dataclass(frozen=True, slots=True)
class AddReport(Changes):
    """Result of adding files. `skipped` lines could not be read; `seconds` is wall-clock time."""

    skipped: int = 0
    seconds: float = 0.0
    warnings: tuple[str, ...] = ()


def add_files(
    files: Sequence[Path], complete: bool, catalogue: Catalogue, lexical: LexicalIndex, progress: Progress | None = None
) -> AddReport:
    """Add the files, one batch in one transaction, then update the lexical index.

    Each batch is kept once it is written: a run that was killed is continued by the same command. With
    `complete` the newest v1 date among the records becomes the day up to which the catalogue is complete,
    unless a file was cut short. Raises UnreadableInput before anything is written if a file cannot be opened.
    """
    began = time.monotonic()
    readers = [SnapshotReader(path) for path in files]
    size = sum(reader.size for reader in readers)

    def on_block() -> None:
        if progress is not None:
            progress(sum(reader.consumed for reader in readers), size)

    for reader in readers:
        reader.on_block = on_block
    total, newest, since_index = Changes(), date.min, 0
    # Beside the writing, on a second core: tantivy does most of the work without the GIL. What fails is told below.
    with ThreadPoolExecutor(1, "lexical") as aside:
        indexing: Future[None] | None = None
        for batch in _batches(readers):
            done = catalogue.put(batch)
            total += done
            newest = max(newest, *(paper.published for paper in batch))
            since_index += done.added + done.changed
            if since_index >= _INDEX_EVERY and (indexing is None or indexing.done()):
                indexing = aside.submit(lexical.bring_up_to_date)
                since_index = 0
            on_block()
    lexical.bring_up_to_date()
    warnings = [reader.truncated for reader in readers if reader.truncated is not None]
    if complete and warnings:
        warnings.append("the catalogue was not marked as complete, because a file was truncated")
    elif complete and newest > date.min:
        catalogue.declare_complete(newest, {value for reader in readers for value in reader.unread})
    skipped = sum(reader.skipped for reader in readers)
    return AddReport(total.added, total.changed, total.unchanged, skipped, time.monotonic() - began, tuple(warnings))


def _batches(readers: Sequence[SnapshotReader]) -> Iterator[list[Paper]]:
    papers = (paper for reader in readers for paper in reader)
    while batch := list(islice(papers, BATCH)):
        yield batch

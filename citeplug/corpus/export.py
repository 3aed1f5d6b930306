"""Export of the catalogue as JSON Lines, plain or compressed, which `sources/snapshot.py` reads without loss."""

import gzip
import io
import json
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, cast

from citeplug.corpus.catalogue import Catalogue
from citeplug.errors import CannotWrite, UsageError, WouldOverwrite
from citeplug.records.paper import Filter, Paper
from citeplug.sources.snapshot import record_of

_KINDS = (".jsonl", ".gz", ".zst")
_REPORT_EVERY = 1000


def export_records(
    catalogue: Catalogue,
    path: Path,
    where: Filter | None = None,
    *,
    force: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> int:
    """Write the records that `where` admits to `path`, in the format of its extension. Return their number.

    Added to an empty catalogue they have the same digests. The file appears when it is complete. Raises UsageError
    for another extension than .jsonl, .gz or .zst, WouldOverwrite if the file exists, CannotWrite.
    """
    if path.suffix.lower() not in _KINDS:
        raise UsageError(f"{path} has no known extension", "use .jsonl, .jsonl.gz or .jsonl.zst")
    if path.exists() and not force:
        raise WouldOverwrite(f"{path} exists already", "give another file, or use --force")
    total, written = catalogue.records(), 0
    with _appearing_whole(path) as stream:
        for number, paper in enumerate(catalogue.all_papers(), 1):
            if paper.id.on_arxiv and (where is None or where.admits(paper)):
                stream.write(line_of(paper))
                written += 1
            if progress is not None and number % _REPORT_EVERY == 0:
                progress(number, max(number, total))
    return written


def line_of(paper: Paper) -> bytes:
    """Return a record as a line of the snapshot; reading it gives the same record."""
    return json.dumps(record_of(paper), ensure_ascii=False, separators=(",", ":")).encode("utf-8") + b"\n"


@contextmanager
def _appearing_whole(path: Path) -> Iterator[io.BufferedIOBase]:
    """Open a temporary file that gets its final name at the end; it is deleted on an error."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with ExitStack() as stack:
            yield _compressing(path, stack.enter_context(part.open("wb")), stack)
        part.replace(path)
    except OSError as error:
        raise CannotWrite(
            f"{path} cannot be written: {error.strerror or error}", "check the folder, its permissions and the space"
        ) from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _compressing(path: Path, raw: BinaryIO, stack: ExitStack) -> io.BufferedIOBase:
    kind = path.suffix.lower()
    if kind == ".gz":
        # Without name and time in the gzip header, so that equal catalogues give equal files.
        return stack.enter_context(gzip.GzipFile("", "wb", 6, fileobj=raw, mtime=0))
    if kind == ".zst":
        import zstandard

        writer = zstandard.ZstdCompressor(level=3).stream_writer(raw, closefd=False)
        return cast(io.BufferedIOBase, stack.enter_context(writer))
    return cast(io.BufferedIOBase, raw)

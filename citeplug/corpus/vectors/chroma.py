"""Nearest neighbours by Chroma, on this machine's disk."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from citeplug.corpus.locking import exclusive
from citeplug.corpus.trouble import forbidden, full_disk
from citeplug.corpus.vectors.chroma_rows import (
    ChromaWriter,
    chroma_settings,
    digest_of_model,
    load_aside,
    load_chroma,
    open_collection,
    query,
)
from citeplug.corpus.vectors.store import StoreDamaged
from citeplug.errors import StoreBroken, StoreBusy
from citeplug.protocols import Vectors

_OPEN_WAIT = 5.0  # seconds a reader waits for a writer before it opens


class ChromaStore:
    """Implements `corpus.vectors.store.VectorStore`: one collection per model.

    Two processes that write to one folder at once corrupt it without an error, and an open reader does not
    see what others write. So every write opens the folder, writes and closes it under a file lock, and
    readers open it under the same lock, and anew when the version is another.
    """

    shared = False

    def __init__(self, home: Path, model: str) -> None:
        digest = digest_of_model(model)
        self.name = f"chroma-{digest}"
        self._model = model
        self._folder = home / "corpus" / "chroma" / digest
        self._lock_file = home / "corpus" / "chroma" / f"{digest}.lock"
        self._reader: tuple[str, Any, Any] | None = None

    def prepare(self) -> None:
        load_aside()

    @contextmanager
    def writing(self, wait: float | None = None) -> Iterator[ChromaWriter]:
        self._close_reader()
        with exclusive(self._lock_file, wait):
            client, collection = self._open()
            try:
                yield ChromaWriter(collection, self._telling_damage)
            finally:
                client.close()

    def nearest(self, vector: Vectors, k: int, version: str, rows: int) -> list[tuple[str, str | None, float]]:
        if self._reader is not None and self._reader[0] == version:
            # What another process is writing just now can look like damage: opened anew, nobody writes meanwhile.
            with suppress(StoreDamaged), self._telling_damage():
                return query(self._reader[2], vector, k, with_keys=False)
        self._close_reader()
        with exclusive(self._lock_file, _OPEN_WAIT):
            client, collection = self._open()
            try:
                if (there := ChromaWriter(collection, self._telling_damage).count()) < rows:
                    raise StoreDamaged(f"it has {there} of {rows} rows")
                # The first query loads the index from disk, which is to happen while nobody writes.
                with self._telling_damage():
                    nearest = query(collection, vector, k, with_keys=False)
            except BaseException:
                client.close()
                raise
            # The store that was built in place of a damaged one answers.
            self._delete_aside()
        self._reader = (version, client, collection)
        return nearest

    def clear(self) -> None:
        self._close_reader()
        with exclusive(self._lock_file, None):
            if self._folder.exists():
                # On Windows a reader of another process holds the files open: then they go next time.
                self._delete_aside()
                aside = self._folder.with_name(f"{self._folder.name}.old-{os.getpid()}")
                try:
                    self._folder.replace(aside)
                except OSError as error:
                    raise StoreBusy(
                        f"{self._folder} is damaged and cannot be moved away: another program has it open",
                        "close other programs that use citeplug, then try again",
                    ) from error

    def _delete_aside(self) -> None:
        for old in self._folder.parent.glob(f"{self._folder.name}.old-*"):
            shutil.rmtree(old, ignore_errors=True)

    def close(self) -> None:
        self._close_reader()

    def _close_reader(self) -> None:
        if self._reader is not None:
            self._reader[1].close()
            self._reader = None

    def _open(self) -> tuple[Any, Any]:
        """Client and collection; the collection is made if it is not there."""
        if self._folder.exists() and not os.access(self._folder, os.W_OK):
            # Chroma writes even where it only reads, and would call it damage.
            raise forbidden(self._folder)
        with self._telling_damage():
            self._folder.mkdir(parents=True, exist_ok=True)
            client = load_chroma().PersistentClient(str(self._folder), settings=chroma_settings())
        try:
            with self._telling_damage():
                return client, open_collection(client, self._model)
        except BaseException:
            client.close()
            raise

    @contextmanager
    def _telling_damage(self) -> Iterator[None]:
        """Raise StoreDamaged for what Chroma says of its files, StoreBroken for all else, which proves no damage."""
        try:
            yield
        except (KeyboardInterrupt, SystemExit, GeneratorExit):
            raise
        except BaseException as error:
            if (full := full_disk(self._folder)) is not None:
                raise full from error
            if not _is_of_chroma(error):
                raise StoreBroken(
                    f"the vector store {self._folder} cannot be used ({type(error).__name__}: {error})",
                    "run 'citeplug doctor', and check that chromadb is installed completely",
                ) from error
            raise StoreDamaged(f"{type(error).__name__}: {error}") from error


def _is_of_chroma(error: BaseException) -> bool:
    if not isinstance(error, Exception):
        return True  # a panic of its Rust part
    errors = sys.modules.get("chromadb.errors")
    return errors is not None and isinstance(error, errors.ChromaError)

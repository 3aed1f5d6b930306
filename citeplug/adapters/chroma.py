"""Nearest neighbours by Chroma: on this machine's disk, or on a Chroma server."""

import contextlib
import hashlib
import os
import shutil
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from citeplug.corpus.locking import exclusive
from citeplug.corpus.vectors import StoreDamaged
from citeplug.errors import StoreBroken, StoreBusy, UsageError
from citeplug.ports import Vectors

_AT_ONCE = 1000  # rows in one call; the largest that Chroma takes is 5,461
_OPEN_WAIT = 5.0  # seconds a reader waits for a writer before it opens
# The space cannot be changed later. A search looks at 200 rows or as many as are asked for.
_METADATA = {"hnsw:space": "cosine", "hnsw:construction_ef": 200, "hnsw:search_ef": 200}


class ChromaStore:
    """Implements `corpus.vectors.VectorStore`: one collection per model.

    Two processes that write to one folder at once corrupt it without an error, and an open reader does not
    see what others write. So every write opens the folder, writes and closes it under a file lock, and
    readers open it under the same lock, and anew when told of another version. With `url` a Chroma server is
    used, which takes care of that itself.
    """

    def __init__(self, home: Path, model: str, url: str | None = None) -> None:
        digest = hashlib.sha256(model.encode("utf-8")).hexdigest()[:12]
        self.name = f"chroma-{digest}" if url is None else f"chroma-{digest} at {url}"
        self._collection_name = f"citeplug-{digest}"
        self._model = model
        self._url = url
        self._folder = home / "corpus" / "chroma" / digest
        self._lock_file = home / "corpus" / "chroma" / f"{digest}.lock"
        self._reader: tuple[str, Any, Any] | None = None
        self._prepared = False

    def prepare(self) -> None:
        if not self._prepared:
            self._prepared = True
            threading.Thread(target=_load_chroma, name="chroma").start()

    @contextmanager
    def writing(self, wait: float | None = None) -> Iterator["ChromaWriter"]:
        self._close_reader()
        with self._exclusive(wait):
            client, collection = self._open()
            try:
                yield ChromaWriter(collection)
            finally:
                _close(client)

    def nearest(self, vector: Vectors, k: int, version: str, rows: int) -> list[tuple[str, str, float]]:
        if self._reader is None or self._reader[0] != version:
            self._close_reader()
            with self._exclusive(_OPEN_WAIT):
                client, collection = self._open()
                self._reader = (version, client, collection)
                if (there := ChromaWriter(collection).count()) < rows:
                    raise StoreDamaged(f"it has {there} of {rows} rows")
                # The first query loads the index from disk, which is to happen while nobody writes.
                return _query(collection, vector, k)
        return _query(self._reader[2], vector, k)

    def clear(self) -> None:
        self._close_reader()
        with self._exclusive(None):
            if self._url is not None:
                client, _ = self._open()
                with _telling_damage():
                    client.delete_collection(self._collection_name)
                _close(client)
            elif self._folder.exists():
                # On Windows a reader of another process holds the files open: then they go next time.
                aside = self._folder.with_name(f"{self._folder.name}.old-{os.getpid()}")
                try:
                    self._folder.replace(aside)
                except OSError as error:
                    raise StoreBusy(
                        f"{self._folder} is damaged and cannot be moved away: another program has it open",
                        "close other programs that use citeplug, then try again",
                    ) from error
                for old in self._folder.parent.glob(f"{self._folder.name}.old-*"):
                    shutil.rmtree(old, ignore_errors=True)

    def close(self) -> None:
        self._close_reader()

    def _close_reader(self) -> None:
        if self._reader is not None:
            _close(self._reader[1])
            self._reader = None

    @contextmanager
    def _exclusive(self, wait: float | None) -> Iterator[None]:
        if self._url is not None:
            yield
        else:
            with exclusive(self._lock_file, wait):
                yield

    def _open(self) -> tuple[Any, Any]:
        """Client and collection; the collection is made if it is not there."""
        with _telling_damage():
            chromadb = _chroma()
            from chromadb.config import Settings

            quiet = Settings(anonymized_telemetry=False)
        if self._url is not None:
            client = _connect(self._url, quiet)
        else:
            with _telling_damage():
                self._folder.mkdir(parents=True, exist_ok=True)
                client = chromadb.PersistentClient(str(self._folder), settings=quiet)
        try:
            with _telling_damage():
                metadata = {**_METADATA, "model": self._model}
                # Without this None, Chroma would try to download a model.
                return client, client.get_or_create_collection(
                    self._collection_name, metadata=metadata, embedding_function=None
                )
        except BaseException:
            _close(client)
            raise


class ChromaWriter:
    """Implements `corpus.vectors.StoreWriter` over an open collection."""

    def __init__(self, collection: Any) -> None:
        self._collection = collection

    def put(self, ids: Sequence[str], keys: Sequence[str], vectors: Vectors) -> None:
        for start in range(0, len(ids), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            self._put(list(ids[part]), list(keys[part]), vectors[part])

    def _put(self, ids: list[str], keys: list[str], vectors: Vectors) -> None:
        with _telling_damage():
            there = self._collection.get(ids=ids, include=["metadatas"])
            have = {
                value: (meta or {}).get("text") for value, meta in zip(there["ids"], there["metadatas"], strict=True)
            }
            # `add` ignores ids that are there, and `upsert` is slower than deleting first.
            if stale := [value for value, key in zip(ids, keys, strict=True) if have.get(value, key) != key]:
                self._collection.delete(ids=stale)
            new = [row for row, (value, key) in enumerate(zip(ids, keys, strict=True)) if have.get(value) != key]
            if new:
                self._collection.add(
                    ids=[ids[row] for row in new],
                    embeddings=np.ascontiguousarray(vectors[new]),
                    metadatas=[{"text": keys[row]} for row in new],
                )

    def count(self) -> int:
        with _telling_damage():
            return int(self._collection.count())

    def rows(self) -> Iterator[list[tuple[str, str]]]:
        start = 0
        while True:
            with _telling_damage():
                part = self._collection.get(limit=_AT_ONCE, offset=start, include=["metadatas"])
            if not part["ids"]:
                return
            start += len(part["ids"])
            yield [
                (value, str((meta or {}).get("text", "")))
                for value, meta in zip(part["ids"], part["metadatas"], strict=True)
            ]

    def remove(self, ids: Sequence[str]) -> None:
        for start in range(0, len(ids), _AT_ONCE):
            with _telling_damage():
                self._collection.delete(ids=list(ids[start : start + _AT_ONCE]))


def _chroma() -> Any:
    # Read when chromadb is imported: nothing is reported to anybody.
    os.environ["ANONYMIZED_TELEMETRY"] = "False"
    import chromadb

    return chromadb


def _load_chroma() -> None:
    # A failure comes again, and is told, when the store is used.
    with contextlib.suppress(Exception):
        _chroma()


def _query(collection: Any, vector: Vectors, k: int) -> list[tuple[str, str, float]]:
    with _telling_damage():
        found = collection.query(query_embeddings=vector[None, :], n_results=k, include=["metadatas", "distances"])
        rows = zip(found["ids"][0], found["metadatas"][0], found["distances"][0], strict=True)
        return [(value, str((meta or {}).get("text", "")), 1.0 - float(distance)) for value, meta, distance in rows]


def _connect(url: str, settings: Any) -> Any:
    chromadb = _chroma()
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError("CITEPLUG_CHROMA_URL is not an http(s) URL", "give one like http://localhost:8000")
    tls = parts.scheme == "https"
    try:
        return chromadb.HttpClient(
            host=parts.hostname, port=parts.port or (443 if tls else 8000), ssl=tls, settings=settings
        )
    except Exception as error:  # Chroma raises ValueError, and what its HTTP library raises
        raise StoreBroken(
            f"the Chroma server at {url} cannot be reached", "start it, or unset CITEPLUG_CHROMA_URL"
        ) from error


def _close(client: Any) -> None:
    client.close()
    # Chroma's clients for a server leave their connections open.
    for part in (client, getattr(client, "_admin_client", None)):
        session = getattr(getattr(part, "_server", None), "_session", None)
        if session is not None:
            session.close()


@contextmanager
def _telling_damage() -> Iterator[None]:
    """Raise StoreDamaged for whatever Chroma raises; a panic of its Rust part is no Exception."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:
        raise StoreDamaged(f"{type(error).__name__}: {error}") from error

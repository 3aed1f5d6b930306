"""Nearest neighbours by a Chroma server, which several people may share."""

import contextlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

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
from citeplug.errors import StoreAway, UsageError
from citeplug.protocols import Vectors
from citeplug.settings.hosts import on_loopback

_EXAMPLE = "give one like http://localhost:8000"


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """Address of a server and its credentials; None: Chroma's own default."""

    url: str
    token: str | None = None
    tenant: str | None = None
    database: str | None = None


class ChromaServerStore:
    """Implements `corpus.vectors.store.VectorStore` over a server's collection of the model.

    Others may write to the same collection, from catalogues of their own: rows are added and renewed, never taken away
    because this catalogue lacks them. A server that cannot be reached raises StoreAway, whatever the reason; a
    collection that the server has lost is made again, and StoreDamaged tells that it has to be filled.
    """

    shared = True

    def __init__(self, address: ServerAddress, model: str) -> None:
        place = "/".join(name for name in (address.tenant, address.database) if name)
        self.name = f"chroma-{digest_of_model(model)} at {address.url}" + (f" {place}" if place else "")
        self._address = address
        self._model = model
        self._open: tuple[Any, Any] | None = None

    def prepare(self) -> None:
        load_aside()

    @contextmanager
    def writing(self, wait: float | None = None) -> Iterator[ChromaWriter]:
        with self._telling():
            collection = self._collection()
        yield ChromaWriter(collection, self._telling)

    def nearest(self, vector: Vectors, k: int, version: str, rows: int) -> list[tuple[str, str | None, float]]:
        try:
            with self._telling():
                return query(self._collection(), vector, k)
        except StoreAway:
            # A server that was started anew has closed the connections of the old one.
            with self._telling():
                return query(self._collection(), vector, k)

    def clear(self) -> None:
        """Only look at the collection anew: what is in it may be others' too."""
        self.close()

    def close(self) -> None:
        if self._open is not None:
            client, self._open = self._open[0], None
            with contextlib.suppress(Exception):
                client.close()
            # Chroma's clients leave their connections open.
            for part in (client, getattr(client, "_admin_client", None)):
                session = getattr(getattr(part, "_server", None), "_session", None)
                if session is not None:
                    session.close()

    def _collection(self) -> Any:
        if self._open is None:
            client = self._connect()
            self._open = client, open_collection(client, self._model)
        return self._open[1]

    def _connect(self) -> Any:
        parts = _checked(self._address)
        tls = parts.scheme == "https"
        token = self._address.token
        parameters = {"tenant": self._address.tenant, "database": self._address.database}
        return load_chroma().HttpClient(
            host=parts.hostname,
            port=parts.port or (443 if tls else 8000),
            ssl=tls,
            # The first is Chroma Cloud's own, the second what a proxy in front of a server asks for.
            headers={"x-chroma-token": token, "Authorization": f"Bearer {token}"} if token else None,
            settings=chroma_settings(),
            **{name: value for name, value in parameters.items() if value},
        )

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """Raise StoreDamaged for a collection that is gone, StoreAway for all else; the next use connects anew."""
        try:
            yield
        except (KeyboardInterrupt, SystemExit, GeneratorExit, UsageError, StoreAway):
            raise
        except BaseException as error:
            self.close()
            if type(error).__name__ == "NotFoundError":
                raise StoreDamaged("the server has lost the collection") from error
            raise StoreAway(
                f"the Chroma server at {self._address.url} cannot be used ({_reason(error)})",
                "start it, correct CITEPLUG_CHROMA_URL and its token, or unset it",
            ) from error


def _checked(address: ServerAddress) -> Any:
    try:
        parts = urlsplit(address.url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise UsageError("CITEPLUG_CHROMA_URL is not an http(s) URL", _EXAMPLE)
    if parts.username or parts.password:
        raise UsageError("CITEPLUG_CHROMA_URL has a name or a password in it", "give a token in CITEPLUG_CHROMA_TOKEN")
    if address.token and parts.scheme != "https" and not on_loopback(address.url):
        raise UsageError("CITEPLUG_CHROMA_TOKEN would be sent in the clear", "use https, or a server on this machine")
    return parts


def _reason(error: BaseException) -> str:
    """An error of Chroma or its HTTP library, in one short line."""
    reason = " ".join(str(error).split())[:120]
    return f"{type(error).__name__}: {reason}" if reason else type(error).__name__

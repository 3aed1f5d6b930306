"""Comparison of a vector store with the catalogue that it is derived from."""

import secrets
from collections.abc import Iterator

import numpy as np

from citeplug.corpus.catalogue import Catalogue, Derived
from citeplug.corpus.database import Database
from citeplug.corpus.vectors.store import StoreDamaged, StoreWriter, VectorStore
from citeplug.corpus.vectors.table import VectorTable, is_own

_AT_ONCE = 1000  # rows of one write


def check_store(database: Database, model: str, store: VectorStore, repair: bool) -> list[tuple[str, int, str]]:
    """Return (kind, count, message) of the problems of the model's store; with `repair` they are repaired.

    Raises StoreBusy if the store is being written.
    """
    # Read first, so that vectors that another process adds meanwhile are not reported as missing.
    generation = database.generation
    try:
        with store.writing() as writer:
            found, surplus, lacking = _compare(database, model, writer, shared=store.shared)
            if store.shared:
                # Rows of other users, whose catalogues may be newer.
                found, surplus = [each for each in found if each[0] == "missing"], []
            if repair and (surplus or lacking):
                writer.remove(surplus)
                _write(database, model, writer, lacking)
                _note(database, store, generation, writer.count())
            return found
    except StoreDamaged as error:
        if repair:
            store.clear()
            with store.writing() as writer:
                every = _expected(database, model)
                _write(database, model, writer, {v: key for v, key in every if not (store.shared and is_own(v))})
                _note(database, store, generation, writer.count())
        return [("damaged", 1, f"the vector store cannot be read ({error})"[:200])]


def _compare(
    database: Database, model: str, writer: StoreWriter, *, shared: bool
) -> tuple[list[tuple[str, int, str]], list[str], dict[str, bytes]]:
    """Return the problems, the rows to delete, and those to write: ids with the digests of their texts."""
    # Works of the author's library are never written to a shared store.
    lacking = {value: key for value, key in _expected(database, model) if not (shared and is_own(value))}
    surplus: list[str] = []
    stale = 0
    for rows in writer.rows():
        for value, key in rows:
            wanted = lacking.get(value)
            if wanted is not None and wanted.hex() == key:
                del lacking[value]
            else:
                surplus.append(value)
                stale += wanted is not None
    found = [
        ("stale", stale, "rows of the vector store that were made from an older text"),
        ("extra", len(surplus) - stale, "rows of the vector store without a record or a vector"),
        ("missing", len(lacking) - stale, "vectors that were missing from the vector store"),
    ]
    return [each for each in found if each[1]], surplus, lacking


def _expected(database: Database, model: str) -> Iterator[tuple[str, bytes]]:
    query = (
        "SELECT p.id, p.text FROM vectors v JOIN models m ON m.number = v.model"
        " JOIN papers p ON p.text = v.text WHERE m.name = ?"
    )
    with database.reading() as db:
        yield from db.execute(query, (model,)).fetchall()


def _write(database: Database, model: str, writer: StoreWriter, rows: dict[str, bytes]) -> None:
    table = VectorTable(database, model)
    ids = list(rows)
    for start in range(0, len(ids), _AT_ONCE):
        part = table.by_id(ids[start : start + _AT_ONCE])
        if part:
            writer.put(list(part), [rows[value].hex() for value in part], np.stack(list(part.values())))


def _note(database: Database, store: VectorStore, generation: int, rows: int) -> None:
    Catalogue(database).set_derived(store.name, Derived(secrets.token_hex(4), generation, rows))

"""Deletion of what the corpus does not need, with its size in bytes."""

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from citeplug.corpus.catalogue import Catalogue
from citeplug.corpus.database import Database
from citeplug.corpus.lexical.index import NAME, LexicalIndex
from citeplug.corpus.vectors.store import VectorStore
from citeplug.corpus.verify import check_store
from citeplug.errors import UsageError
from citeplug.records.paper import ArxivId, Filter

PrunedPart = Literal[
    "records",
    "vectors",
    "model",
    "folders",
    "replies",
    "texts",
    "passages",
    "documents",
    "zips",
    "prepared",
    "questions",
]
_ROW = 60  # bytes of a row of vectors beside the vector itself, with its indexes, about


@dataclass(frozen=True, slots=True)
class Pruned:
    """A kind of deleted things, or of those to delete: their `count` and about their `bytes`."""

    part: PrunedPart
    count: int
    bytes: int
    message: str


@dataclass(frozen=True, slots=True)
class PruneRequest:
    """Deletions beside leftovers: the vectors of `models`, and the records that `records` admits, if given."""

    models: Sequence[str] = ()
    records: Filter | None = None


def prune(
    database: Database,
    folder: Path,
    lexical: LexicalIndex,
    stores: Callable[[str], VectorStore],
    request: PruneRequest,
    *,
    dry_run: bool,
) -> list[Pruned]:
    """Delete vectors of texts that no paper has, old folders, and what is requested; `dry_run` only counts.

    `stores` opens the store of the model of that name. Raises UsageError for a model that was never used.
    """
    catalogue = Catalogue(database)
    unknown = [name for name in request.models if name not in catalogue.models()]
    if unknown:
        raise UsageError(
            f"no vector was computed with {unknown[0]}", f"known models: {', '.join(catalogue.models()) or 'none'}"
        )
    done: list[Pruned] = []
    if request.records is not None:
        done += _records(database, catalogue, request.records, dry_run)
    for name in request.models:
        done += _model(database, name, stores, dry_run)
    done += _orphans(database, request.models if dry_run else (), dry_run)
    if not dry_run and any(removal.part == "records" for removal in done):
        lexical.bring_up_to_date()
        for model in catalogue.models():
            list(check_store(database, model, stores(model), repair=True))
    done += _folders(catalogue, folder, dry_run)
    if not dry_run and done:
        database.shrink()
    return done


def _records(database: Database, catalogue: Catalogue, where: Filter, dry_run: bool) -> Iterator[Pruned]:
    # Works of the author's library are only removed by 'citeplug library remove'.
    ids = [value for value, _ in catalogue.all_admitted(where) if ArxivId(value).on_arxiv]
    if not ids:
        return
    size = database.path.stat().st_size // max(1, catalogue.records()) * len(ids)
    if not dry_run:
        with database.writing() as (db, _):
            db.executemany("DELETE FROM papers WHERE id = ?", ((value,) for value in ids))
            # The absence of a record proves nothing any more, and the lexical index has to be rebuilt.
            db.execute("DELETE FROM state WHERE name = 'complete_to'")
            db.execute("DELETE FROM derived WHERE name = ?", (NAME,))
    yield Pruned("records", len(ids), size, "requested records")


def _model(database: Database, name: str, stores: Callable[[str], VectorStore], dry_run: bool) -> Iterator[Pruned]:
    query = "SELECT count(*), coalesce(sum(length(vector)), 0) FROM vectors v JOIN models m ON m.number = v.model"
    with database.reading() as db:
        count, size = db.execute(f"{query} WHERE m.name = ?", (name,)).fetchone()
    if not dry_run:
        store = stores(name)
        try:
            store.clear()
        finally:
            store.close()
        with database.writing() as (db, _):
            number = db.execute("SELECT number FROM models WHERE name = ?", (name,)).fetchone()[0]
            db.execute("DELETE FROM derived WHERE name = ?", (store.name,))
            db.execute("DELETE FROM vectors WHERE model = ?", (number,))
            db.execute("DELETE FROM models WHERE number = ?", (number,))
    yield Pruned("model", count, size + _ROW * count, f"vectors of the model {name}")


def _orphans(database: Database, already: Sequence[str], dry_run: bool) -> Iterator[Pruned]:
    named = f"SELECT number FROM models WHERE name IN ({','.join('?' * len(already))})"
    which = f"text NOT IN (SELECT text FROM papers) AND model NOT IN ({named})"
    count, size = database.remove_vectors(which, already, dry_run=dry_run)
    if count:
        yield Pruned("vectors", count, size + _ROW * count, "vectors of texts that no paper here has")


def _folders(catalogue: Catalogue, folder: Path, dry_run: bool) -> Iterator[Pruned]:
    """Yield old builds of the lexical index, and discarded vector stores."""
    state = catalogue.derived(NAME)
    old = [path for path in _folders_in(folder / "lexical") if state is not None and path.name != state.build]
    old += [path for path in _folders_in(folder / "chroma") if ".old-" in path.name]
    size = sum(folder_size(path) for path in old)
    if old:
        if not dry_run:
            for path in old:
                # Windows cannot delete files that another process has open; the next run does.
                shutil.rmtree(path, ignore_errors=True)
        yield Pruned("folders", len(old), size, "old folders of indexes")


def _folders_in(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.is_dir()] if folder.is_dir() else []


def folder_size(folder: Path) -> int:
    """Bytes of all files in a folder; one that another process takes away meanwhile does not count."""
    total = 0
    for file in folder.rglob("*"):
        with suppress(OSError):
            total += file.stat().st_size if file.is_file() else 0
    return total

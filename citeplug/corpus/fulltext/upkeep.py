"""Upkeep of the full texts: what there is, and what of it is not needed."""

from collections.abc import Container, Sequence
from dataclasses import dataclass

from citeplug.corpus.database import select
from citeplug.corpus.fulltext.store import TextStore

_ORPHANS = "text NOT IN (SELECT key FROM passages)"


@dataclass(frozen=True, slots=True)
class TextFacts:
    """What is kept: `papers` with a text, `texts` of all their versions and sources, `own` of these from the author's
    files, `passages` of the newest, `vectors` of all models, and of these `orphaned`, whose passage is gone."""

    papers: int
    texts: int
    own: int
    passages: int
    vectors: int
    orphaned: int
    size_bytes: int


def facts_of(store: TextStore) -> TextFacts:
    with store.database.reading() as db:
        papers, texts, own = db.execute(
            "SELECT count(DISTINCT paper), count(*), coalesce(sum(source = 'own'), 0) FROM texts"
        ).fetchone()
    passages, vectors, orphaned = (
        store.database.number(f"SELECT count(*) FROM {which}")
        for which in ("passages", "vectors", f"vectors WHERE {_ORPHANS}")
    )
    return TextFacts(papers, texts, own, passages, vectors, orphaned, _size(store))


def remove_texts(store: TextStore, papers: Sequence[str], *, dry_run: bool) -> tuple[int, int]:
    """Delete the texts of these papers that came from arXiv, with their passages; return how many, and their bytes.

    What was read from a file of the author's stays: the file may be gone.
    """
    query = "SELECT number, length(body) + length(printed) FROM texts WHERE source != 'own' AND paper IN"
    with store.database.reading() as db:
        rows = list(select(db, query, list(papers)))
        originals = list(select(db, "SELECT length(content) FROM originals WHERE paper IN", list(papers)))
    size = sum(row[1] for row in rows) + sum(row[0] for row in originals)
    if rows and not dry_run:
        store.remove([row[0] for row in rows])
    return len(rows), size


def remove_others(store: TextStore, digests: Container[str], *, dry_run: bool) -> tuple[int, int]:
    """Delete the texts whose SHA-256 is not one of `digests`, with their passages; return how many, and their bytes."""
    with store.database.reading() as db:
        rows = db.execute("SELECT number, digest, length(body) + length(printed) FROM texts").fetchall()
    others = [(number, size) for number, digest, size in rows if digest.hex() not in digests]
    if others and not dry_run:
        store.remove([number for number, _ in others])
    return len(others), sum(size for _, size in others)


def remove_vectors(store: TextStore, models: Sequence[str], *, dry_run: bool) -> tuple[int, int]:
    """Delete vectors whose passage is gone, and all of these models; return how many, and their bytes."""
    named = f"model IN (SELECT number FROM models WHERE name IN ({','.join('?' * len(models))}))"
    return store.database.remove_vectors(f"{_ORPHANS} OR {named}", models, dry_run=dry_run)


def _size(store: TextStore) -> int:
    path = store.database.path
    return sum(file.stat().st_size for file in path.parent.glob(f"{path.name}*"))

"""Upkeep of what was prepared: what of it is damaged, and what is not needed."""

import sqlite3
from collections.abc import Iterator, Sequence

from citeplug.corpus.prune import Pruned
from citeplug.corpus.vectors.table import check_vectors
from citeplug.corpus.verify import Problem
from citeplug.prepare.store import ORPHANS, PreparedStore, question_key


def check_prepared(store: PreparedStore, *, repair: bool) -> Iterator[Problem]:
    """Check that each row can be read, each question has its key, and each vector is one.

    With `repair`, what was made of a paper with a row that is wrong is deleted, so that it is prepared anew; vectors
    are computed again when they are needed.
    """
    damage = store.database.damage()
    if damage:
        message = f"the file {store.database.path} is damaged ({damage[:200]}): move it away, and prepare again"
        yield Problem("prepared", "damaged", 1, message, False)
        return
    wrong = [paper for paper in store.papers() if not _is_sound(store, paper)]
    if wrong:
        if repair:
            store.remove(wrong)
        yield Problem("prepared", "unreadable", len(wrong), "papers whose prepared rows cannot be read", repair)
    lost = store.unreadable_summaries()
    if lost:
        if repair:
            store.remove_summaries(lost)
        yield Problem("prepared", "unreadable", len(lost), "summaries that cannot be read", repair)
    if bad := check_vectors(store.database, repair=repair):
        yield Problem("prepared", "unusable", bad, "invalid vectors of questions", repair)


def prune_prepared(
    store: PreparedStore, gone: Sequence[str], models: Sequence[str], *, dry_run: bool
) -> Iterator[Pruned]:
    """Delete what was made of the papers that are `gone`, summaries that rest on no other ones, then vectors of no question,
    and those of these `models`.
    """
    here = [paper for paper in store.papers() if paper in set(gone)]
    if here:
        size = sum(len(f"{pair.question}{pair.answer}{pair.quote}") for each in store.read(here) for pair in each.pairs)
        if not dry_run:
            left = set(store.papers()) - set(here)
            store.remove_summaries(
                each.name
                for each in store.summaries()
                if not any(source.paper in left for sentence in each.sentences for source in sentence.sources)
            )
            store.remove(here)
        yield Pruned("prepared", len(here), size, "prepared papers that are no longer on this machine")
    named = f"SELECT number FROM models WHERE name IN ({','.join('?' * len(models))})"
    which = f"FROM vectors WHERE number IN (SELECT number {ORPHANS}) OR model IN ({named})"
    with store.database.reading() as db:
        count, size = db.execute(f"SELECT count(*), coalesce(sum(length(vector)), 0) {which}", models).fetchone()
    if count:
        if not dry_run:
            with store.database.writing() as (db, _):
                db.execute(f"DELETE {which}", models)
        yield Pruned("questions", count, size, "vectors of questions that are gone, or of a named model")
    if (here or count) and not dry_run:
        store.database.shrink()


def _is_sound(store: PreparedStore, paper: str) -> bool:
    query = "SELECT q.key, q.question FROM questions q JOIN prepared p ON p.number = q.prepared WHERE p.paper = ?"
    try:
        store.read([paper])
        with store.database.reading() as db:
            return all(key == question_key(question) for key, question in db.execute(query, (paper,)))
    except (ValueError, TypeError, KeyError, AttributeError, sqlite3.InterfaceError):
        return False

"""Upkeep of the full texts on this machine, beside that of the catalogue; none is made where there are no texts."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict
from typing import Any

from citeplug.ask.conversations import texts_asked
from citeplug.corpus.fulltext.documents import documents_store
from citeplug.corpus.fulltext.store import TextStore
from citeplug.corpus.fulltext.upkeep import facts_of, remove_others, remove_texts, remove_vectors
from citeplug.corpus.index import Corpus
from citeplug.corpus.locking import one_job
from citeplug.corpus.prune import Pruned, PruneRequest
from citeplug.corpus.verify import Problem
from citeplug.errors import StoreBroken
from citeplug.settings.environment import Settings


def about_texts(settings: Settings) -> dict[str, Any]:
    """The facts on full texts for `citeplug index info`; if they cannot be read, why."""
    try:
        with _opened(settings) as store:
            return {"texts": None if store is None else asdict(facts_of(store)), "texts_damage": None}
    except StoreBroken as error:
        return {"texts": None, "texts_damage": str(error)}


def verify_texts(settings: Settings) -> Iterator[Problem]:
    """Check the file of the full texts."""
    damage = message = ""
    try:
        with _opened(settings) as store:
            if store is not None and (damage := store.database.damage()):
                message = f"the file {store.database.path} is damaged ({damage[:200]}): move it away, and fetch again"
    except StoreBroken as error:
        damage, message = str(error), f"the full texts cannot be read: {error}"
    if damage:
        yield Problem("texts", "damaged", 1, message, False)


def texts_of_records(settings: Settings, corpus: Corpus, request: PruneRequest) -> list[str]:
    """The papers with a text whose records are to be deleted."""
    if request.records is None:
        return []
    with _opened(settings) as store:
        records = corpus.papers(store.papers()) if store is not None else {}
    return [value for value, paper in records.items() if paper.id.on_arxiv and request.records.admits(paper)]


def prune_texts(settings: Settings, papers: Sequence[str], models: Sequence[str], *, dry_run: bool) -> list[Pruned]:
    """Delete the texts of these papers that came from arXiv, and vectors that are not needed or of these models."""
    done: list[Pruned] = []
    with _opened(settings) as store:
        if store is None:
            return []
        with one_job(settings.home / "fulltext", "pruning", "fetch.lock", "fetching texts"):
            count, size = remove_texts(store, papers, dry_run=dry_run)
            if count:
                done.append(Pruned("texts", count, size, "full texts from arXiv of requested records"))
            count, size = remove_vectors(store, models, dry_run=dry_run)
            if count:
                done.append(Pruned("passages", count, size, "vectors of passages that are gone, or of a named model"))
            if done and not dry_run:
                store.database.shrink()
    return done


def prune_documents(settings: Settings, *, dry_run: bool) -> list[Pruned]:
    """Delete the texts of files that were asked, save those that a kept conversation asked.

    Raises UnreadableInput for a conversation that cannot be read.
    """
    if not (settings.home / "documents" / "fulltext" / "texts.sqlite3").is_file():
        return []
    with closing(documents_store(settings.home)) as store:
        count, size = remove_others(store, texts_asked(settings.home), dry_run=dry_run)
        if count and not dry_run:
            remove_vectors(store, (), dry_run=False)
            store.database.shrink()
    message = "texts of files that were asked, which no conversation uses"
    return [Pruned("documents", count, size, message)] if count else []


@contextmanager
def _opened(settings: Settings) -> Iterator[TextStore | None]:
    """The store of the texts; None where there is none. Raises StoreBroken."""
    if not (settings.home / "fulltext" / "texts.sqlite3").is_file():
        yield None
        return
    with closing(TextStore(settings.home)) as store:
        yield store

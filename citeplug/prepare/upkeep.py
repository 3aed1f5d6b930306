"""Upkeep of what was prepared: how much there is, whether its file is sound, and what of it is not needed.

Rows are not checked one by one: SQLite's own check finds damage to the file, and all of it can be prepared again.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any

from citeplug.corpus.fulltext.store import TextStore
from citeplug.corpus.index import Corpus
from citeplug.corpus.locking import one_job
from citeplug.corpus.prune import Pruned, PruneRequest
from citeplug.corpus.verify import Problem
from citeplug.errors import StoreBroken
from citeplug.prepare.store import ORPHANS, PreparedStore, open_prepared, place
from citeplug.settings.environment import Settings


def about_prepared(settings: Settings) -> dict[str, Any]:
    """The facts on prepared papers for `citeplug index info`; None where there are none or they cannot be read."""
    try:
        with open_prepared(settings.corpus_home) as store:
            return {"prepared": None if store is None else store.facts()}
    except StoreBroken:
        return {"prepared": None}


def verify_prepared(settings: Settings) -> Iterator[Problem]:
    """Check the file of what was prepared."""
    try:
        with open_prepared(settings.corpus_home) as store:
            damage = "" if store is None else store.database.damage()
        message = f"the file {place(settings.corpus_home)} is damaged ({damage[:200]}): move it away, and prepare again"
    except StoreBroken as error:
        damage, message = str(error), f"the prepared papers cannot be read: {error}"
    if damage:
        yield Problem("prepared", "damaged", 1, message, False)


def prepared_without_paper(settings: Settings, corpus: Corpus, request: PruneRequest) -> list[str]:
    """The prepared papers of which neither record nor text is on this machine, or whose records are to be deleted."""
    with open_prepared(settings.corpus_home) as store:
        papers = store.papers() if store is not None else []
    if not papers:
        return []
    with closing(TextStore(settings.home)) as texts:
        with_text = set(texts.papers())
    records = corpus.papers(papers)
    going = {
        value
        for value, paper in records.items()
        if request.records is not None and paper.id.on_arxiv and request.records.admits(paper)
    }
    return [value for value in papers if value in going or (value not in records and value not in with_text)]


def prune_prepared(
    settings: Settings, papers: Sequence[str], models: Sequence[str], *, dry_run: bool
) -> Iterator[Pruned]:
    """Delete what was made of these papers, then vectors of no question, and those of these `models`."""
    with open_prepared(settings.corpus_home) as store:
        if store is None:
            return
        with one_job(settings.corpus_home / "prepared", "pruning", "prepare.lock", "preparing papers"):
            pruned = [*_prune_papers(store, papers, dry_run), *_prune_vectors(store, models, dry_run)]
            if pruned and not dry_run:
                store.database.shrink()
    yield from pruned


def _prune_papers(store: PreparedStore, papers: Sequence[str], dry_run: bool) -> Iterator[Pruned]:
    if not papers:
        return
    pairs = [pair for prepared in store.read(papers) for pair in prepared.pairs]
    if not dry_run:
        store.remove(papers)
    size = sum(len(f"{pair.question}{pair.answer}{pair.quote}") for pair in pairs)
    yield Pruned("prepared", len(papers), size, "prepared papers that are no longer on this machine")


def _prune_vectors(store: PreparedStore, models: Sequence[str], dry_run: bool) -> Iterator[Pruned]:
    named = f"SELECT number FROM models WHERE name IN ({','.join('?' * len(models))})"
    which = f"number IN (SELECT number {ORPHANS}) OR model IN ({named})"
    count, size = store.database.remove_vectors(which, models, dry_run=dry_run)
    if count:
        yield Pruned("questions", count, size, "vectors of questions that are gone, or of a named model")

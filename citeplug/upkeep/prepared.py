"""Upkeep of what was prepared, beside that of the catalogue; nothing is made where nothing was prepared."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict
from typing import Any

from citeplug.corpus.fulltext.store import TextStore
from citeplug.corpus.index import Corpus
from citeplug.corpus.locking import one_job
from citeplug.corpus.prune import Pruned, PruneRequest
from citeplug.corpus.verify import Problem
from citeplug.errors import StoreBroken
from citeplug.prepare.store import PreparedStore, place
from citeplug.prepare.upkeep import check_prepared, prune_prepared
from citeplug.settings.environment import Settings


def about_prepared(chosen: Settings) -> dict[str, Any]:
    """The facts on prepared papers for `citeplug index info`; None where there are none or they cannot be read."""
    try:
        with _opened(chosen) as store:
            return {"prepared": None if store is None else asdict(store.facts())}
    except StoreBroken:
        return {"prepared": None}


def verify_prepared(chosen: Settings, *, repair: bool) -> list[Problem]:
    """Check what was prepared; a file that cannot be opened is a problem that is left."""
    try:
        with _opened(chosen) as store:
            if store is None:
                return []
            if not repair:
                return list(check_prepared(store, repair=False))
            with one_job(chosen.home / "prepared", "the check", "prepare.lock", "preparing papers"):
                return list(check_prepared(store, repair=True))
    except StoreBroken as error:
        return [Problem("prepared", "damaged", 1, f"the prepared papers cannot be read: {error}", False)]


def prepared_without_paper(chosen: Settings, corpus: Corpus, request: PruneRequest) -> list[str]:
    """The prepared papers of which neither record nor text is on this machine, or whose records are to be deleted."""
    with _opened(chosen) as store:
        papers = store.papers() if store is not None else []
    if not papers:
        return []
    with closing(TextStore(chosen.home)) as texts:
        kept = set(texts.papers())
    records = corpus.papers(papers)
    going = {
        value
        for value, paper in records.items()
        if request.records is not None and paper.id.on_arxiv and request.records.admits(paper)
    }
    return [value for value in papers if value in going or (value not in records and value not in kept)]


def prune_prepared_papers(
    chosen: Settings, gone: Sequence[str], models: Sequence[str], *, dry_run: bool
) -> list[Pruned]:
    """Delete what was made of the papers that are `gone`, and vectors that are not needed or of these models."""
    with _opened(chosen) as store:
        if store is None:
            return []
        with one_job(chosen.home / "prepared", "pruning", "prepare.lock", "preparing papers"):
            return list(prune_prepared(store, gone, models, dry_run=dry_run))


@contextmanager
def _opened(chosen: Settings) -> Iterator[PreparedStore | None]:
    """What was prepared; None where nothing was. Raises StoreBroken."""
    if not place(chosen.home).is_file():
        yield None
        return
    with closing(PreparedStore(chosen.home)) as store:
        yield store

"""Keeping the user's catalogue: updates from arXiv, and room."""

from collections.abc import Callable, Sequence
from datetime import date

from citeplug.adapters.embedders import open_embedder
from citeplug.adapters.json_cache import JsonCache
from citeplug.adapters.oai import OaiSource
from citeplug.build.stores import open_corpus
from citeplug.corpus.harvest import HarvestProgress, UpdateReport
from citeplug.corpus.prune import Pruned, PruneWish
from citeplug.errors import SourceUnavailable, UsageError
from citeplug.settings import Settings


def update(
    chosen: Settings, sets: Sequence[str], since: date | None, report: Callable[[HarvestProgress], None]
) -> UpdateReport:
    """Take in what changed at arXiv; `harvest.update_catalogue` says how. Raises SourceUnavailable offline."""
    if chosen.offline:
        raise SourceUnavailable(
            "the catalogue cannot be updated: citeplug is offline",
            "run without --offline, and unset CITEPLUG_OFFLINE; 'citeplug index add FILE' needs no network",
        )
    with open_corpus(chosen) as corpus:
        return corpus.update(OaiSource(chosen), sets=tuple(dict.fromkeys(sets)), since=since, progress=report)


def prune(chosen: Settings, wish: PruneWish, most_replies: int, *, dry_run: bool) -> list[Pruned]:
    """Take away what nobody needs, with the oldest replies of paper services above `most_replies` bytes.

    Answers of language models stay. Raises UsageError for the model that is in use.
    """
    used = open_embedder(chosen.embedder, chosen.home).name
    if used in wish.models:
        raise UsageError(f"{used} is the model in use", "name another one with CITEPLUG_EMBEDDER first")
    with open_corpus(chosen) as corpus:
        done = corpus.prune(wish, dry_run=dry_run)
    for file in ("replies-1.sqlite3", "works-1.sqlite3"):
        count, size = JsonCache(chosen.home / file, "").shrink(most_replies, dry_run)
        if count:
            done.append(Pruned("replies", count, size, f"oldest replies of paper services in {file}"))
    return done

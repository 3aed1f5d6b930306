"""Keeping the user's catalogue: updates from arXiv."""

from collections.abc import Callable, Sequence
from datetime import date

from citeplug.adapters.oai import OaiSource
from citeplug.build.stores import open_corpus
from citeplug.corpus.harvest import HarvestProgress, UpdateReport
from citeplug.errors import SourceUnavailable
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

"""The services beside arXiv that the user chose."""

from collections.abc import Callable, Sequence

from citeplug.protocols import WorkSource
from citeplug.records.work import Service
from citeplug.settings.environment import Settings
from citeplug.sources.crossref import CrossrefSource
from citeplug.sources.dblp import DblpSource
from citeplug.sources.http import Patience
from citeplug.sources.openalex import OpenAlexSource
from citeplug.sources.pace import Clock
from citeplug.sources.semanticscholar import SemanticScholarSource
from citeplug.sources.work_service import Announce

_SOURCES: dict[Service, Callable[..., WorkSource]] = {
    "crossref": CrossrefSource,
    "openalex": OpenAlexSource,
    "dblp": DblpSource,
    "semanticscholar": SemanticScholarSource,
}


def open_sources(
    names: Sequence[Service],
    settings: Settings,
    *,
    announce: Announce | None = None,
    patience: Patience | None = None,
    clock: Clock | None = None,
) -> list[WorkSource]:
    """One source for each name, in that order. `announce` gets what is sent to a service before that."""
    return [
        _SOURCES[name](settings, announce=announce, patience=patience, clock=clock) for name in dict.fromkeys(names)
    ]

"""The services beside arXiv that the user chose."""

from collections.abc import Callable, Sequence
from typing import Any

from citeplug.protocols import WorkSource
from citeplug.records.work import Service
from citeplug.settings.environment import Settings
from citeplug.sources.crossref import CrossrefSource
from citeplug.sources.dblp import DblpSource
from citeplug.sources.openalex import OpenAlexSource
from citeplug.sources.semanticscholar import SemanticScholarSource

_SOURCES: dict[Service, Callable[..., WorkSource]] = {
    "crossref": CrossrefSource,
    "openalex": OpenAlexSource,
    "dblp": DblpSource,
    "semanticscholar": SemanticScholarSource,
}


def open_sources(names: Sequence[Service], settings: Settings, **asking: Any) -> list[WorkSource]:
    """One source for each name, in that order; `asking` as for `WorkService`."""
    return [_SOURCES[name](settings, **asking) for name in dict.fromkeys(names)]

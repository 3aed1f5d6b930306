"""Settings and corpus of the user."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from citeplug.corpus.local_records import LocalRecords
from citeplug.corpus.records_by_id import Lookup
from citeplug.errors import CorpusEmpty, UsageError
from citeplug.protocols import RecordSource
from citeplug.records.work import Service
from citeplug.settings.environment import Settings, read_settings
from citeplug.settings.hosts import on_loopback

if TYPE_CHECKING:
    from citeplug.corpus.index import Corpus
    from citeplug.corpus.vectors.store import VectorStore

DEMO = Path(".citeplug", "demo")  # marks a project that `citeplug demo` made

# Called by a stage with its name, the amount done, and the whole amount (None: not known).
Report = Callable[[str, int, int | None], None]
# Called with each search query before it is sent.
Announce = Callable[[str], None]


def settings(
    *,
    offline: bool = False,
    online: bool = False,
    embedder: str | None = None,
    rescorer: str | None = None,
    device: str | None = None,
) -> Settings:
    """Return the settings of the environment and the command line. Raises UsageError on contradicting options."""
    read = read_settings()
    if online and (offline or read.offline):
        raise UsageError("--online and --offline cannot be combined", "leave one out (also CITEPLUG_OFFLINE)")
    return replace(
        read,
        offline=read.offline or offline,
        embedder=embedder or read.embedder,
        rescorer=rescorer or read.rescorer,
        device=device or read.device,
    )


def for_project(current: Settings, main: Path | None = None) -> Settings:
    """The settings for a project's file or folder (None: the current folder): what the demo made has its own corpus.

    So the demo's summaries never mix with the user's records.
    """
    place = (main or Path()).absolute()
    if not any((folder / DEMO).is_file() for folder in (place, *place.parents)):
        return current
    return replace(current, corpus=current.home / "demo", chroma_url=None)


@contextmanager
def open_corpus(current: Settings) -> "Iterator[Corpus]":
    """Open the corpus; models and indexes are loaded when they are needed."""
    # Here, since check and fix, which need none of it, run where numpy is not installed.
    from citeplug.corpus.index import Corpus
    from citeplug.corpus.vectors.embedders import open_embedder

    place, second = current.corpus_home, current.rescorer
    corpus = Corpus(
        place,
        embedder=lambda: open_embedder(current.embedder, current.device),
        store=lambda model: _store(place, model, current),
        rescorer=None if second is None else lambda: open_embedder(second, current.device),
    )
    try:
        yield corpus
    finally:
        corpus.close()


def lookup_in(corpus: LocalRecords, source: RecordSource | None = None, *, may_search: bool = True) -> Lookup:
    """Return a lookup of records in the corpus, in the author's library and, where allowed, at `source`."""
    return Lookup(
        corpus,
        source,
        corpus.complete_for,
        may_search=may_search,
        own_entries=corpus.library.entries,
    )


def _store(place: Path, model: str, current: Settings) -> "VectorStore":
    """Return the user's Chroma server; the embedded store without one, or offline if it is on another machine."""
    from citeplug.corpus.vectors.chroma import ChromaStore

    url = current.chroma_url
    if url is None or (current.offline and not on_loopback(url)):
        return ChromaStore(place, model)
    from citeplug.corpus.vectors.chroma_server import ChromaServerStore, ServerAddress

    address = ServerAddress(url, current.chroma_token, current.chroma_tenant, current.chroma_database)
    return ChromaServerStore(address, model)


def need_models(current: Settings) -> None:
    """Raise ModelUnavailable, before any work, if a model or a device that the user named is not on this machine."""
    from citeplug.corpus.vectors.embedders import check_device, check_model

    check_device(current.device)
    for name in (current.embedder, current.rescorer):
        if name is not None:
            check_model(name)


def need_network_for(sources: Sequence[Service], current: Settings) -> None:
    """Raise UsageError if services are to be asked offline."""
    if sources and current.offline:
        raise UsageError("--sources and --offline cannot be combined", "leave one out (also CITEPLUG_OFFLINE)")


def need_papers(corpus: LocalRecords, online: bool) -> None:
    """Raise CorpusEmpty if there is nothing to search in: the catalogue is empty, and arXiv may not be asked."""
    if corpus.is_empty() and not online:
        raise CorpusEmpty("the catalogue on this machine is empty", "get your first papers with 'citeplug start'")

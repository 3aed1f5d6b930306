"""Settings, and the corpus of this user."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from citeplug.adapters.chroma import ChromaStore
from citeplug.adapters.embedders import check_device, check_model, open_embedder
from citeplug.adapters.language.hosts import on_loopback
from citeplug.bibliography.records_by_id import Lookup
from citeplug.corpus.index import Corpus
from citeplug.corpus.vectors import VectorStore
from citeplug.errors import CorpusEmpty, UsageError
from citeplug.ports import RecordSource
from citeplug.records.work import Service
from citeplug.settings.environment import Settings, read_settings

# What a stage reports: its name, how much is done, how much there is (None: not known).
Report = Callable[[str, int, int | None], None]
# Is given each search query before it is sent.
Announce = Callable[[str], None]


def settings(
    *,
    offline: bool = False,
    online: bool = False,
    embedder: str | None = None,
    rescorer: str | None = None,
    device: str | None = None,
) -> Settings:
    """Settings from the environment and the command line. Raises UsageError on a contradiction."""
    read = read_settings()
    if online and (offline or read.offline):
        raise UsageError("--online and --offline contradict each other", "leave one out; CITEPLUG_OFFLINE counts too")
    return replace(
        read,
        offline=read.offline or offline,
        embedder=embedder or read.embedder,
        rescorer=rescorer or read.rescorer,
        device=device or read.device,
    )


@contextmanager
def open_corpus(chosen: Settings, home: Path | None = None) -> Iterator[Corpus]:
    """The corpus of this user; nothing heavy is loaded before it is needed."""
    place, second = home or chosen.home, chosen.rescorer
    corpus = Corpus(
        place,
        embedder=lambda: open_embedder(chosen.embedder, chosen.home, chosen.device),
        store=lambda model: _store(place, model, chosen),
        rescorer=None if second is None else lambda: open_embedder(second, chosen.home, chosen.device),
    )
    try:
        yield corpus
    finally:
        corpus.close()


def lookup_in(corpus: Corpus, source: RecordSource | None = None, *, may_search: bool = True) -> Lookup:
    """Records of the corpus, and of `source` where it may be asked, and the entries of the author's library."""
    return Lookup(
        corpus,
        source,
        corpus.covers_month,
        corpus.complete_for,
        may_search=may_search,
        own_entries=corpus.library.entries,
    )


def _store(place: Path, model: str, chosen: Settings) -> VectorStore:
    """The user's Chroma server; offline only if it is on this machine, else the embedded store stands in."""
    url = chosen.chroma_url
    if url is None or (chosen.offline and not on_loopback(url)):
        return ChromaStore(place, model)
    from citeplug.adapters.chroma_server import ChromaServerStore, ServerAddress

    address = ServerAddress(url, chosen.chroma_token, chosen.chroma_tenant, chosen.chroma_database)
    return ChromaServerStore(address, model)


def need_models(chosen: Settings) -> None:
    """Raise ModelUnavailable, before any work, if a model or a device that the user named is not on this machine."""
    check_device(chosen.device)
    for name in (chosen.embedder, chosen.rescorer):
        if name is not None:
            check_model(name)


def need_network_for(sources: Sequence[Service], chosen: Settings) -> None:
    """Raise UsageError if services are to be asked, and nothing may be."""
    if sources and chosen.offline:
        raise UsageError("--sources and --offline contradict each other", "leave one out; CITEPLUG_OFFLINE counts too")


def need_papers(corpus: Corpus, online: bool) -> None:
    """Raise CorpusEmpty if there is nothing to search in: neither records nor leave to ask arXiv."""
    if corpus.is_empty() and not online:
        raise CorpusEmpty(
            "the catalogue on this machine is empty",
            "take in arXiv's metadata with 'citeplug index add FILE', or search arXiv itself with --online",
        )

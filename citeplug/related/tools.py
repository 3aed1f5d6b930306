"""What a user asks for, and the tools that a run needs for it: those of lists of papers and of sections alike."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import Announce, lookup_in, need_models, need_papers, open_corpus
from citeplug.errors import StoreBusy
from citeplug.protocols import LanguageModel, ListSource
from citeplug.records.outcome import Dense, Options
from citeplug.records.paper import Paper
from citeplug.related.progress import NO_OTHERS, FurtherSources, Tools
from citeplug.related.texts_of_run import KeptTexts
from citeplug.settings.environment import Settings
from citeplug.settings.user_toml import read_preferences
from citeplug.sources.arxiv import ArxivSource

if TYPE_CHECKING:
    from citeplug.related.retrieve.work_search import WorkSearch


@dataclass(frozen=True, slots=True)
class Job:
    """One `citeplug related` or `citeplug plan`, as the user asked for it.

    `given` are the options of the command line, by the names of the settings (`settings/known_settings.py`): the
    document and citeplug.toml fill in the rest of `options`. With None, `options` is used alone. `embed_seconds` bounds
    the time for embedding papers that have no vector yet; None: no bound. With `wholly_by_model` nothing is written if
    the model cannot be reached or stops before the end. `only` are ids of paragraphs: no other one is changed.
    `further` are asked beside arXiv, where that is.
    """

    main: Path
    options: Options
    out: Path | None = None
    bib: Path | None = None
    given: Mapping[str, Any] | None = None
    insert: bool = False
    force: bool = False
    dry_run: bool = False
    diff: bool = False
    embed_seconds: float | None = None
    wholly_by_model: bool = False
    only: tuple[str, ...] = ()
    further: FurtherSources = NO_OTHERS


@contextmanager
def open_tools(
    settings: Settings,
    online: bool,
    announce: Announce | None = None,
    model: LanguageModel | None = None,
    held: Corpus | None = None,
    seconds: float | None = None,
    further: FurtherSources = NO_OTHERS,
) -> Iterator[Tools]:
    """Open the tools of a run: the user's corpus (or `held`, which stays open), arXiv and `further` where allowed.

    Raises CorpusEmpty if there is nothing to search in, ModelUnavailable if a model that the user named is missing.
    """
    need_models(settings)
    with corpus_or(held, settings) as corpus:
        need_papers(corpus, online)
        source = None if settings.offline else ArxivSource(settings, announce=announce)
        lookup = lookup_in(corpus, source, may_search=online)
        dense = cast(Dense, settings.dense or read_preferences(settings.home).dense or "candidates")
        searches: Sequence[WorkSearch] = ()
        lists: ListSource | None = None
        if online or further.lists:
            # Imported here: only needed with the network, and slow.
            from citeplug.corpus.citations.fetch_lists import ListFetcher
            from citeplug.related.retrieve.work_search import open_searches

            searches = open_searches(further, settings, corpus, lookup) if online else ()
            # What is sent is announced first, or not sent.
            lists = ListFetcher(corpus, settings, further.announce) if further.announce else None
        with closing(KeptTexts(settings, corpus, online=online)) as texts:
            yield Tools(
                corpus,
                lookup,
                (source, *searches) if online and source is not None else (),
                model,
                seconds,
                topics=corpus.topics,
                dense=dense,
                graph=corpus.graph,
                texts=texts,
                keep=partial(_keep, corpus, searches),
                lists=lists,
                services=searches,
            )


def _keep(corpus: Corpus, searches: "Sequence[WorkSearch]", papers: Mapping[str, Paper]) -> None:
    """Keep the records that a section cites: without them its sources could not be read again, and no later run offline
    could follow its plan. Skipped if the catalogue is busy."""
    if searches:
        searches[0].found.keep(papers)
    there = corpus.papers(list(papers))
    new = [paper for value, paper in papers.items() if value not in there and paper.id.on_arxiv]
    if new:
        with suppress(StoreBusy):
            corpus.add_papers(new)


def corpus_or(corpus: Corpus | None, settings: Settings) -> AbstractContextManager[Corpus]:
    """The corpus that is open already, else the user's."""
    return open_corpus(settings) if corpus is None else nullcontext(corpus)

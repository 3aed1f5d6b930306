"""The tools that a run works with, and its progress: each stage reported, and timed."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from citeplug.corpus.records_by_id import Lookup
from citeplug.protocols import (
    CitationSource,
    EntrySource,
    FullTexts,
    LanguageModel,
    ListSource,
    PaperIndex,
    SearchSource,
    TopicSource,
)
from citeplug.records.outcome import Dense, Stage
from citeplug.records.paper import Paper
from citeplug.records.work import Service
from citeplug.text.compare import compare_titles

Report = Callable[[str, int, int | None], None]


@dataclass(slots=True)
class Progress:
    """Reports each stage of a run, and keeps its time, requests and cost."""

    report: Report
    stages: list[Stage] = field(default_factory=list)

    @contextmanager
    def stage(self, name: str, source: object = None) -> Iterator[None]:
        self.report(name, 0, None)
        start, calls, cost = time.perf_counter(), _calls(source), _cost(source)
        try:
            yield
        finally:
            seconds = time.perf_counter() - start
            self.stages.append(Stage(name, round(seconds, 4), _calls(source) - calls, _cost(source) - cost))


@dataclass(frozen=True, slots=True)
class Tools:
    """Corpus, sources and model of a run.

    `search_sources` are asked by words of the draft and need the user's consent; `lookup` asks by id only.
    `model` writes the section where the user named one. `seconds` bounds the time for embedding papers; None: no bound.
    `topics` are those of the
    corpus, `graph` its citations, `lists` where those that it lacks may be had, with consent, `texts` the full texts.
    `works` are those that the draft cites, as it knows them itself, by id (`retrieve.cited_papers.works_of_draft`).
    `services` are asked for abstracts of such works, with consent.
    `keep` is called with the papers that a written section cites, by id. `dense` is as in
    `related.retrieve.candidates`: "whole" only where the user asked for it, for then a section depends on what else was
    run.
    """

    index: PaperIndex
    lookup: Lookup
    search_sources: Sequence[SearchSource] = ()
    model: LanguageModel | None = None
    seconds: float | None = None
    topics: TopicSource | None = None
    dense: Dense = "candidates"
    graph: CitationSource | None = None
    lists: ListSource | None = None
    keep: Callable[[Mapping[str, Paper]], None] = lambda papers: None
    texts: FullTexts | None = None
    works: Mapping[str, Paper] = field(default_factory=dict)
    services: Sequence[EntrySource] = ()

    def papers(self, ids: Sequence[str]) -> dict[str, Paper]:
        """Records by id without version; unknown ids are left out.

        Of a work that the draft cites the draft's own is returned where there is none, or none with an abstract.
        """
        records = dict(self.index.papers(ids))
        for value in ids:
            work, record = self.works.get(value), records.get(value)
            # The library may have another work under the same key.
            same = work and record and compare_titles(work.title, record.title) != "other"
            if work and not (record and record.abstract and same):
                records[value] = work
        return records


def _calls(source: object) -> int:
    return getattr(source, "requests_made", 0)


def _cost(source: object) -> float:
    return getattr(source, "cost", 0.0)


@dataclass(frozen=True, slots=True)
class FurtherSources:
    """The services that the user named beside arXiv; `announce` gets what is sent to one, before it is.

    `lists`: lists of references are asked for, though no word of the draft may be sent.
    """

    names: tuple[Service, ...] = ()
    announce: Callable[[str], None] | None = None
    lists: bool = False


NO_OTHERS = FurtherSources()

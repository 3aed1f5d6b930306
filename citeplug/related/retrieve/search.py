"""Searches over the user's corpus, and over arXiv where allowed."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date

from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import Announce, Report, need_models, need_papers, open_corpus
from citeplug.errors import SourceUnavailable
from citeplug.records.finding import Finding, source_unavailable
from citeplug.records.paper import Candidate, Filter
from citeplug.related.retrieve.candidates import ask_source
from citeplug.related.retrieve.candidates import search as search_index
from citeplug.related.retrieve.deep_research import POOL, GraphReach, deepen
from citeplug.related.retrieve.graph_candidates import graph_doubts
from citeplug.related.retrieve.typed_search import is_typed, search_typed
from citeplug.settings.environment import Settings
from citeplug.sources.arxiv import ArxivSource


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One search. `wait`: embed every candidate, instead of those that fit two seconds. `topics`: see `TopicSource`.

    `deep`: how far citations are followed; None: not at all.
    """

    text: str
    count: int
    before: date | None
    categories: tuple[str, ...]
    exclude: frozenset[str]
    wait: bool
    topics: tuple[str, ...] = ()
    deep: GraphReach | None = None


@dataclass(slots=True)
class Searcher:
    """Searcher in an open corpus; outages and unfinished work are in `findings`."""

    corpus: Corpus
    source: ArxivSource | None
    findings: list[Finding] = field(default_factory=list)

    def search(self, question: SearchRequest, report: Report) -> list[Candidate]:
        """Return at most `count` candidates, best first."""
        if not any(char.isalnum() for char in question.text):
            return []  # without a word, nearest vectors would be random
        live = []
        if self.source is not None:
            try:
                live = ask_source(question.text, self.source, question.count, question.before)
            except SourceUnavailable as error:
                if not self.corpus.records:
                    raise
                self.findings.append(source_unavailable(error, "only the local catalogue was searched"))
        among = self.corpus.topics.within(question.topics, live) if question.topics else None
        where = Filter(question.before, question.categories, question.exclude, among)
        count = question.count if question.deep is None else max(question.count, POOL)
        seconds = None if question.wait else 2.0

        def on_progress(done: int, total: int) -> None:
            report("embed", done, total)

        if is_typed(question.text):
            results = search_typed(
                question.text, self.corpus, where, count, live=live, seconds=seconds, on_progress=on_progress
            )
            candidates = list(results.candidates)
            if results.meant is not None:
                self.findings.append(_unmatched(question.text, results.meant))
        else:
            candidates = search_index(
                question.text, self.corpus, where, count, live=live, seconds=seconds, on_progress=on_progress
            )
        second = self.corpus.rescorer
        if second is not None and second.unscored and all(f.code != "rescoring_unfinished" for f in self.findings):
            self.findings.append(_unfinished(second.unscored))
        if question.deep is not None:
            candidates = self._deepened(candidates, question, where, question.deep)
        return candidates

    def _deepened(
        self, candidates: list[Candidate], question: SearchRequest, where: Filter, deep: GraphReach
    ) -> list[Candidate]:
        text = question.text if deep.as_published else None  # no result shows its similarity
        made, expansion = deepen(candidates, text, self.corpus, self.corpus.graph, where, deep, question.count)
        if all(finding.code != "graph_thin" for finding in self.findings):
            self.findings += graph_doubts(expansion)
        return made


def _unmatched(text: str, meant: str) -> Finding:
    words = " ".join(text.split())
    return Finding("query_unmatched", "info", f"no paper has all of “{words}”", fix=f"did you mean “{meant}”?")


def _unfinished(count: int) -> Finding:
    return Finding(
        "rescoring_unfinished",
        "info",
        f"the rescorer had no time for {count} of the first papers: they keep their places",
        fix="use --wait to score all; scores are kept",
    )


@contextmanager
def open_searcher(settings: Settings, *, online: bool, announce: Announce | None = None) -> Iterator[Searcher]:
    """Open a searcher over the user's corpus. Raises CorpusEmpty if there is nothing to search in."""
    need_models(settings)
    with open_corpus(settings) as corpus:
        need_papers(corpus, online)
        source = ArxivSource(settings, announce=announce) if online else None
        yield Searcher(corpus, source)

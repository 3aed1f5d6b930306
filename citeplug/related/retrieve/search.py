"""Searches over the user's corpus, and over arXiv where allowed."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from citeplug.corpus.citations.fetch_lists import ListFetcher
from citeplug.corpus.index import Corpus
from citeplug.corpus.records_by_id import Lookup
from citeplug.corpus.stores import Announce, Report, lookup_in, need_models, need_papers, open_corpus
from citeplug.protocols import LanguageModel, ListSource, SearchSource
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding, source_unavailable
from citeplug.records.paper import Candidate, Filter, Query, shown_id
from citeplug.related.progress import NO_OTHERS, FurtherSources
from citeplug.related.retrieve.ask_sources import ask_sources
from citeplug.related.retrieve.candidates import retrieve_candidates
from citeplug.related.retrieve.deep_research import POOL, GraphReach, deepen
from citeplug.related.retrieve.graph_candidates import DebateFilter, graph_doubts, growing_graph, records_from
from citeplug.related.retrieve.typed_search import is_typed, parse_query, search_typed
from citeplug.related.retrieve.work_search import open_searches
from citeplug.settings.environment import Settings
from citeplug.sources.arxiv import ArxivSource


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One search. `wait`: embed every candidate, instead of those that fit two seconds. `topics`: see `TopicSource`.

    `deep`: how far citations are followed; None: not at all. `model_queries`: how many queries a model writes for it.
    """

    text: str
    count: int
    before: date | None
    categories: tuple[str, ...]
    exclude: frozenset[str]
    wait: bool
    topics: tuple[str, ...] = ()
    deep: GraphReach | None = None
    model_queries: int = 10
    first_day: date | None = None


@dataclass(slots=True)
class Searcher:
    """Searcher in an open corpus; outages and unfinished work are in `findings`.

    `model` writes further queries for each text, and judges what Algorithm 2 may follow; `lists` are where lists of
    references may be had, `lookup` where records by id. `queries` are those of the last search.
    """

    corpus: Corpus
    sources: Sequence[SearchSource]
    model: LanguageModel | None = None
    lists: ListSource | None = None
    lookup: Lookup | None = None
    findings: list[Finding] = field(default_factory=list)
    queries: tuple[Query, ...] = ()

    def search(self, question: SearchRequest, report: Report) -> list[Candidate]:
        """Return at most `count` candidates, best first."""
        if not any(char.isalnum() for char in question.text):
            return []  # without a word, nearest vectors would be random
        answers = ask_sources(
            [Query(question.text, "text"), *self._proposed(question, report)],
            self.sources,
            question.count,
            question.before,
            on_progress=lambda name, done, total: report(f"ask {name}", done, total),
            must_answer=not self.corpus.records,
        )
        self.queries, live = answers.queries, answers.papers
        self.findings += [source_unavailable(e, "only the local catalogue was searched") for e in answers.outages]
        among = self.corpus.topics.within(question.topics, live) if question.topics else None
        where = Filter(question.before, question.categories, question.exclude, among, question.first_day)
        count = question.count if question.deep is None else max(question.count, POOL)
        seconds = None if question.wait else 2.0

        def on_progress(done: int, total: int) -> None:
            report("embed", done, total)

        if is_typed(question.text) and len(self.queries) == 1:
            results = search_typed(
                question.text, self.corpus, where, count, live=live, seconds=seconds, on_progress=on_progress
            )
            candidates = list(results.candidates)
            if results.unmatched:
                self.findings.append(_unmatched(question.text, results.meant))
        else:
            candidates = retrieve_candidates(
                self.queries, self.corpus, where, count, live_papers=live, seconds=seconds, on_progress=on_progress
            )
        second = self.corpus.rescorer
        if second is not None and second.unscored and all(f.code != "rescoring_unfinished" for f in self.findings):
            self.findings.append(_unfinished(second.unscored))
        if question.deep is not None:
            candidates = self._deepened(candidates, question, where, question.deep, report)
        return candidates

    def _proposed(self, question: SearchRequest, report: Report) -> list[Query]:
        """The queries that the model writes for the text, which it takes for an abstract (LitLLM, section 3.1)."""
        if self.model is None:
            return []
        from citeplug.related.retrieve.model_queries import more_queries

        report("model queries", 0, None)
        queries, findings = more_queries(Draft(Path(), (), "", question.text), self.model, question.model_queries)
        self.findings += findings
        return queries

    def _deepened(
        self, candidates: list[Candidate], question: SearchRequest, where: Filter, deep: GraphReach, report: Report
    ) -> list[Candidate]:
        text = question.text if deep.as_published else None  # no result shows its similarity
        corpus, judge = self.corpus, None if self.model is None else DebateFilter("", question.text, self.model)
        growing = growing_graph(
            corpus.graph,
            self.lists,
            corpus,
            candidates,
            lambda done, total: report("ask for lists", done, total),
        )
        made, expansion = deepen(
            candidates,
            text,
            corpus,
            growing or corpus.graph,
            where,
            deep,
            question.count,
            records=records_from(corpus, self.lookup if growing is not None else None),
            relevant=judge,
        )
        if all(finding.code != "graph_thin" for finding in self.findings):
            self.findings += graph_doubts(expansion, growing)
        self.findings += judge.findings if judge is not None else []
        return made


def _unmatched(text: str, meant: str | None) -> Finding:
    query, fix = parse_query(text), None if meant is None else f"did you mean “{meant}”?"
    if query.alone:
        name = query.doi or shown_id(query.arxiv_id or "")
        return Finding("query_unmatched", "info", f"{name} is not among the papers searched", fix=fix)
    return Finding("query_unmatched", "info", f"no paper has all of “{' '.join(text.split())}”", fix=fix)


def _unfinished(count: int) -> Finding:
    return Finding(
        "rescoring_unfinished",
        "info",
        f"the rescorer had no time for {count} of the first papers: they keep their places",
        fix="use --wait to score all of them; scores are kept",
    )


@contextmanager
def open_searcher(
    settings: Settings,
    *,
    online: bool,
    announce: Announce | None = None,
    model: LanguageModel | None = None,
    further: FurtherSources = NO_OTHERS,
) -> Iterator[Searcher]:
    """Open a searcher over the user's corpus. Raises CorpusEmpty if there is nothing to search in."""
    need_models(settings)
    with open_corpus(settings) as corpus:
        need_papers(corpus, online)
        arxiv = ArxivSource(settings, announce=announce)
        lookup = lookup_in(corpus, arxiv)
        searches: list[SearchSource] = [arxiv, *open_searches(further, settings, corpus, lookup)] if online else []
        lists = ListFetcher(corpus, settings, further.announce) if online and further.announce else None
        yield Searcher(corpus, searches, model, lists, lookup, lookup.findings)

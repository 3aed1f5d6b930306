"""How the citation graph counts in a run, and that a later run with the same inputs knows it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

import pytest

from citeplug.corpus.records_by_id import Lookup
from citeplug.records.finding import Finding
from citeplug.records.outcome import GraphUse, Options
from citeplug.records.paper import Candidate, Filter, Paper
from citeplug.records.passage import Reference
from citeplug.records.work import Holding
from citeplug.related.progress import Progress, Tools
from citeplug.related.ranking import rank_papers
from citeplug.related.retrieve.candidates import search
from citeplug.related.retrieve.graph_candidates import deep_candidates, pool
from tests.related.retrieve.citations import Citations
from tests.related.retrieve.drafts import draft, entry
from tests.related.retrieve.memory_index import MemoryIndex, paper

IDS = [f"1801.{n:05}" for n in range(1, 11)]
PAPERS = [
    paper(value, f"Sampling graphs of kind {'abcdefghij'[n] * 4}", "Sampling graphs.") for n, value in enumerate(IDS)
]
TEXT = "sampling graphs"
DRAFT = draft(
    "A draft of ours",
    "Sampling graphs is what this draft of ours is about.",
    entries=(entry("k", "T", IDS[9]),),
    cited=("k",),
)
BOOK = Reference(1, None, "Vapnik", title="The nature of statistical learning", year=1995)


class Records(MemoryIndex):
    """An index that is asked for records of entries too."""

    def by_doi(self, dois: Sequence[str]) -> Mapping[str, list[Paper]]:
        return {}

    def by_title(self, title: str, k: int) -> list[Paper]:
        return []

    def own_works(self) -> list[Paper]:
        return []

    def own_texts(self) -> list[Holding]:
        return []


QUIET = Progress(lambda *_: None)


def tools(graph: Citations | None) -> Tools:
    index = Records(PAPERS, whole=True)
    return Tools(index, Lookup(index, None, lambda one: False), graph=graph)


def counted(lists: int, deep: bool | None) -> tuple[list[Candidate], GraphUse, list[Finding]]:
    with_graph = tools(Citations({value: [IDS[0]] for value in IDS[:lists]}))
    found = search(TEXT, with_graph.index, Filter(), 100, seconds=None)
    return deep_candidates(
        found, TEXT, draft(), Options(deep=deep), with_graph, Filter(), 100, None, Progress(lambda *_: None)
    )


@pytest.mark.parametrize(
    ("lists", "deep", "used", "message"),
    [
        (5, None, True, None),
        (4, None, False, "reference lists known for 4 of 10 papers: the ordinary search is used"),
        (0, None, False, None),
        (10, False, False, None),
        (4, True, True, "reference lists known for 4 of 10 papers"),
        (1, True, False, "reference lists known for 1 of 10 papers: the ordinary search is used"),
        (0, True, False, "reference lists known for 0 of 10 papers: the ordinary search is used"),
    ],
)
def test_the_graph_counts_where_half_of_the_lists_are_known_or_the_user_asks_for_it(
    lists: int, deep: bool | None, used: bool, message: str | None
) -> None:
    made, use, findings = counted(lists, deep)
    assert (use.wanted, use.used) == (deep, used)
    assert any(each.links is not None for each in made) is used
    assert [(each.code, each.message) for each in findings] == ([("graph_thin", message)] if message else [])


def test_as_published_the_papers_are_those_of_algorithm_2_by_similarity() -> None:
    with_graph = tools(Citations({value: [IDS[0]] for value in IDS}))
    found = search(TEXT, with_graph.index, Filter(), 100, seconds=None)
    options = Options(as_published=True)
    made, use, _ = deep_candidates(
        found, TEXT, draft(), options, with_graph, Filter(), 100, None, Progress(lambda *_: None)
    )
    assert use.used
    assert [each.score for each in made] == [each.similarity for each in made]
    assert not any(each.links for each in made)
    thin = tools(Citations({IDS[0]: [IDS[1]]}))
    made, use, findings = deep_candidates(
        found, TEXT, draft(), options, thin, Filter(), 100, None, Progress(lambda *_: None)
    )
    assert (made, use.used, [each.code for each in findings]) == (found, False, ["graph_thin"])


def test_without_a_graph_nothing_more_is_searched_for() -> None:
    assert pool(Options(), tools(None), 40) == pool(Options(deep=True), tools(None), 40) == 40
    assert pool(Options(), tools(Citations({})), 40) == 40
    assert pool(Options(deep=False), tools(Citations({"a": []})), 40) == 40
    assert pool(Options(), tools(Citations({"a": []})), 40) == 1000


def test_only_what_the_text_cites_is_gone_out_from() -> None:
    graph = Citations({value: [IDS[0]] for value in IDS})
    both = replace(DRAFT, entries=(*DRAFT.entries, entry("uncited", "U", "1701.00001")))
    ranking = rank_papers(both, Options(), tools(graph), before=date(2019, 1, 1), progress=_silent())
    assert ranking.graph == GraphUse(None, True, 10, 10)
    assert "1701.00001" not in graph.asked
    first = next(item for item in ranking.papers if item.paper.id.value == IDS[0])
    assert first.links is not None and first.links.cited_by_own == (IDS[9],)


def test_the_same_section_comes_whatever_was_embedded_before() -> None:
    lists = {value: [IDS[0], IDS[3]] for value in IDS}
    fresh, used = tools(Citations(lists)), tools(Citations(lists))
    used.index.vectors(IDS)
    rankings = [
        rank_papers(DRAFT, Options(), each, before=date(2019, 1, 1), progress=_silent()) for each in (fresh, used)
    ]
    assert rankings[0].papers == rankings[1].papers


def _silent() -> Progress:
    return Progress(lambda name, done, total: None)

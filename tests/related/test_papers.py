"""Reasons that citations give for a paper."""

from dataclasses import replace

from citeplug.records.paper import Links
from citeplug.records.passage import Mentioned
from citeplug.related.papers import ListedPaper, graph_reason
from tests.related.retrieve.citations import Citations
from tests.related.retrieve.memory_index import paper

PAPER, ONE, TWO, STRANGER = "2001.00001", "2001.00002", "2001.00003", "2001.00004"
LINKS = Links(cited_by_own=(ONE,), own=3, cited_by_found=(ONE, TWO), found=20)


def test_a_reason_counts_the_related_work_of_those_who_cite_the_paper() -> None:
    graph = Citations({})
    graph.said[PAPER] = [
        Mentioned(ONE, "Related Work", "As in [*]."),
        Mentioned(ONE, "2 Background", "See [*]."),
        Mentioned(TWO, "Method", "We use [*]."),
        Mentioned(STRANGER, "Related Work", "Unlike [*]."),
    ]
    (reason,) = graph_reason(PAPER, LINKS, graph)
    assert reason.text == LINKS.reason + ", 2 times in their related work"


def test_a_reason_says_nothing_of_texts_that_are_not_here() -> None:
    assert [each.text for each in graph_reason(PAPER, LINKS, Citations({}))] == [LINKS.reason]
    assert [each.text for each in graph_reason(PAPER, LINKS, None)] == [LINKS.reason]
    assert graph_reason(PAPER, None, Citations({})) == ()


def test_a_paper_has_the_year_of_the_drafts_entry_or_else_of_its_first_version() -> None:
    listed = ListedPaper(paper(PAPER, "Graph Attention Networks"), None, (), False, None, "gat", True, True, True, True)
    assert listed.year == listed.paper.published.year
    assert replace(listed, entry_year=2018).year == 2018

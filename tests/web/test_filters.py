"""The filters of a list of papers, and the reason that a row gives."""

from citeplug.records.paper import Reason
from citeplug.web.filters import filters, shown_reason
from tests.harness.papers import paper

PAPERS = {str(number): ("Cited" if number < 4 else "Not cited", 2010 + number) for number in range(10)}


def test_a_short_list_has_no_filters() -> None:
    few = dict(list(PAPERS.items())[:8])
    assert filters(few, {"show": "Cited"}) == ([], frozenset(few))


def test_filters_count_papers_and_keep_the_words_of_the_search() -> None:
    rows, ids = filters(PAPERS, {"q": "graph", "show": "", "year": ""})
    assert ids == frozenset(PAPERS)
    labels = [[(one.label, one.count) for one in row] for row in rows]
    assert labels[:2] == [[("All", 10)], [("Cited", 4), ("Not cited", 6)]]
    assert labels[2] == [("2019", 1), ("2018", 1), ("2017", 1), ("before 2017", 7)]
    assert all("q=graph" in one.query for row in rows for one in row)


def test_a_filter_that_is_on_joins_the_other_and_leads_back() -> None:
    rows, ids = filters(PAPERS, {"show": "Not cited", "year": "before 2017"})
    assert ids == {"4", "5", "6"}
    (show,) = (one for one in rows[1] if one.is_on)
    assert show.query == "year=before+2017"
    assert not rows[0][0].is_on


def test_an_unknown_filter_is_none() -> None:
    assert filters(PAPERS, {"show": "<b>", "year": "1"})[1] == frozenset(PAPERS)


def test_words_that_the_title_has_are_the_reason_and_others_come_last() -> None:
    work = paper("1001.0001", "Layer-wise sampling of graphs")
    noise = Reason("words", "shares with your introduction: “fixed number”", "introduction", ("fixed number",))
    like = Reason("citation", "similar to kipf17, which you cite", "citations", keys=("kipf17",))
    telling = Reason("words", "shares with your method: “sampling”", "method", ("sampling",))
    assert shown_reason((noise, like), work) is like
    assert shown_reason((noise, like, telling), work) is telling
    assert shown_reason((), work) is None

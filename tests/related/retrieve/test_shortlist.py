from dataclasses import replace

from citeplug.records.paper import Candidate
from citeplug.related.retrieve.shortlist import admissible, rank_as_published, rank_longlist
from tests.related.retrieve.drafts import draft, entry
from tests.related.retrieve.memory_index import paper


def _candidate(value: str, title: str, similarity: float = 0.5, score: float | None = None) -> Candidate:
    return Candidate(
        paper(value, title, f"About {title}."), similarity, similarity if score is None else score, ("dense",)
    )


A = _candidate("2001.00001", "Alpha", 0.9)
B = _candidate("2001.00002", "Beta", 0.8)
C = _candidate("2001.00003", "Gamma", 0.7)


def test_the_draft_itself_withdrawn_papers_and_duplicates_stay_out() -> None:
    withdrawn = replace(B, paper=replace(B.paper, comment="This paper has been withdrawn by the author"))
    twin = _candidate("2101.00001", "alpha")
    own = _candidate("2001.00009", "My draft")
    assert admissible([own, A, withdrawn, twin, C], draft("My Draft")) == [A, C]


def test_a_duplicate_that_the_draft_cites_is_the_one_that_stays() -> None:
    twin = _candidate("2101.00001", "alpha")
    cites_it = draft("Mine", entries=(entry("lovelace", "Alpha", "2101.00001"),))
    assert admissible([A, twin], cites_it) == [twin]


def test_a_record_without_authors_is_left_for_a_source_to_complete() -> None:
    unknown = replace(A, paper=replace(A.paper, authors=()))
    assert admissible([unknown], draft("Mine")) == [unknown]


def test_a_record_that_nobody_completed_is_never_shortlisted() -> None:
    unknown = replace(A, paper=replace(A.paper, authors=()))
    assert [s.paper for s in rank_longlist([unknown, B])] == [B.paper]


def _rated(value: str, title: str, relevance: float, similarity: float = 0.5) -> Candidate:
    return replace(_candidate(value, title, similarity), relevance=relevance)


def test_the_order_of_the_longlist_is_kept_and_the_score_is_the_relevance() -> None:
    longlist = [_rated("2001.00001", "A", 0.9), _rated("2001.00002", "B", 0.2), _rated("2001.00003", "C", 0.6)]
    assert [(s.paper.title, s.score) for s in rank_longlist(longlist)] == [("A", 0.9), ("B", 0.2), ("C", 0.6)]


def test_as_published_the_most_similar_paper_comes_first() -> None:
    near, fit = _rated("2001.00001", "Near", 0.2, 0.9), _rated("2001.00002", "Fit", 0.8, 0.1)
    assert [s.paper.title for s in rank_as_published([fit, near])] == ["Near", "Fit"]


def test_as_published_a_score_is_never_below_zero_and_a_record_without_authors_never_taken() -> None:
    bare = replace(A, paper=replace(A.paper, authors=()))
    (taken,) = rank_as_published([bare, _candidate("2001.00001", "Unlike", -0.2)])
    assert (taken.paper.title, taken.score) == ("Unlike", 0.0)

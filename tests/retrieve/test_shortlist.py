from dataclasses import replace

from citeplug.records.paper import Candidate
from citeplug.retrieve.shortlist import admissible, rank_longlist
from tests.retrieve.drafts import draft, entry
from tests.retrieve.memory_index import paper


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


def test_a_record_that_nobody_completed_is_never_ranked() -> None:
    unknown = replace(A, paper=replace(A.paper, authors=()))
    assert [s.paper for s in rank_longlist([unknown, B])] == [B.paper]


def test_the_score_is_the_similarity_of_the_abstract() -> None:
    shortlist = rank_longlist([C, A, B])
    assert [(s.paper, s.score) for s in shortlist] == [(A.paper, 0.9), (B.paper, 0.8), (C.paper, 0.7)]


def test_a_paper_that_its_words_brought_to_the_front_is_taken_before_a_slightly_more_similar_one() -> None:
    first = _candidate("2001.00001", "By words", 0.70, 0.09)
    second = _candidate("2001.00002", "By meaning", 0.71, 0.01)
    assert [s.paper.title for s in rank_longlist([second, first])] == ["By words", "By meaning"]


def test_a_score_is_never_below_zero() -> None:
    assert rank_longlist([_candidate("2001.00001", "Unlike", -0.2)])[0].score == 0.0

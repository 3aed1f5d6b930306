from dataclasses import replace
from math import log1p

from citeplug.related.retrieve.candidates import share_authors
from tests.related.retrieve.memory_index import paper

THEIRS = replace(paper("1901.00001", "Walks"), authors=("Ada Lovelace", "Charles Babbage"))


def test_each_cited_work_with_a_common_author_counts_once() -> None:
    cited = [("Lovelace, A.", "Babbage, C."), ("A. Lovelace",), ("Alan Turing",)]
    assert share_authors({"1901.00001": THEIRS}, cited) == {"1901.00001": log1p(2)}


def test_a_cited_paper_does_not_count_for_itself() -> None:
    cited = [THEIRS.authors, ("Babbage, Charles",)]
    assert share_authors({"1901.00001": THEIRS}, cited, {"1901.00001"}) == {"1901.00001": log1p(1)}


def test_names_in_any_writing_are_one_persons_and_another_initial_is_another_person() -> None:
    theirs = {"1901.00001": replace(THEIRS, authors=("Jos\u00e9 de la Pe\u00f1a",))}
    assert share_authors(theirs, [("de la Pe{\\~n}a, Jos{\\'e}",)]) == {"1901.00001": log1p(1)}
    assert share_authors(theirs, [("de la Pe{\\~n}a, M.",)]) == {"1901.00001": 0.0}


def test_collaborations_and_names_without_a_given_name_are_nobody() -> None:
    theirs = {"1901.00001": replace(THEIRS, authors=("ATLAS Collaboration", "Plato"))}
    assert share_authors(theirs, [("ATLAS Collaboration",), ("Plato",)]) == {"1901.00001": 0.0}


def test_nothing_is_shared_where_nothing_is_cited() -> None:
    assert share_authors({"1901.00001": THEIRS}, []) == {"1901.00001": 0.0}


def test_of_a_list_of_thousands_the_first_names_count() -> None:
    crowd = {"1901.00001": replace(THEIRS, authors=("Ada Lovelace", *(f"A. Person{n}" for n in range(3000))))}
    assert share_authors(crowd, [("Lovelace, A.",)]) == {"1901.00001": log1p(1)}
    assert share_authors(crowd, [("A. Person2999",)]) == {"1901.00001": 0.0}

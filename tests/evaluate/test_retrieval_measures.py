"""Precision, recall, coverage and the error modes of permutations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.evaluate.measures.retrieval import (
    COMPLETE,
    INCOMPLETE,
    REPEATED,
    UNKNOWN,
    coverage,
    document_importance,
    normalized_recall_at_k,
    permutation_errors,
    precision_at_k,
    recall_at_k,
    reference_coverage,
)

# LitLLM, D.1: 84 cited papers, 100 retrieved, 10 of them cited, 4 of these among the first 40.
FOUND = [f"cited{number}" for number in range(10)]
CITED = frozenset([*FOUND, *(f"missed{number}" for number in range(74))])
RETRIEVED = [*FOUND[:4], *(f"other{n}" for n in range(36)), *FOUND[4:], *(f"other{n}" for n in range(36, 90))]

ids = st.sampled_from("abcdefgh")
rankings = st.lists(ids, unique=True)
sets = st.frozensets(ids)


def test_litllm_s_worked_example_has_the_values_of_its_equation() -> None:
    assert (len(CITED), len(RETRIEVED)) == (84, 100)
    assert precision_at_k(RETRIEVED, CITED, 40) == pytest.approx(0.10)
    assert recall_at_k(RETRIEVED, CITED, 40) == pytest.approx(4 / 84)
    assert normalized_recall_at_k(RETRIEVED, CITED, 40) == pytest.approx(0.40)  # D.1 prints 0.10
    assert coverage(RETRIEVED, CITED) == pytest.approx(10 / 84)


def test_results_that_are_missing_are_misses() -> None:
    assert precision_at_k(["a"], {"a"}, 20) == 1 / 20


def test_without_cited_papers_nothing_is_measured() -> None:
    assert precision_at_k(["a"], (), 1) is None
    assert recall_at_k(["a"], (), 1) is None
    assert coverage(["a"], ()) is None
    assert normalized_recall_at_k(["a"], {"b"}, 1) is None  # none was retrieved
    assert reference_coverage(["a"], ()) is None


@given(st.permutations("abcdefgh"), sets, st.integers(1, 8))
def test_they_are_scikit_learn_s(found: list[str], cited: frozenset[str], k: int) -> None:
    from sklearn.metrics import precision_score, recall_score

    if not cited:
        return
    truth, first = [each in cited for each in found], [place < k for place in range(len(found))]
    assert precision_at_k(found, cited, k) == pytest.approx(precision_score(truth, first), abs=1e-9)
    assert recall_at_k(found, cited, k) == pytest.approx(recall_score(truth, first), abs=1e-9)


@given(rankings, sets, st.integers(1, 10))
def test_recall_grows_with_the_cut_up_to_coverage(found: list[str], cited: frozenset[str], k: int) -> None:
    if not cited:
        return
    at, later = recall_at_k(found, cited, k), recall_at_k(found, cited, k + 1)
    assert at is not None and later is not None and 0 <= at <= later <= 1
    assert recall_at_k(found, cited, len(found) + 1) == coverage(found, cited)


@given(rankings, sets, st.integers(1, 10))
def test_recall_is_normalised_recall_of_what_coverage_leaves(found: list[str], cited: frozenset[str], k: int) -> None:
    normalised, whole = normalized_recall_at_k(found, cited, k), coverage(found, cited)
    if normalised is not None and whole is not None:
        assert normalised * whole == pytest.approx(recall_at_k(found, cited, k), abs=1e-9)


def test_a_permutation_may_have_several_faults() -> None:
    modes = permutation_errors(["a", "a", "x"], ["a", "b", "c"])
    assert modes == {COMPLETE: 0, INCOMPLETE: 1, REPEATED: 1, UNKNOWN: 1}


@given(st.lists(ids), sets)
def test_as_published_a_permutation_has_one_class(ranking: list[str], candidates: frozenset[str]) -> None:
    modes = permutation_errors(ranking, candidates, as_published=True)
    assert UNKNOWN not in modes and sum(modes.values()) == 1


@given(st.permutations("abcde"))
def test_every_order_of_all_candidates_is_complete(ranking: list[str]) -> None:
    for published in (False, True):
        assert permutation_errors(ranking, "abcde", as_published=published)[COMPLETE] == 1


def test_as_published_a_title_alike_covers_a_reference() -> None:
    titles = {
        "2001.00001": "Sampling of large graphs, part I",
        "2001.00002": "Sampling of large graphs, part II",
        "2001.00003": "A theorem on primes",
    }
    gold = ["2001.00001", "2001.00003"]
    assert reference_coverage(["2001.00002"], gold, titles) == 0
    assert reference_coverage(["2001.00002"], gold, titles, as_published=True) == 0.5


def test_as_published_an_old_id_does_not_match_by_itself() -> None:
    assert reference_coverage(["hep-th/9901001"], ["hep-th/9901001"]) == 1
    assert reference_coverage(["hep-th/9901001"], ["hep-th/9901001"], as_published=True) == 0
    assert reference_coverage(["2001.00001"], ["2001.00001"], as_published=True) == 1


def test_as_published_an_empty_gold_set_counts_as_nothing_found() -> None:
    assert reference_coverage(["a"], (), as_published=True) == 0
    assert document_importance([3], [], as_published=True) == 0
    assert document_importance([3], []) is None


def test_importance_is_the_ratio_of_medians_and_at_most_one() -> None:
    assert document_importance([10, None, 30], [40, 100, 160]) == pytest.approx(0.2)
    assert document_importance([500], [100]) == 1
    assert document_importance([500], [0, 0, 7]) is None

"""Follow-up questions, which are asked behind the question that they go on with."""

from pathlib import Path

import pytest

from citeplug.ask.follow_ups import standing_alone
from citeplug.ask.late_interaction import PieceCache

# Forty pairs, "follow" or "change" and both questions, written before the measure was chosen.
PAIRS = [line.split("\t") for line in Path(__file__).with_name("follow_ups.tsv").read_text("utf-8").splitlines()]
FIRST, NEXT = "Which accuracy does the graph network reach on MNIST?", "And on 20NEWS?"


@pytest.fixture(scope="module")
def split() -> PieceCache:
    return PieceCache()


@pytest.mark.parametrize(("kind", "least"), [("follow", 19), ("change", 20)])
def test_of_twenty_pairs_nearly_all_are_told_right(split: PieceCache, kind: str, least: int) -> None:
    pairs = [(before, question) for of, before, question in PAIRS if of == kind]
    right = [
        (standing_alone(question, [before], split) != question) == (kind == "follow") for before, question in pairs
    ]
    assert len(right) == 20 and sum(right) >= least


def test_a_follow_up_is_asked_behind_the_question_that_it_goes_on_with(split: PieceCache) -> None:
    assert standing_alone(NEXT, [FIRST], split) == f"{FIRST} {NEXT}"
    assert standing_alone(NEXT, [], split) == NEXT


def test_a_follow_up_of_a_follow_up_has_the_subject_of_the_first(split: PieceCache) -> None:
    assert standing_alone("And on CIFAR?", [FIRST, NEXT], split) == f"{FIRST} And on CIFAR?"


def test_after_a_change_of_subject_the_earlier_one_is_gone(split: PieceCache) -> None:
    change = "How are galaxies classified by their shape?"
    assert standing_alone(change, [FIRST, NEXT], split) == change
    assert standing_alone("And stars?", [FIRST, change], split) == f"{change} And stars?"

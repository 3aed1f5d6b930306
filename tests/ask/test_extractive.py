"""Answers in the papers' own words, and refusals."""

import pytest

from tests.ask.texts import LADIES, SAGE, TEA, asked_of, quotes


def test_the_sentence_that_answers_is_quoted_with_its_place() -> None:
    answer = asked_of("How are nodes embedded that were not seen in training?", SAGE, TEA)
    assert not answer.refused and {sentence.status for sentence in answer.sentences} == {"quoted"}
    first = answer.sentences[0].citations[0]
    assert first.paper == "a" and SAGE[first.start : first.end] == first.quote == answer.sentences[0].text
    assert "not seen in training" in first.quote
    assert all(sentence.attribution == 1 for sentence in answer.sentences)


def test_what_nothing_bears_out_is_refused_with_the_nearest_passages() -> None:
    answer = asked_of("How long did the war of the roses last?", SAGE, LADIES, TEA)
    assert answer.refused and answer.sentences == ()
    assert [each.quote for each in answer.nearest] and len(answer.nearest) == 3
    assert len(answer.looked_through) == 3


def test_a_quantity_is_not_answered_by_a_passage_without_a_number() -> None:
    question = "How many features of a node's neighbors are sampled and aggregated?"
    without = "GraphSAGE learns a function that samples and aggregates the features of a node's neighbors."
    assert asked_of(question, without).refused
    assert not asked_of(question, without.replace("the features", "25 features")).refused


def test_sentences_come_in_the_order_of_the_papers() -> None:
    question = "Which accuracy is reached on the Reddit posts?"
    for texts in ((SAGE, LADIES), (LADIES, SAGE)):
        papers = [paper for paper, _ in quotes(asked_of(question, *texts))]
        assert papers == sorted(papers) and set(papers) == {"a", "b"}


def test_two_papers_that_give_different_numbers_are_in_conflict() -> None:
    answer = asked_of("Which accuracy is reached on the Reddit posts?", SAGE, LADIES, TEA)
    apart = {s.citations[0].paper: s.status for s in answer.sentences if "percent" in s.text}
    assert apart == {"a": "conflict", "b": "conflict"}


@pytest.mark.parametrize(
    "other",
    [
        LADIES.replace("83", "78"),
        LADIES.replace("83 percent", "0.83"),  # may be another quantity
        LADIES.replace(
            "the Reddit posts it reaches an accuracy of 83 percent", "the Reddit posts 83 percent are known"
        ),
    ],
)
def test_numbers_of_another_quantity_or_equal_ones_are_no_conflict(other: str) -> None:
    answer = asked_of("Which accuracy is reached on the Reddit posts?", SAGE, other)
    assert {sentence.status for sentence in answer.sentences} == {"quoted"}


def test_one_paper_is_not_in_conflict_with_itself() -> None:
    answer = asked_of("Which accuracy is reached on the Reddit posts?", f"{SAGE} {LADIES}")
    assert {sentence.status for sentence in answer.sentences} == {"quoted"}


def test_words_for_any_paper_do_not_count() -> None:
    question = "How do the authors of these papers sample a fixed number of nodes?"
    assert not asked_of(question, LADIES).refused


def test_british_and_american_spelling_are_one() -> None:
    given = {
        asked_of(f"Which features of a node's {word} are sampled?", SAGE).nearest[0].quote
        for word in ("neighbours", "neighbors")
    }
    assert len(given) == 1
    assert not asked_of("Which features of a node's neighbours are sampled?", SAGE).refused


def test_a_text_without_a_sentence_is_refused() -> None:
    assert asked_of("What is it?", "...").refused

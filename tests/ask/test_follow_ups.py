"""Follow-up questions, with what they leave out."""

import pytest

from citeplug.ask.follow_ups import is_bare, standing_alone
from citeplug.records.answer import Answer, Turn


def asked_after(question: str, *before: str) -> str:
    return standing_alone(question, [Turn(text, Answer(text, True, (), (), ())) for text in before])


@pytest.mark.parametrize(
    ("before", "question", "whole"),
    [
        ("Which accuracy is reached on MNIST?", "And on 20NEWS?", "Which accuracy is reached on 20NEWS?"),
        ("How fast is GraphSAGE?", "What about LADIES?", "How fast is LADIES?"),
        ("What is an anchor?", "And a chain?", "What is a chain?"),
        ("What is minimap2?", "Which licence does it use?", "Which licence does minimap2 use?"),
        ("What is minimap2?", "What are its limits?", "What are minimap2's limits?"),
        ("What is minimap2?", "What about its limits?", "What are the limits of minimap2?"),
        ("When is a checkpoint justified?", "And when is it finalized?", "when is a checkpoint finalized?"),
        ("How many neurons were recorded?", "How were they found?", "How were neurons found?"),
        ("How long is a deposit locked?", "Why?", "Why? How long is a deposit locked?"),
    ],
)
def test_what_a_follow_up_leaves_out_comes_from_the_question_before_it(before: str, question: str, whole: str) -> None:
    assert asked_after(question, before) == whole


@pytest.mark.parametrize(
    "question",
    ["What is Cython?", "Does SciPy support GPUs?", "What is this paper about?", "How many layers are used?"],
)
def test_a_question_that_leaves_nothing_out_is_asked_as_it_is(question: str) -> None:
    assert asked_after(question, "What is SciPy?") == question
    assert asked_after(question) == question


def test_a_follow_up_of_a_follow_up_has_the_subject_of_the_first() -> None:
    whole = asked_after("And on CIFAR?", "Which accuracy does the graph network reach on MNIST?", "And on 20NEWS?")
    assert whole == "Which accuracy does the graph network reach on CIFAR?"
    assert asked_after("And on MNIST?") == "And on MNIST?"


def test_a_question_without_a_subject_asks_for_more() -> None:
    assert all(map(is_bare, ["Why?", "And why is that?", "Tell me more.", "How so?"]))
    assert not any(map(is_bare, ["Why is it slow?", "And on MNIST?", "How many layers are there?"]))

import pytest

from citeplug.text.plaintext import HOLE
from citeplug.write.extractive.person import has_first_person, points_outside, third_person_text


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("our parser and our data", "their parser and their data"),
        ("a graph, which we call a web", "a graph called a web"),
        ("a method that allows us to count", "a method that makes it possible to count"),
        ("a bound that helps us to count", "a bound that helps them to count"),
        ("a parser, and the code that we use", "a parser, and the code that they use"),
        ("an idea in this paper, at last", "an idea at last"),
        ("the proposed parser", "their parser"),
    ],
)
def test_what_authors_say_of_themselves_is_said_of_them(said: str, told: str) -> None:
    assert third_person_text(said) == told


@pytest.mark.parametrize("said", ["my parser", "the parser of this paper", "a tool that I wrote", "them and others"])
def test_what_cannot_be_turned_is_a_hole(said: str) -> None:
    assert HOLE in third_person_text(said)


def test_words_that_only_look_like_the_first_person_stay() -> None:
    assert third_person_text("the US market, type I errors aside") != ""
    assert not has_first_person("the US market")


@pytest.mark.parametrize(
    "text", ["this problem", "a solution to these issues", "it", "its error", "the latter", "such graphs", "as follows"]
)
def test_words_that_need_an_earlier_sentence_are_noticed(text: str) -> None:
    assert points_outside(text)


@pytest.mark.parametrize(
    "text",
    [
        "a parser that reads logs and its error",
        "tools such as grep",
        "those who read",
        "a bound on the error such that it holds",
    ],
)
def test_words_with_their_antecedent_beside_them_are_fine(text: str) -> None:
    assert not points_outside(text)


def test_their_needs_a_plural_before_it() -> None:
    assert HOLE in third_person_text("a framework for evaluating their performance")
    assert HOLE not in third_person_text("a framework for evaluating parsers and their performance")
    assert third_person_text("a framework for evaluating our parser") == "a framework for evaluating their parser"


def test_what_was_described_above_points_outside() -> None:
    assert points_outside("key themes in the categories described above")

import pytest

from citeplug.text.nounphrases import normal_form, noun_phrases, small_words
from tests.related.write.examples import paper


def displays(title: str, abstract: str = "") -> set[str]:
    return {phrase.display for phrase in noun_phrases(paper(abstract, title)).values()}


def test_a_phrase_runs_from_one_function_word_to_the_next() -> None:
    assert "long system logs" in displays("the parsing of long system logs in practice")


@pytest.mark.parametrize("half", ["network based", "using deep", "deep convolutional", "proposed", "logs with"])
def test_half_phrases_are_no_phrases(half: str) -> None:
    found = displays("network based methods using deep convolutional networks", "The proposed logs with trees.")
    assert half not in {phrase.lower() for phrase in found}


def test_the_capitals_of_a_title_go_and_those_of_names_stay() -> None:
    assert "log parsing" in displays("Log Parsing", "We study the parsing of a log, and log parsing.")
    assert "Gaussian processes" in displays("Gaussian Processes", "We study Gaussian processes.")
    assert "BERT" in displays("BERT for logs")


def test_a_name_keeps_all_of_its_capitals() -> None:
    assert "Neural Tangent Kernel" in displays("The Neural Tangent Kernel", "Our kernel is good.")


@pytest.mark.parametrize(
    ("title", "phrase"),
    [
        ("node2vec: Scalable Feature Learning for Networks", "scalable feature learning"),
        ("Simulating the Ising Model", "Ising Model"),
        ("Sampling by Metropolis Hastings", "Metropolis Hastings"),
    ],
)
def test_a_word_that_no_name_looks_like_needs_no_other_witness(title: str, phrase: str) -> None:
    assert phrase in displays(title, "We learn the feature vectors of a model.")


def test_the_titles_phrases_weigh_more() -> None:
    found = noun_phrases(paper("We read server rooms.", "System logs"))
    assert found["system log"].weight > found["server room"].weight
    assert found["system log"].in_title


def test_singular_and_plural_are_one_phrase() -> None:
    assert normal_form("System logs") == normal_form("system log") == "system log"
    assert normal_form("Markov analysis") == "markov analysis"


def test_small_words_are_those_written_small_anywhere() -> None:
    small = small_words([paper("Logs are parsed.", "Parsing Big logs")])
    assert {"are", "parsed", "logs"} <= small
    assert "big" not in small


def test_math_is_in_no_phrase() -> None:
    assert all("$" not in phrase for phrase in displays("The $O(n)$ parser of $k$ logs", r"On \foo trees."))

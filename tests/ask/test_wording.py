"""Sentences as answers: whole, with what they lean on, and definitions."""

import pytest

from citeplug.ask.wording import announces, asked_term, defines, is_named, leans, short_forms, with_context, written_out
from citeplug.text.sentences import sentences_of_paragraphs


@pytest.mark.parametrize(
    "sentence",
    ["Furthermore, it is fast.", "It is fast.", "This procedure infers the strand.", "In addition, memory is saved."],
)
def test_what_joins_on_to_another_sentence_leans(sentence: str) -> None:
    assert leans(sentence)


@pytest.mark.parametrize(
    "sentence", ["In this paper we map reads.", "Classically, reads are mapped.", "Reads are long."]
)
def test_what_can_be_read_by_itself_does_not_lean(sentence: str) -> None:
    assert not leans(sentence)


def test_a_sentence_on_what_a_paper_treats_announces_what_it_says() -> None:
    assert announces("We then review methods for filtering, and survey localized transforms on graphs.")
    assert announces("Advantages and disadvantages of the algorithms are discussed.")
    assert not announces("We propose a filter that is localized in the vertex domain.")


def context(text: str, number: int, *, continued: bool = False) -> str | None:
    place = with_context(text, *sentences_of_paragraphs(text)[number], continued=continued)
    return place and text[slice(*place)]


def test_a_leaning_sentence_has_its_context_as_far_as_its_paragraph_goes() -> None:
    text = "Heading\n\nReads are long. They have errors. These errors are clustered. Thus, mapping is hard."
    assert context(text, 1) == "Reads are long."
    assert context(text, 2) == "Reads are long. They have errors."
    assert context(text, 3) == "Reads are long. They have errors. These errors are clustered."
    assert context(text, 4) is None  # too much would have to be quoted
    assert context("A heading\n\nThis is unclear.", 1) is None


def test_what_a_sentence_announces_is_quoted_with_it() -> None:
    text = "The motives are twofold. First, it pays. Second, it is cheap. Costs are low."
    assert context(text, 0) == "The motives are twofold. First, it pays. Second, it is cheap."


def test_a_sentence_that_is_continued_has_the_next_one_only_if_that_leans_on_it() -> None:
    text = "Attacks are hard to detect. This is because nobody hears of them. They pay. Reads are long."
    assert context(text, 0, continued=True) == "Attacks are hard to detect. This is because nobody hears of them."
    assert context(text, 0) == "Attacks are hard to detect."
    assert context(text, 3, continued=True) == "Reads are long."


@pytest.mark.parametrize(
    ("question", "term"),
    [
        ("What is an anchor?", "anchor"),
        ("What are primary chains?", "primary chains"),
        ("What does ABCD stand for?", "ABCD"),
        ("What is Cython used for?", None),
        ("How are chains found?", None),
        ("What is the size of the sample?", None),
        ("What are the baselines?", None),
    ],
)
def test_the_term_of_a_question_for_a_definition(question: str, term: str | None) -> None:
    assert asked_term(question) == term


@pytest.mark.parametrize(
    ("sentence", "yes"),
    [
        ("An anchor is a 3-tuple.", True),
        ("In our setting, anchor denotes a match.", True),
        ("Anchors, the matches of seeds, are sorted.", True),
        ("It follows BWA, where anchor means an exact match.", True),
        ("Such a match is called an anchor.", True),
        ("We count “anchors”, a kind of match, by their length.", True),
        ("The notion of an anchor refers to a match.", True),
        ("Anchors are sorted by position.", False),
        ("We sort each anchor.", False),
    ],
)
def test_a_definition_begins_with_its_term(sentence: str, yes: bool) -> None:
    assert defines(sentence, "anchor", {}) == yes


def test_abbreviations_are_written_out_except_where_they_are_introduced() -> None:
    texts = ["We use evolutionary algorithms (EAs) and dynamic programming (DP).", "EAs are simple; DP is fast."]
    forms = short_forms(texts)
    assert set(forms) == {"EA", "DP"} or set(forms) == {"EAs", "DP"}
    assert written_out(texts[0], forms) == texts[0]
    assert written_out(texts[1], forms).lower() == "evolutionary algorithms are simple; dynamic programming is fast."
    assert defines(texts[0], "DP", forms)


def test_a_question_names_a_paper_by_its_title_or_by_the_name_before_the_colon() -> None:
    assert is_named("How do graph attention networks weigh neighbours?", "Graph Attention Networks")
    assert not is_named("How do graph attention networks weigh neighbours?", "Heterogeneous Graph Attention Network")
    assert is_named("What does DropEdge remove?", "DropEdge: Towards Deep Graph Convolutional Networks")
    assert not is_named("What is attention?", "Attention")


def test_the_sentence_that_proposes_a_thing_says_what_it_is_and_whose() -> None:
    assert asked_term("Who proposed GraphSAGE?") == "GraphSAGE"
    assert defines("The paper proposes DropEdge, which removes edges from the input graph.", "DropEdge", {})
    assert not defines("DropEdge removes edges from the graph that we propose.", "DropEdge", {})

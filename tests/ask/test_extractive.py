"""Answers in the papers' own words, and refusals."""

from pathlib import Path

import pytest

from benchmarks.answers import Asker, claims
from citeplug.ask.extractive import ScoredPassage, answer_extractively, score_passages
from citeplug.ask.shown import answer_markdown, as_shown
from citeplug.records.answer import AskedPassage, AskedText
from tests.ask.texts import LADIES, SAGE, TEA, asked_of, embed, embedded, quotes, split


def test_the_sentence_that_answers_is_quoted_with_its_place() -> None:
    answer = asked_of("How are nodes embedded that were not seen in training?", SAGE, TEA)
    assert not answer.refused and {sentence.status for sentence in answer.sentences} == {"quoted"}
    first = answer.sentences[0].citations[0]
    assert first.paper == "a" and SAGE[first.start : first.end] == first.quote == answer.sentences[0].text
    assert "not seen in training" in first.quote
    assert all(sentence.attribution == 1 for sentence in answer.sentences)


def test_what_nothing_bears_out_is_refused_with_the_nearest_sentences() -> None:
    answer = asked_of("How many layers does a deep graph network lose?", SAGE, LADIES, TEA)
    assert answer.refused and answer.sentences == ()
    assert 0 < len(answer.nearest) <= 3
    assert not {SAGE, LADIES, TEA} & {each.quote for each in answer.nearest}
    assert len(answer.looked_through) == 3


def test_nothing_is_near_to_a_question_on_something_else() -> None:
    answer = asked_of("Who won the football match yesterday?", SAGE)
    assert answer.refused and answer.nearest == ()


def test_the_nearest_abstract_answers_a_plain_question() -> None:
    pooling = (
        "The paper proposes DiffPool, a pooling module that gives graph neural networks hierarchical representations of"
        " graphs. In every layer, nodes are softly assigned to clusters."
    )
    answer = asked_of("What is DiffPool?", pooling, SAGE, TEA)
    assert [paper for paper, _ in quotes(answer)] == ["a"]
    assert asked_of("What is DiffPool?", SAGE, TEA).refused


def test_a_question_to_which_many_sentences_are_as_near_is_refused() -> None:
    """Which of them answers, if any does, is not known; they are shown as what they are."""
    sets = "Cora, Citeseer, Pubmed, Reddit, Ogbn, Amazon, Coauthor, Flickr, Yelp, Proteins, Enzymes, Mutag".split(", ")
    text = " ".join(f"The graph network is trained on the data set {name}." for name in sets)
    answer = asked_of("Why is the graph network trained on a data set?", text)
    assert answer.refused and all(each.quote.startswith("The graph network") for each in answer.nearest)


def test_a_quantity_is_not_answered_by_a_passage_without_a_number() -> None:
    question = "How many features of a node's neighbors are sampled and aggregated?"
    without = "GraphSAGE learns a function that samples and aggregates the features of a node's neighbors."
    assert asked_of(question, without).refused
    assert not asked_of(question, without.replace("the features", "25 features")).refused


def test_the_sentence_that_answers_best_comes_first_whatever_the_order_of_the_papers() -> None:
    question = "Which accuracy is reached on the Reddit posts?"
    first = [next(quotes(asked_of(question, *texts)))[1] for texts in ((SAGE, LADIES), (LADIES, SAGE))]
    assert first[0] == first[1]
    assert first[0].startswith("On the Reddit posts it reaches an accuracy of 83 percent.")


def test_a_sentence_that_leans_on_the_one_before_it_is_quoted_with_it() -> None:
    answer = asked_of("How is the exponential growth of node-wise sampling avoided?", LADIES)
    (text,) = [sentence.text for sentence in answer.sentences]
    assert text.endswith("This avoids the exponential growth of node-wise sampling.")
    assert text.startswith(("On the Reddit", "LADIES")) and text in LADIES


def test_a_definition_is_preferred_to_other_sentences_about_the_term() -> None:
    text = (
        "Attention maps are everywhere in the analysis of attention maps today. In the ablation, attention maps are"
        " removed. An attention map is a matrix of weights that tells how much each token looks at each other token."
    )
    answer = asked_of("What is an attention map?", text)
    assert answer.sentences[0].text.startswith("An attention map is a matrix")


def test_a_definition_question_is_refused_where_no_sentence_says_what_the_thing_is() -> None:
    text = "We draw the attention maps of each layer beside the text. In the ablation, we remove the attention maps."
    assert asked_of("What is an attention map?", text).refused
    assert not asked_of("Where do you draw the attention maps of each layer?", text).refused


def test_what_was_quoted_is_not_quoted_again() -> None:
    text = "Oolong is fermented for ten hours in a basket. Oolong is fermented since its taste is better so."
    texts, passages = [AskedText("a", "Tea", "abstract", "")], [AskedPassage("a", 1, text)]
    question = embedded("Why is oolong fermented?")
    quoted = [
        answer_extractively(question, texts, passages, embed, split, said) for said in ([], [text.split(". ")[1]])
    ]
    assert "taste" in quoted[0].sentences[0].text and "hours" in quoted[1].sentences[0].text


def test_an_abbreviation_of_the_paper_counts_as_what_it_stands_for() -> None:
    text = (
        "Evolutionary algorithms (EAs) are population based and have been applied to many problems. In each generation,"
        " the best individuals are chosen. EAs were chosen here since they are simple and easy to understand."
    )
    answer = asked_of("Why were evolutionary algorithms chosen?", text)
    assert answer.sentences[0].text.startswith("EAs were chosen here since")


def test_a_row_of_a_table_is_shown_as_one_and_not_as_the_words_of_the_authors() -> None:
    row = "Table 2 | Accuracies on MNIST vs. CIFAR | Graph CNN: 99.14 (MNIST accuracy), 81.2 (CIFAR accuracy)."
    answer = asked_of("Which accuracy does the graph CNN reach on MNIST?", f"We train a graph CNN on images.\n\n{row}")
    (sentence,) = answer.sentences
    assert as_shown(sentence) == "Graph CNN: 99.14 (MNIST accuracy), 81.2 (CIFAR accuracy), Table 2"
    assert sentence.citations[0].quote == row
    assert "“" not in answer_markdown(answer, {})


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


@pytest.mark.shared_data
def test_claims_are_borne_out_by_their_own_abstracts_and_not_by_others(shared_data: Path) -> None:
    """A few of them, and with room; benchmarks/answers.py has the numbers."""
    asker = Asker()
    asked = [(bool(case.bearing), asker.scored(case)[0]) for case in claims()[:36]]
    borne_out = [not answer.refused for bearing, answer in asked if bearing]
    false = [not answer.refused for bearing, answer in asked if not bearing]
    assert sum(borne_out) / len(borne_out) >= 0.6 and sum(false) / len(false) <= 0.2


def scored(question: str, text: str, title: str = "A paper") -> ScoredPassage:
    texts = [AskedText("a", title, "abstract", "")]
    (found,) = score_passages(embedded(question), texts, [AskedPassage("a", 1, text)], embed, split)
    return found


def test_words_of_the_title_say_which_paper_is_meant_and_not_what_is_asked_of_it() -> None:
    """A paper has its own name in every passage."""
    name = "GraphSAGE: Inductive Representation Learning"
    text = "GraphSAGE is a framework for inductive representation learning on graphs of any size."
    question = "Who funded the inductive representation learning of GraphSAGE?"
    assert scored(question, text, name).probability < scored(question, text).probability


def test_a_name_that_the_passage_lacks_lowers_its_probability() -> None:
    with_name = SAGE.replace("Reddit", "PubMed")
    question = "Which accuracy is reached on the PubMed posts?"
    assert scored(question, with_name).features[4] == 0
    assert scored(question, SAGE).features[4] == 1
    assert scored(question, with_name).probability > scored(question, SAGE).probability


def test_of_a_passage_without_a_whole_sentence_its_words_are_scored() -> None:
    assert [sentence.text for sentence in scored("Pooling?", "Pooling.").sentences] == ["Pooling."]
    found = scored("Pooling?", "Pooling. We pool the nodes of the graph.").sentences
    assert [sentence.text for sentence in found] == ["We pool the nodes of the graph."]


def test_a_sentence_that_only_announces_the_subject_is_no_answer() -> None:
    survey = (
        "Signals reside on the vertices of graphs. We review how filters are applied, and survey the localized"
        " filters on graphs that have been proposed."
    )
    answer = asked_of("How are filters localized on graphs?", survey, TEA)
    assert answer.refused and "survey the localized" in answer.nearest[0].quote

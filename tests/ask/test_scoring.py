"""The score of a passage: on claims of SciFact, and what each of its parts holds against a passage."""

from pathlib import Path

import pytest

from benchmarks.answers import Asker, claims
from citeplug.ask.scoring import ScoredPassage, score_passages
from citeplug.records.answer import AskedPassage, AskedText
from tests.ask.texts import SAGE, embed, model


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
    (found,) = score_passages(
        question, model().embed_queries([question])[0], texts, [AskedPassage("a", 1, text)], embed
    )
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

"""Questions made without a model from what papers state."""

import re

import pytest

from citeplug.prepare.questions import MOST, make_pairs, near_duplicates
from tests.prepare.sources import DROPEDGE, source_of


def asked(abstract: str, title: str, *passages: str) -> list[tuple[str, str]]:
    source, paper = source_of(abstract, title, *passages)
    texts = source.texts()
    pairs = make_pairs(source, paper)
    for pair in pairs:
        assert pair.quote == pair.answer == texts[pair.place.passage][pair.place.start : pair.place.end]
    return [(pair.question, pair.quote) for pair in pairs]


def test_what_a_paper_names_is_asked_for_by_its_name() -> None:
    found = dict(asked(DROPEDGE, "DropEdge: Towards deep graph convolutional networks"))
    assert found["What does DropEdge do?"].startswith("DropEdge randomly removes")
    assert found["Which results does DropEdge reach?"] == "DropEdge improves accuracy by 2.4% on average."
    assert found["What is DropEdge?"].startswith("We propose DropEdge, a novel")


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        (
            "We propose a novel method for the recommendation of scientific papers to young readers.",
            "Which novel method for the recommendation of scientific papers to young readers has been proposed?",
        ),
        (
            "This paper investigates the impact of missing citations on the recommendation of scientific papers.",
            "What is known of the impact of missing citations on the recommendation of scientific papers?",
        ),
        (
            "We introduce paper2vec, which embeds scientific papers for their recommendation to young readers.",
            "What is paper2vec?",
        ),
        (
            "We show that missing citations harm the recommendation of scientific papers to young readers.",
            "Is it known that missing citations harm the recommendation of scientific papers to young readers?",
        ),
        (
            "We propose to recommend scientific papers to young readers by the citations that they lack.",
            "Has it been proposed to recommend scientific papers to young readers by the citations that they lack?",
        ),
        (
            "We analyze the recommendation of scientific papers to young readers, and give conditions on its success.",
            "What is known of the recommendation of scientific papers to young readers?",
        ),
        (
            "We define a measure of the recommendation of scientific papers to readers and then prove that it is fair.",
            "Which measure of the recommendation of scientific papers to readers has been defined?",
        ),
        (
            "We provide the first approach to the recommendation of scientific papers to young readers.",
            "Which approach to the recommendation of scientific papers to young readers has been provided?",
        ),
    ],
)
def test_a_stated_contribution_becomes_a_question(sentence: str, question: str) -> None:
    assert asked(sentence, "Recommendation of scientific papers") == [(question, sentence)]


def test_the_title_stands_in_quotation_marks_before_what_does_not_say_what_it_is_on_and_nowhere_else() -> None:
    stated = "We show that an antiferromagnetic spin model is enough for the linear weight of conflict."
    (found,) = asked(stated, "Are there good mistakes? Evidence and its weight of conflict")
    assert found[0].startswith("On “Are there good mistakes? Evidence and its weight of conflict”: is it known that an")
    stated = "We investigate the hourglass effect in general, not always layered, hierarchical dependency networks."
    (found,) = asked(stated, "The Hourglass Effect in Hierarchical Dependency Networks")
    assert found[0].startswith("What is known of the hourglass effect in general")


def test_a_quality_is_no_answer_to_what_a_thing_is() -> None:
    title = "DropEdge: Towards deep graph convolutional networks"
    assert asked("DropEdge is cheap, and it can be combined with all other layers.", title) == []
    found = asked("DropEdge is a way of removing edges from a graph while a network is trained.", title)
    assert [question for question, _ in found] == ["What is DropEdge?"]


def test_questions_never_speak_of_the_paper_or_its_authors() -> None:
    for question, _ in asked(DROPEDGE, "DropEdge: Towards deep graph convolutional networks"):
        assert not re.search(r"\b(?:paper|authors?|we|our)\b", question, re.IGNORECASE)


def test_sentences_of_the_full_text_are_asked_for_too() -> None:
    stated = "In this paper, we present an efficient algorithm for the sampling of edges in deep graph networks."
    found = asked("We study graphs.", "Deep graph networks", "Graphs are large.", stated)
    assert [quote for _, quote in found] == [stated]


def test_the_questions_of_a_paper_are_few_and_differ() -> None:
    many = " ".join(f"DropEdge removes {n} edges of the graph number {n}." for n in range(40))
    found = asked(f"{many} {DROPEDGE}", "DropEdge: Towards deep graph convolutional networks")
    assert len(found) <= MOST and len({question for question, _ in found}) == len(found)


@pytest.mark.parametrize("abstract", ["", "$$$$", "Wir zeigen, dass Graphen groß sind.", "\ud83d \x00 We propose."])
def test_a_text_that_states_nothing_gives_no_question(abstract: str) -> None:
    assert asked(abstract, "On graphs") == []


def test_near_duplicates_share_nearly_all_words() -> None:
    assert near_duplicates("What does DropEdge do?", "What does DropEdge do")
    assert not near_duplicates("What does DropEdge remove?", "What does DropEdge improve in deep networks?")

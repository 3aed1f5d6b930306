"""Passages for a question, and for one that goes on with a conversation."""

from collections.abc import Sequence

from citeplug.ask.retrieval import (
    PASSAGES,
    PER_TEXT,
    EmbeddedPassage,
    choose_passages,
    with_history,
    with_more,
    with_overviews,
)
from citeplug.records.answer import Answer, AnswerSentence, AskedPassage, AskedText, Turn
from tests.ask.texts import embed, embedded

TEXTS = [AskedText(name, f"Paper {name}", "full text", "") for name in ("x", "y", "z")]
SUBJECTS = {
    "x": "Graph sampling draws {} neighbors of every node of the graph",
    "y": "Oolong tea is fermented for {} hours in a basket",
    "z": "The orbit of the comet was observed for {} nights",
}


def candidates() -> list[EmbeddedPassage]:
    passages = [
        AskedPassage(name, number, subject.format(number * 10))
        for name, subject in SUBJECTS.items()
        for number in range(5, 0, -1)
    ]
    vectors = embed([passage.text for passage in passages])
    return [EmbeddedPassage(passage, vector) for passage, vector in zip(passages, vectors, strict=True)]


def chosen(question: str, history: Sequence[Turn] = (), most: int = 4) -> list[tuple[str, int]]:
    conversation = embedded(with_history(question, history)) if history else None
    found = choose_passages(candidates(), TEXTS, embedded(question), conversation, most)
    return [(passage.text_id, passage.number) for passage in found]


def turn(question: str, answer: str = "") -> Turn:
    said = (AnswerSentence(answer, (), 1.0, "quoted"),) if answer else ()
    return Turn(question, Answer(question, not answer, said, (), ()))


def test_few_texts_share_the_passages_and_all_come_in_natural_order() -> None:
    found = chosen("How many neighbors of a node does graph sampling draw?", most=9)
    assert found == sorted(found)
    assert {name: sum(text == name for text, _ in found) for name in SUBJECTS} == dict.fromkeys(SUBJECTS, 3)
    every = [candidate for candidate in candidates() if candidate.passage.text_id == "x"]
    assert len(choose_passages(every, TEXTS[:1], embedded("graph sampling"), None)) == len(every) > PER_TEXT


def test_what_whole_texts_are_about_comes_before_what_was_found() -> None:
    overviews = [[AskedPassage(name, number, "All.") for number in (1, 9, 3)] for name in "xyz"]
    found = [AskedPassage("x", number, "Found.", score=1 / number) for number in range(2, 9)]
    passages = with_overviews(overviews, found, TEXTS)
    best = sorted(passages, key=lambda passage: -passage.score)
    assert [(passage.text_id, passage.number) for passage in best] == [
        *(("x", 1), ("y", 1), ("z", 1), ("x", 9), ("y", 9), ("z", 9), ("x", 3), ("y", 3), ("z", 3)),
        *(("x", 2), ("x", 4), ("x", 5)),
    ]
    assert list(passages) == sorted(passages, key=lambda passage: (passage.text_id, passage.number))


def test_the_history_is_behind_the_question_the_latest_turn_first() -> None:
    said = with_history("And now?", [turn("First?", "One."), turn("Second?", "Two.")])
    assert said.splitlines() == ["And now?", "Second?", "Two.", "First?", "One."]


def test_the_history_lifts_what_was_spoken_of() -> None:
    history = [turn("For how long is oolong tea fermented?", "Oolong tea is fermented for 10 hours in a basket.")]
    question = "How many nights and hours were observed of every node?"
    assert sum(name == "y" for name, _ in chosen(question, history)) > sum(name == "y" for name, _ in chosen(question))


def test_nothing_is_found_in_nothing() -> None:
    assert choose_passages([], TEXTS, embedded("What?"), embedded("What?\nThat?")) == ()


def test_more_passages_stand_beside_the_first_ones_and_take_no_place_of_theirs() -> None:
    first = [AskedPassage("y", number, "Tea.", score=1.0) for number in range(1, 4)]
    more = [AskedPassage("y", 2, "Tea.", score=0.5), *(AskedPassage("x", n, "Graphs.") for n in range(20, 0, -1))]
    found = [(each.text_id, each.number, each.score) for each in with_more(first, more, TEXTS)]
    assert [each for each in found if each[0] == "y"] == [("y", 1, 1.0), ("y", 2, 1.0), ("y", 3, 1.0)]
    others = [number for name, number, _ in found if name == "x"]
    assert others == sorted(others) == list(range(21 - PASSAGES // 2, 21))
    assert with_more(first, [], TEXTS) == tuple(first)

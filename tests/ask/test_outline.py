"""The prose of a text, what in it says what all of it is about, and the questions that ask for that."""

import pytest

from citeplug.ask.outline import is_on_the_whole, outline_of
from citeplug.records.passage import PaperText, TextSection


def text(*sections: tuple[str, str]) -> PaperText:
    return PaperText("p", 1, "own", "T", tuple(TextSection(1, title, body, len(body)) for title, body in sections))


LONG = "\n\n".join(f"Paragraph {number} of the introduction. {'It goes on. ' * 60}" for number in range(3))
SECTIONS = (
    ("Abstract", "We do it."),
    ("1 Introduction", LONG),
    ("Method", "It is done thus."),
    ("Discussion", "It could be done better."),
    ("Conclusions and outlook", "We did it."),
    ("Acknowledgements", "We thank everybody."),
    ("References", "[1] Somebody, Something."),
)


def test_abstract_conclusion_and_the_end_of_the_introduction_say_what_a_text_is_about() -> None:
    overview = outline_of(text(*SECTIONS)).overview
    assert [passage.section for passage in overview] == ["Abstract", "Conclusions and outlook", "1 Introduction"]
    assert "Paragraph 2" in overview[-1].text


def test_without_these_sections_it_is_what_stands_first() -> None:
    assert [passage.text for passage in outline_of(text(("", "First."), ("Method", "Then."))).overview] == ["First."]
    assert outline_of(text()).overview == ()


def test_acknowledgements_references_and_captions_are_no_prose() -> None:
    outline = outline_of(text(*SECTIONS))
    assert len(outline.prose) == len(SECTIONS) - 2 + 2  # the introduction is cut into three
    body = "Prose.\n\nFigure 1: A caption."
    one = PaperText("p", 1, "own", "T", (TextSection(1, "Results", body, body.index("Figure")),))
    assert outline_of(one).prose == {1}


@pytest.mark.parametrize(
    "question",
    [
        "Summarise this paper",
        "Please summarize the second paper.",
        "Give me a short summary of this paper",
        "What are the main contributions?",
        "What is this paper about?",
        "What do the authors propose?",
        "What are its contributions",
        "tl;dr",
    ],
)
def test_a_question_on_the_whole_is_known(question: str) -> None:
    assert is_on_the_whole(question)


@pytest.mark.parametrize(
    "question",
    [
        "What did the authors find about sleep quality?",
        "How do these methods summarise text?",
        "Which papers are about graphs?",
        "What does the encoder do?",
        "Which optimizer was used in this paper?",
        "How is the summary of a document scored?",
    ],
)
def test_a_question_on_a_part_is_none(question: str) -> None:
    assert not is_on_the_whole(question)


def test_an_abstract_with_headings_of_its_own_is_read_in_its_parts() -> None:
    parts = (("Abstract", ""), ("Motivation", "Reads are long."), ("Results", "We align them."), *SECTIONS[1:])
    sections = [passage.section for passage in outline_of(text(*parts)).overview]
    assert sections == ["Motivation", "Results", "Conclusions and outlook", "1 Introduction"]

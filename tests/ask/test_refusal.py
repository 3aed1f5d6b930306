"""What was looked through, in words; earlier answers whose texts have changed."""

from dataclasses import replace
from typing import Literal

import pytest

from citeplug.ask.refusal import cite, looked_through
from citeplug.records.answer import Answer, AnswerSentence, AskedPassage, AskedText, is_stale

Of = Literal["abstract", "full text", "document"]


def texts(*kinds: Of) -> list[AskedText]:
    return [AskedText(str(number), "", of, "d") for number, of in enumerate(kinds)]


@pytest.mark.parametrize(
    ("kinds", "said"),
    [
        (["full text"] * 3 + ["abstract"] * 2, "5 papers: full text of 3, abstracts of 2"),
        (["full text", "abstract"], "2 papers: full text of 1, abstract of 1"),
        (["abstract"], "the abstract of 1 paper"),
        (["full text"] * 2, "the full text of 2 papers"),
        (["abstract"] * 2 + ["document"], "the abstracts of 2 papers and 1 document"),
        (["document"] * 2, "2 documents"),
        ([], "nothing"),
    ],
)
def test_what_was_looked_through_is_counted(kinds: list[Of], said: str) -> None:
    assert looked_through(texts(*kinds)) == said


def test_a_sentence_is_stale_once_a_text_that_it_cites_has_changed() -> None:
    before = texts("document", "document")
    sentence = AnswerSentence("a.", (cite(AskedPassage("0", 1, "a. b."), 0, 2),), 1.0, "quoted")
    answer = Answer("q", False, (sentence,), (), tuple(before))
    assert not is_stale(sentence, answer, before)
    assert not is_stale(sentence, answer, [before[0], replace(before[1], digest="other")])
    assert is_stale(sentence, answer, [replace(before[0], digest="other"), before[1]])
    assert is_stale(sentence, answer, before[1:])

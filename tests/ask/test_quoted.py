"""What is a source's own words is shown in quotation marks, whatever its status and whatever marks are in it."""

import pytest

from citeplug.ask.quoted import as_shown, in_quotation_marks
from citeplug.records.answer import SUMMARY, AnswerCitation, AnswerSentence, AnswerStatus


def sentence(text: str, status: AnswerStatus, quote: str) -> AnswerSentence:
    return AnswerSentence(text, (AnswerCitation("2205.14135", 0, 0, len(quote), quote),), 1.0, status)


@pytest.mark.parametrize("status", ["quoted", "supported", "weak", "conflict"])
def test_a_whole_sentence_of_a_source_has_quotation_marks(status: AnswerStatus) -> None:
    shown = as_shown(sentence("It reaches “high” accuracy.", status, "It reaches\n“high” accuracy."))
    assert shown == "“It reaches ‘high’ accuracy.”"


def test_words_of_a_summary_by_others_have_no_quotation_marks() -> None:
    said = "The paper reaches high accuracy."
    citation = AnswerCitation("2205.14135", 0, 0, len(said), said, SUMMARY)
    assert as_shown(AnswerSentence(said, (citation,), 1.0, "quoted")) == said


@pytest.mark.parametrize("status", ["supported", "weak", "conflict"])
def test_a_sentence_in_other_words_keeps_its_own_marks(status: AnswerStatus) -> None:
    said = "They report “high accuracy” on all tasks."
    assert as_shown(sentence(said, status, "It has high accuracy on all tasks.")) == said


def test_an_older_answer_with_marks_around_the_words_gets_no_second_ones() -> None:
    assert as_shown(sentence("“It rests on attention”.", "quoted", "rests on attention")) == "“It rests on attention”."


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("A “b” c.", "“A ‘b’ c.”"),
        ('A "b" c.', "“A ‘b’ c.”"),
        ("A ``b'' c.", "“A ‘b’ c.”"),
        ("„A“ and «b».", "“‚A‘ and ‹b›.”"),
        ("“A b.”", "“‘A b.’”"),
        ('Disks of 5" and 8" spin.', '“Disks of 5" and 8" spin.”'),
        ("The f'' of $f''$ isn't f'.", "“The f'' of $f''$ isn't f'.”"),
    ],
)
def test_marks_within_a_quotation_become_single(text: str, shown: str) -> None:
    assert in_quotation_marks(text) == shown

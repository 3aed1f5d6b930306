"""Answers for a reader: what was looked through, quotation marks, and Markdown in which nothing acts."""

from dataclasses import replace
from typing import Literal

import pytest

from citeplug.ask.shown import answer_markdown, as_shown, conversation_markdown, in_quotation_marks, looked_through
from citeplug.records.answer import (
    SUMMARY,
    Answer,
    AnswerCitation,
    AnswerSentence,
    AnswerStatus,
    AskedPassage,
    AskedText,
    Turn,
    is_stale,
)
from citeplug.records.section import Judgement

CITATION = AnswerCitation("2205.14135", 3, 0, 21, "in <b>tiles</b> of [x](y)", "Results", 7)
OTHER = AnswerCitation("notes.md", 0, 0, 5, "pages")
TEXTS = (AskedText("2205.14135", "Flash", "full text", "a", 1), AskedText("notes.md", "Notes", "document", "b"))
REFERENCES = {"2205.14135": "T. Dao et al. FlashAttention. arXiv:2205.14135", "notes.md": "notes.md"}


def answer(*sentences: AnswerSentence) -> Answer:
    return Answer("How *is* it?", not sentences, sentences, (CITATION,), TEXTS, "test:model")


def test_each_sentence_has_its_quotations_with_place_and_its_reference() -> None:
    shown = conversation_markdown(
        [Turn("How *is* it?", answer(AnswerSentence("Scores stay.", (CITATION, OTHER), 0.5, "supported")))],
        REFERENCES,
        None,
    )
    assert "## How \\*is\\* it?" in shown
    assert "- Scores stay. [1][2]\n" in shown
    assert "  > “in \\<b\\>tiles\\</b\\> of \\[x\\](y)” [1, Results, p. 7]\n" in shown
    assert "[2, abstract]" in shown
    assert shown.endswith("## References\n\n1. T. Dao et al. FlashAttention. arXiv:2205.14135\n2. notes.md\n")


def test_a_quotation_that_is_the_sentence_is_shown_once() -> None:
    verbatim = AnswerSentence(CITATION.quote, (CITATION,), 1.0, "quoted")
    shown = answer_markdown(answer(verbatim), REFERENCES)
    assert shown.count("tiles") == 1 and "” [1, Results, p. 7]" in shown


def test_doubts_are_beside_the_sentence() -> None:
    weak = AnswerSentence("It may.", (CITATION,), 0.5, "weak", Judgement("partly", "always"))
    conflict = AnswerSentence("It does not.", (OTHER,), 0.5, "conflict")
    now = (TEXTS[0], AskedText("notes.md", "Notes", "document", "changed"))
    shown = conversation_markdown([Turn("?", answer(weak, conflict))], REFERENCES, now)
    assert "It may. [1] *(only partly supported by its sources: “always”)*" in shown
    assert "another answer than that of another sentence; the document has changed since" in shown


def test_a_refusal_shows_what_was_looked_through_and_the_nearest_passages() -> None:
    shown = answer_markdown(answer(), REFERENCES)
    assert "Nothing that bears out an answer was found in the full text of 1 paper and 1 document." in shown
    assert "\n> in \\<b\\>tiles" in shown


def test_a_title_cannot_begin_a_list_or_a_heading() -> None:
    shown = answer_markdown(answer(AnswerSentence("# Big", (OTHER,), 0.5, "quoted")), {"notes.md": "1. - ![x](y)"})
    assert "- “\\# Big” [1]" in shown and "1. 1\\. - !\\[x\\](y)" in shown


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
    sentence = AnswerSentence("a.", (AskedPassage("0", 1, "a. b.").cited(0, 2),), 1.0, "quoted")
    answer = Answer("q", False, (sentence,), (), tuple(before))
    assert not is_stale(sentence, answer, before)
    assert not is_stale(sentence, answer, [before[0], replace(before[1], digest="other")])
    assert is_stale(sentence, answer, [replace(before[0], digest="other"), before[1]])
    assert is_stale(sentence, answer, before[1:])

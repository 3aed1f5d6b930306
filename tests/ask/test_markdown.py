"""A conversation as Markdown: sentences with their quotations and references, and nothing in them that acts."""

from citeplug.ask.markdown import answer_markdown, conversation_markdown
from citeplug.records.answer import Answer, AnswerCitation, AnswerSentence, AskedText, Turn
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


def test_doubts_are_beside_the_sentence() -> None:
    weak = AnswerSentence("It may.", (CITATION,), 0.5, "weak", Judgement("partly", "always"))
    conflict = AnswerSentence("It does not.", (OTHER,), 0.5, "conflict")
    now = (TEXTS[0], AskedText("notes.md", "Notes", "document", "changed"))
    shown = conversation_markdown([Turn("?", answer(weak, conflict))], REFERENCES, now)
    assert "It may. [1] *(its sources bear it out only partly: “always”)*" in shown
    assert "another answer than that of another sentence; the document has changed since" in shown


def test_a_refusal_shows_what_was_looked_through_and_the_nearest_passages() -> None:
    shown = answer_markdown(answer(), REFERENCES)
    assert "Nothing that bears out an answer was found in the full text of 1 paper and 1 document." in shown
    assert "\n> in \\<b\\>tiles" in shown


def test_a_title_cannot_begin_a_list_or_a_heading() -> None:
    shown = answer_markdown(answer(AnswerSentence("# Big", (OTHER,), 0.5, "quoted")), {"notes.md": "1. - ![x](y)"})
    assert "- “\\# Big” [1]" in shown and "1. 1\\. - !\\[x\\](y)" in shown

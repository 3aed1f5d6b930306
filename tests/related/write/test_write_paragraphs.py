"""Sentences that the author rejected are left out, whoever wrote them."""

from citeplug.records.plan import Plan
from citeplug.records.section import Section, SectionParagraph, Sentence
from citeplug.related.write.write_paragraphs import WrittenParagraphs


def test_rejected_words_are_left_out_of_every_paragraph_and_counted() -> None:
    one, two = (Sentence(text, "paper", (), ()) for text in ("One  thing.", "Another thing."))
    section = Section((SectionParagraph("p1", "", (one, two)), SectionParagraph("p2", "", (one,))))
    written = WrittenParagraphs(Plan(()), section, {}).without({"One thing."})
    assert [paragraph.sentences for paragraph in written.section.paragraphs] == [(two,), ()]
    (finding,) = written.findings
    assert finding.code == "sentences_rejected" and finding.message.startswith("2 sentences")


def test_without_a_rejected_sentence_all_stays() -> None:
    written = WrittenParagraphs(Plan(()), Section(()), {})
    assert written.without({"One thing."}) is written

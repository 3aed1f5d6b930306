"""Sentences that the author rejected are left out, whoever wrote them."""

from citeplug.records.plan import Plan
from citeplug.records.section import Section, SectionParagraph, Sentence, Source
from citeplug.related.write.write_paragraphs import WrittenParagraphs


def test_rejected_words_are_left_out_of_every_paragraph_and_counted() -> None:
    one, two = (Sentence(text, "paper", (text[:3],), ()) for text in ("One  thing.", "Another thing."))
    section = Section((SectionParagraph("p1", "", (one, two)), SectionParagraph("p2", "", (one,))))
    written = WrittenParagraphs(Plan(()), section, {}).without({"One thing.": ("p1", one)})
    assert [paragraph.sentences for paragraph in written.section.paragraphs] == [(two,), ()]
    (finding,) = written.findings
    assert finding.code == "sentences_rejected" and finding.message.startswith("2 sentences")


def test_what_says_the_same_of_the_same_source_goes_with_a_rejected_sentence_from_its_paragraph() -> None:
    source = (Source("1701.00001", 1, "a walk method", 11, 24),)
    said, also = (Sentence(f"Roe {verb} “a walk method”.", "paper", ("1701.00001",), source) for verb in ("use", "try"))
    other = Sentence("Roe use “the walk”.", "paper", ("1701.00001",), (Source("1701.00001", 1, "the walk", 30, 38),))
    section = Section((SectionParagraph("p1", "", (also, other)), SectionParagraph("p2", "", (also,))))
    written = WrittenParagraphs(Plan(()), section, {}).without({said.text: ("p1", said)})
    assert [paragraph.sentences for paragraph in written.section.paragraphs] == [(other,), (also,)]


def test_without_a_rejected_sentence_all_stays() -> None:
    written = WrittenParagraphs(Plan(()), Section(()), {})
    assert written.without({"One thing.": ("p1", Sentence("One thing.", "paper", (), ()))}) is written

"""Quotations of full texts in a model's sentence."""

from citeplug.records.passage import Passage
from citeplug.related.attribute.checks import Proposed, SentenceDemands, check_sentence
from citeplug.text.material import draft_material, material_of
from tests.related.write.examples import DRAFT, paper

TEXT = "First words.\n\nOn HDFS logs the parser needs only 37 megabytes of memory, and it never stops."
PASSAGE = Passage("2001.00001", 3, "4.2 Memory", 9, 5, 100, 100 + len(TEXT), TEXT, "pdf")
PAPER = paper("We propose a parser that reads system logs without any templates at all.", "A parser for logs")
SAID = Proposed("On HDFS, [@1] get by with 37 megabytes.", ((1, "the parser needs only 37 megabytes of memory"),))


def test_a_quotation_of_a_passage_is_a_source_with_its_place() -> None:
    desk = {0: draft_material(DRAFT.title, DRAFT.abstract), 1: material_of(1, PAPER, passages=[PASSAGE])}
    checked = check_sentence(SAID, SentenceDemands((1,)), desk)
    assert checked.sentence is not None, checked.refusals
    (source,) = checked.sentence.sources
    assert (source.of, source.version, source.section, source.page) == ("full text", 3, "4.2 Memory", 9)
    assert source.text == TEXT[source.start - 100 : source.end - 100]


def test_without_the_passage_the_quotation_is_refused() -> None:
    desk = {0: draft_material(DRAFT.title, DRAFT.abstract), 1: material_of(1, PAPER)}
    checked = check_sentence(SAID, SentenceDemands((1,)), desk)
    assert checked.sentence is None
    assert any("not in its abstract word for word" in doubt.reason for doubt in checked.hard)

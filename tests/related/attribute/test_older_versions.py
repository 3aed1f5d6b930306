"""Quotations of older versions."""

from dataclasses import replace

import pytest

from citeplug.records.paper import ArxivId
from citeplug.records.section import Section, SectionParagraph, Sentence, Source
from citeplug.related.attribute.attribution import mark_older
from tests.related.retrieve.memory_index import paper

PAPER = paper("1801.00001", "A Title", "An abstract.")


@pytest.mark.parametrize(
    ("of", "quoted", "recorded", "marked"),
    [
        ("full text", 1, 3, 3),
        ("full text", 3, 3, None),
        ("full text", 3, 1, None),
        ("full text", 3, None, None),
        ("full text", None, 3, None),  # a file of the author's own
        ("abstract", 1, 3, None),  # written anew when the record changes
    ],
)
def test_the_record_of_a_newer_version_marks_what_is_quoted_of_a_full_text(
    of: str, quoted: int | None, recorded: int | None, marked: int | None
) -> None:
    source = Source("1801.00001", quoted, "words", 0, 5, of)  # type: ignore[arg-type]
    of_draft = Source(None, None, "words", 0, 5, "full text")
    section = Section((SectionParagraph("p1", "", (Sentence("A.", "paper", ("1801.00001",), (source, of_draft)),)),))
    record = replace(PAPER, id=ArxivId("1801.00001", recorded))
    after, findings = mark_older(section, {"1801.00001": record}, None)
    assert [each.newer for each in after.paragraphs[0].sentences[0].sources] == [marked, None]
    expected = [] if marked is None else [("older_version_quoted", "info")]
    assert [(each.code, each.severity) for each in findings] == expected

"""The places that citations name."""

import pytest

from citeplug.records.section import Section, SectionParagraph, Sentence, Source
from citeplug.related.attribute.attribution import pinpoint, with_pinpoints


def source(place: str, paper: str | None = "1801.00001") -> Source:
    return Source(paper, 1, "words", 0, 5, "full text", "Method", None, place)


@pytest.mark.parametrize(
    ("cites", "sources", "expected"),
    [
        (("1801.00001",), (source("Sec. 3.2"),), "Sec. 3.2"),
        (("1801.00001",), (source("Sec. 3.2"), source("Sec. 3.2"), source("", None)), "Sec. 3.2"),
        (("1801.00001",), (source("Sec. 3.2"), source("Sec. 4")), ""),
        (("1801.00001",), (source("Sec. 3.2"), source("")), ""),
        (("1801.00001", "1801.00002"), (source("Sec. 3.2"),), ""),
        ((), (), ""),
    ],
)
def test_a_place_is_named_where_all_of_a_sentence_on_one_work_is_from_it(
    cites: tuple[str, ...], sources: tuple[Source, ...], expected: str
) -> None:
    sentence = Sentence("A.", "paper", cites, sources)
    assert pinpoint(sentence) == expected
    section = Section((SectionParagraph("p1", "", (sentence,)),))
    for wanted in (True, False):
        made = with_pinpoints(section, enabled=wanted).paragraphs[0].sentences[0]
        assert made.pinpoint == (expected if wanted else "")

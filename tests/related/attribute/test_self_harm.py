"""What a section says against its own draft is reported with the sentence; what does the draft no harm is not."""

from dataclasses import replace

import pytest

from citeplug.records.section import Kind, Section, SectionParagraph, Sentence, Source
from citeplug.related.attribute.attribution import self_harm
from tests.related.write.examples import PARSER, SURVEY, draft

ABSTRACT = (
    "Dialects are hard to tag. We present the first corpus of Alsatian dialects with tags of parts of speech."
    " It has 31,756 sentences by 12 speakers. Our tagger needs no standard orthography."
)
DRAFT = draft(ABSTRACT, "A corpus of Alsatian dialects")
PAPERS = {paper.id.value: paper for paper in (PARSER, SURVEY)}
ONE = PARSER.id.value


def found(text: str, kind: Kind = "paper", papers: object = None, quote: str = "Logs are long.") -> list[str]:
    cites = (ONE,) if "{{" in text else ()
    sentence = Sentence(text, kind, cites, (Source(ONE, None, quote, 0, 1),), by_model=True)
    section = Section((SectionParagraph("p1", "", (sentence,)),))
    findings = self_harm(section, DRAFT, PAPERS if papers is None else papers)  # type: ignore[arg-type]
    assert all("p1: " in finding.message and finding.fix for finding in findings)
    return [finding.code for finding in findings]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("The first corpus of tagged Alsatian dialects is due to them {{cite:2001.00001}}.", "concedes_first"),
        ("{{author:2001.00001}} were the first to tag parts of speech in dialects.", "concedes_first"),
    ],
)
def test_a_sentence_that_harms_the_draft_is_reported(text: str, code: str) -> None:
    assert found(text) == [code]
    assert found(text, "contrast") == []


@pytest.mark.parametrize(
    "text",
    [
        "{{author:2001.00001}} first parse logs, then tag them.",
        "The first parser of logs is by {{author:2001.00001}}.",
        "{{author:2001.00001}} have 9,000 sentences of dialect.",
        "{{author:2001.00001}} report 99.5% accuracy on 40 datasets.",
        "A parser reads logs without templates {{cite:2001.00001}}.",
        "We present the first corpus of Alsatian dialects with tags of parts of speech.",
    ],
)
def test_a_sentence_that_does_not_is_left_alone(text: str) -> None:
    assert found(text) == []


def test_the_draft_among_its_own_references_is_found_by_its_title_or_its_abstract() -> None:
    text = "A parser reads logs {{cite:2001.00001}}."
    assert found(text, papers={ONE: replace(PARSER, title="A Corpus of Alsatian Dialects")}) == ["cites_itself"]
    longer = replace(
        PARSER, abstract=ABSTRACT + " We release all of it, with the code and the guidelines of annotation."
    )
    assert found(text, papers={ONE: longer}) == ["cites_itself"]

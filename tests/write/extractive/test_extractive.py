from pathlib import Path

import pytest

from citeplug.records.draft import BibEntry, Draft, Span
from citeplug.records.finding import Finding
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.records.section import Sentence
from citeplug.write.extractive.section import write_section
from tests.write.examples import DRAFT, EMBEDDING, PARSER, SURVEY, draft, paper

PAPERS = {p.id.value: p for p in (PARSER, SURVEY, EMBEDDING)}
ONE, TWO, THREE = PAPERS


def write(*lines: PlanLine, about: Draft = DRAFT) -> tuple[list[Sentence], list[Finding]]:
    section, findings = write_section(Plan((PlanParagraph("p7", "Logs", lines, 50),)), about, PAPERS)
    (paragraph,) = section.paragraphs
    assert (paragraph.id, paragraph.heading) == ("p7", "Logs")
    return list(paragraph.sentences), findings


def with_entries(*entries: tuple[str, str | None]) -> Draft:
    span = Span(Path("refs.bib"), 0, 1, 1)
    return Draft(
        Path("main.tex"),
        (),
        "Logs",
        DRAFT.abstract,
        entries=tuple(BibEntry(key, "article", {}, span, arxiv_id) for key, arxiv_id in entries),
    )


def codes(findings: list[Finding]) -> list[str]:
    return [finding.code for finding in findings if finding.severity == "warning"]


def test_the_plans_order_is_followed_line_by_line() -> None:
    sentences, _ = write(PlanLine("a", (THREE,)), PlanLine("relate"), PlanLine("b", (ONE,)), PlanLine("c", (TWO,)))
    assert [s.cites for s in sentences] == [(THREE,), (), (ONE,), (TWO,)]
    assert [s.kind for s in sentences] == ["paper", "draft", "paper", "paper"]


def test_two_papers_of_a_line_share_a_sentence() -> None:
    (sentence,), _ = write(PlanLine("compare", (ONE, THREE)))
    assert sentence.cites == (ONE, THREE)
    assert {source.arxiv_id for source in sentence.sources} == {ONE, THREE}


def test_a_contrast_is_made_only_where_the_author_asks_for_it() -> None:
    (asked,), _ = write(PlanLine("contrast the two", (ONE, THREE)))
    (unasked,), _ = write(PlanLine("describe both", (ONE, THREE)))
    assert "whereas" in asked.text
    assert "whereas" not in unasked.text


def test_many_papers_of_a_line_are_listed() -> None:
    more = {
        f"2002.{n:05d}": paper(f"We propose a parser of kind {n} for logs.", f"Parser {n}", arxiv_id=f"2002.{n:05d}")
        for n in range(4)
    }
    plan = Plan((PlanParagraph("p1", "Logs", (PlanLine("list", tuple(more)),), 50),))
    section, _ = write_section(plan, DRAFT, more)
    (sentence,) = section.paragraphs[0].sentences
    assert sentence.cites == tuple(more)
    assert sentence.text.count("{{cite:") == 4


def test_the_intent_chooses_among_what_the_abstract_says() -> None:
    (sentence,), _ = write(PlanLine("the number of errors is bounded, they prove", (ONE,)))
    assert "bounded" in sentence.text


def test_a_second_mention_says_something_else() -> None:
    (first, second), _ = write(PlanLine("x", (ONE,)), PlanLine("x", (ONE,)))
    assert first.text != second.text


def test_an_id_with_a_version_is_the_paper() -> None:
    (sentence,), findings = write(PlanLine("x", (f"{ONE}v2",)))
    assert sentence.cites == (ONE,)
    assert codes(findings) == []


def test_a_key_of_the_bibliography_stands_for_its_paper() -> None:
    (sentence,), findings = write(PlanLine("x", ("adams20",)), about=with_entries(("adams20", ONE)))
    assert sentence.cites == (ONE,)
    assert codes(findings) == []


def test_nothing_is_said_of_a_work_without_an_abstract() -> None:
    sentences, findings = write(PlanLine("x", ("knuth",)), about=with_entries(("knuth", None)))
    assert sentences == []
    assert codes(findings) == ["plan_no_source"]
    assert "knuth" in findings[0].message


def test_an_unknown_paper_is_reported_and_the_others_of_its_line_stay() -> None:
    (sentence,), findings = write(PlanLine("x", ("9912.99999", ONE, "nobody")))
    assert sentence.cites == (ONE,)
    assert codes(findings) == ["plan_unknown_paper", "plan_unknown_paper"]


def test_a_paragraph_without_a_closing_says_so() -> None:
    _, findings = write(PlanLine("relate"), about=draft(""))
    assert [finding.code for finding in findings] == ["no_draft_statement"]


@pytest.mark.parametrize("abstract", ["", "Nous proposons une méthode pour les journaux."])
def test_a_paper_that_says_nothing_is_mentioned_by_its_title(abstract: str) -> None:
    silent = paper(abstract, "Sur les journaux")
    plan = Plan((PlanParagraph("p1", "Logs", (PlanLine("x", (silent.id.value,)),), 50),))
    section, findings = write_section(plan, DRAFT, {silent.id.value: silent})
    (sentence,) = section.paragraphs[0].sentences
    assert "“Sur les journaux”" in sentence.text
    assert "title_only" in [finding.code for finding in findings]
    assert [abstract[s.start : s.end] for s in sentence.sources] == [s.text for s in sentence.sources]


def test_close_wording_is_reported() -> None:
    text = "We study one two three four five six seven eight nine ten kinds of logs."
    close = paper(text)
    plan = Plan((PlanParagraph("p1", "Logs", (PlanLine("x", (close.id.value,)),), 50),))
    section, findings = write_section(plan, DRAFT, {close.id.value: close})
    (sentence,) = section.paragraphs[0].sentences
    assert sentence.quoted
    assert "close_wording" in [finding.code for finding in findings]

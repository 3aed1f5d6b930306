from dataclasses import replace

import numpy as np

from citeplug.records.paper import Shortlisted
from citeplug.related.plan.from_clusters import RELATE, is_listing, make_plan, with_line
from tests.related.write.examples import DRAFT, EMBEDDING, PARSER, SURVEY, paper

SHORTLIST = [Shortlisted(PARSER, 0.9), Shortlisted(SURVEY, 0.7), Shortlisted(EMBEDDING, 0.8)]


def test_every_paper_has_its_line_and_the_plan_ends_with_the_draft() -> None:
    plan = make_plan(DRAFT, SHORTLIST, {})
    cites = [cite for p in plan.paragraphs for line in p.lines for cite in line.cites]
    assert sorted(cites) == sorted(item.paper.id.value for item in SHORTLIST)
    lines = [line for paragraph in plan.paragraphs for line in paragraph.lines]
    assert [line for line in lines if not line.cites] == [lines[-1]]
    assert lines[-1].intent == RELATE


def test_papers_that_say_nothing_to_report_share_a_line_at_the_end() -> None:
    (paragraph,) = make_plan(DRAFT, SHORTLIST, {}, reportable=lambda paper: paper is SURVEY).paragraphs
    assert [line.cites for line in paragraph.lines] == [(SURVEY.id.value,), (PARSER.id.value, EMBEDDING.id.value), ()]


def test_the_best_paper_comes_first() -> None:
    (paragraph,) = make_plan(DRAFT, SHORTLIST, {}).paragraphs
    assert [line.cites for line in paragraph.lines[:2]] == [(PARSER.id.value,), (EMBEDDING.id.value,)]


def test_a_paper_given_twice_is_planned_once() -> None:
    plan = make_plan(DRAFT, [*SHORTLIST, *SHORTLIST], {})
    assert plan == make_plan(DRAFT, SHORTLIST, {})


def test_intents_are_plain_words_that_the_grammar_can_carry() -> None:
    for paragraph in make_plan(DRAFT, SHORTLIST, {}).paragraphs:
        assert paragraph.heading[:1].isupper() or not paragraph.heading
        assert paragraph.words > 0
        for line in paragraph.lines:
            assert line.intent
            assert not set(line.intent) & set("[]%\n\\{}")


def test_nothing_to_plan_gives_no_paragraphs() -> None:
    assert make_plan(DRAFT, [], {}).paragraphs == ()


def test_paragraph_ids_count_from_one() -> None:
    assert [p.id for p in make_plan(DRAFT, SHORTLIST, {}).paragraphs] == ["p1"]


def test_a_paper_stands_behind_those_that_it_cites() -> None:
    parser, embedding, survey = (each.id.value for each in (PARSER, EMBEDDING, SURVEY))
    cites = {parser: {embedding}, embedding: {survey}, survey: {parser}}
    (paragraph,) = make_plan(DRAFT, SHORTLIST, {}, references={parser: {survey}}).paragraphs
    assert [line.cites for line in paragraph.lines[:3]] == [(survey,), (parser,), (embedding,)]
    (circle,) = make_plan(DRAFT, SHORTLIST, {}, references=cites).paragraphs
    assert sorted(line.cites for line in circle.lines[:3]) == [(parser,), (survey,), (embedding,)]


def test_what_the_draft_cites_comes_before_all_others() -> None:
    parser, embedding, survey = (each.id.value for each in (PARSER, EMBEDDING, SURVEY))
    (paragraph,) = make_plan(DRAFT, SHORTLIST, {}, cited={survey}).paragraphs
    assert [line.cites for line in paragraph.lines[:3]] == [(survey,), (parser,), (embedding,)]


def test_cited_works_that_can_only_be_named_come_first_in_the_list_that_ends_a_paragraph() -> None:
    parser, embedding, survey = (each.id.value for each in (PARSER, EMBEDDING, SURVEY))
    (paragraph,) = make_plan(DRAFT, SHORTLIST, {}, (), lambda paper: paper is PARSER, {}, {survey}).paragraphs
    assert [line.cites for line in paragraph.lines] == [(parser,), (survey, embedding), ()]


def test_works_without_a_theme_that_can_only_be_named_have_no_paragraph_of_their_own() -> None:
    titles = [f"{kind} of planar graphs" for kind in ("coloring", "cuts", "walks", "weights")]
    titles += [f"{kind} of system logs" for kind in ("parsing", "templates", "storage", "search")]
    titles += ["rivers in spring", "songs of whales", "a handbook"]
    papers = [paper("", title, arxiv_id=f"2001.0000{number}") for number, title in enumerate(titles[:9])]
    papers += [paper("", title, arxiv_id=f"2001.0001{number}") for number, title in enumerate(titles[9:])]
    vectors = {item.id.value: np.array([n < 4, 3 < n < 8, n >= 8, n >= 4], float) for n, item in enumerate(papers)}
    draft = replace(DRAFT, title="System logs as planar graphs", abstract="")
    shortlist = [Shortlisted(item, 1 - 0.01 * n) for n, item in enumerate(papers)]
    own = make_plan(draft, shortlist, vectors)
    assert sorted(paragraph.heading for paragraph in own.paragraphs) == ["", "Planar graphs", "System logs"]
    listed = {item.id.value for item in papers[8:]}
    plan = make_plan(draft, shortlist, vectors, (), lambda item: item.id.value not in listed)
    assert sorted(paragraph.heading for paragraph in plan.paragraphs) == ["Planar graphs", "System logs"]
    (logs,) = [paragraph for paragraph in plan.paragraphs if paragraph.heading == "System logs"]
    assert [{*line.cites} for line in logs.lines if line.cites][-1] == listed


def test_a_cited_paper_that_comes_in_later_also_stands_before_all_others() -> None:
    parser, embedding, survey = (each.id.value for each in (PARSER, EMBEDDING, SURVEY))
    (paragraph,) = make_plan(DRAFT, SHORTLIST[:2], {}, cited={parser}).paragraphs
    for cited, order in (({parser, embedding}, [parser, embedding, survey]), ({parser}, [parser, survey, embedding])):
        with_it = with_line(paragraph, EMBEDDING, None, cited)
        assert [line.cites for line in with_it.lines] == [*((value,) for value in order), ()]


def test_papers_that_come_in_later_and_are_only_listed_share_a_line() -> None:
    (paragraph,) = make_plan(DRAFT, SHORTLIST[:1], {}).paragraphs
    with_two = with_line(with_line(paragraph, EMBEDDING, lambda _: False), SURVEY, lambda _: False)
    assert [line.cites for line in with_two.lines if is_listing(line.intent)] == [(EMBEDDING.id.value, SURVEY.id.value)]


def test_what_is_described_and_only_near_the_theme_of_a_heading_comes_last() -> None:
    titles = [
        "A data set of shapes",
        *(f"Spherical networks for {kind}" for kind in ("maps", "skies", "rooms", "cells")),
    ]
    titles += [f"Sentence parsers for {kind}" for kind in ("news", "speech", "laws", "logs")]
    papers = [paper("", title, arxiv_id=f"2001.0000{number}") for number, title in enumerate(titles)]
    vectors = {item.id.value: np.array([1.0, 0.0] if number < 5 else [0.0, 1.0]) for number, item in enumerate(papers)}
    draft = replace(DRAFT, title="Spherical networks and sentence parsers")
    plan = make_plan(draft, [Shortlisted(item, 1 - 0.1 * n) for n, item in enumerate(papers)], vectors)
    (spherical,) = [paragraph for paragraph in plan.paragraphs if paragraph.heading.startswith("Spher")]
    cites = [cite for line in spherical.lines for cite in line.cites]
    assert cites[0] == "2001.00001" and cites[-1] == "2001.00000"


def test_data_sets_and_software_come_behind_methods_described_or_not() -> None:
    titles = [
        "LogNet: a large corpus of logs",
        "A parser of logs",
        "LogTools: reading logs in Python",
        "A reader of logs",
    ]
    papers = [paper("", title, arxiv_id=f"2001.0000{number}") for number, title in enumerate(titles)]
    shortlist = [Shortlisted(item, 1 - 0.1 * n) for n, item in enumerate(papers)]
    for reportable, order in (
        (lambda item: True, "1302"),
        (lambda item: False, "1302"),
        (lambda item: item is papers[0], "1320"),
    ):
        (paragraph,) = make_plan(DRAFT, shortlist, {}, reportable=reportable).paragraphs
        assert "".join(cite[-1] for line in paragraph.lines for cite in line.cites) == order

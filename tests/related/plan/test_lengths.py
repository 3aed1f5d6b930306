"""A plan made to fit a number of words."""

import pytest

from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.records.section import Section, SectionParagraph, Sentence
from citeplug.related.plan.from_clusters import MORE, RELATE
from citeplug.related.plan.lengths import fit_within, left_out_for_length, length_doubts, share_words

PAPERS = [f"2001.000{number:02}" for number in range(12)]


def plan_of(*sizes: int) -> Plan:
    """Paragraphs of so many papers, one or two in a line, each with a closing line."""
    left = list(PAPERS)
    paragraphs = []
    for number, size in enumerate(sizes, 1):
        taken, left = left[:size], left[size:]
        lines = [PlanLine("describe work on x", (taken[0],))]
        lines += [PlanLine("say what this work contributes", tuple(taken[at : at + 2])) for at in range(1, size, 2)]
        paragraphs.append(PlanParagraph(f"p{number}", f"H{number}", (*lines, PlanLine(RELATE)), 25 * (len(lines) + 1)))
    return Plan(tuple(paragraphs))


def cites(plan: Plan) -> set[str]:
    return {cite for paragraph in plan.paragraphs for line in paragraph.lines for cite in line.cites}


def as_abstracts_do(plan: Plan) -> list[list[int]]:
    """18 words on a paper, 10 on each of several, and a second sentence on the first paper alone."""
    return [
        [
            (18 if line.cites == (PAPERS[0],) else 0)
            if line.intent == MORE
            else 18
            if len(line.cites) < 2
            else 10 * len(line.cites)
            for line in paragraph.lines
        ]
        for paragraph in plan.paragraphs
    ]


def said(plan: Plan) -> int:
    return sum(map(sum, as_abstracts_do(plan)))


@pytest.mark.parametrize("words", [20, 60, 100, 130, 160, 400])
def test_words_are_an_upper_bound_for_whole_sentences(words: int) -> None:
    fitted = fit_within(plan_of(4, 3), words, as_abstracts_do)
    assert said(fitted) <= words
    longer = plan_of(4, 3) if words < said(plan_of(4, 3)) else fitted
    assert said(fitted) + 40 > min(words, said(longer))


def test_the_least_papers_are_left_out_and_those_that_are_wanted_stay() -> None:
    fitted = fit_within(plan_of(4, 3), 90, as_abstracts_do)
    assert PAPERS[0] in cites(fitted) and not cites(fitted) >= {*PAPERS[:7]}
    assert cites(fit_within(plan_of(4, 3), 90, as_abstracts_do, PAPERS[:7])) == {*PAPERS[:7]}


def test_papers_left_out_for_the_length_are_reported() -> None:
    fitted = fit_within(plan_of(4, 3), 90, as_abstracts_do)
    (finding,) = left_out_for_length(fitted, PAPERS[:7], 90)
    assert finding.code == "papers_left_out"
    assert all((paper in finding.message) != (paper in cites(fitted)) for paper in PAPERS[:7])
    assert not left_out_for_length(plan_of(4, 3), PAPERS[:7], 90)


def test_one_sentence_stays_however_few_the_words() -> None:
    assert cites(fit_within(plan_of(4, 3), 1, as_abstracts_do)) == {PAPERS[0]}


def test_sentences_for_which_there_are_no_words_are_not_planned() -> None:
    fitted = fit_within(plan_of(4, 3), 900, as_abstracts_do)
    more = [line.cites for p in fitted.paragraphs for line in p.lines if line.intent == MORE]
    assert set(more) == {(PAPERS[0],)}


@pytest.mark.parametrize("intent", ["list further work on x", "list further work"])
def test_a_line_that_lists_works_stays_whole_in_a_longer_plan(intent: str) -> None:
    listed = PlanLine(intent, tuple(PAPERS[1:4]))
    plan = Plan((PlanParagraph("p1", "H1", (PlanLine("describe work on x", (PAPERS[0],)), listed), 50),))
    assert listed in fit_within(plan, 400, as_abstracts_do).paragraphs[0].lines


PROSE = Plan(
    (
        PlanParagraph(
            "p1",
            "H",
            (
                PlanLine("what is at stake", kind="topic"),
                PlanLine("introduce", (PAPERS[0],), weight="core"),
                PlanLine("others", tuple(PAPERS[1:4]), weight="passing"),
                PlanLine("what they leave open", (PAPERS[0], PAPERS[1]), "draft"),
            ),
            125,
        ),
    )
)


def test_words_are_shared_in_the_proportion_of_the_paragraphs() -> None:
    shared = share_words(plan_of(4, 1), 100)
    assert [p.words for p in shared.paragraphs] == [67, 33]


def test_a_section_of_another_length_is_told_and_what_would_help() -> None:
    said = Sentence("One two three four five six seven eight nine ten.", "paper", ("2001.00001",), (), 1.0)
    section = Section((SectionParagraph("p1", "", (said,)),))
    (doubt,) = length_doubts(section, 40, at_most=False)
    assert doubt.code == "section_length" and doubt.fix is not None and "about 4 papers" in doubt.fix
    assert not length_doubts(section, 11, at_most=False) and not length_doubts(section, None, at_most=True)
    assert not length_doubts(section, 9, at_most=False) and length_doubts(section, 9, at_most=True)

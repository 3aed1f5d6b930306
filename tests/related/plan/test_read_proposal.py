"""What is followed of a model's plan, and what is said of the rest."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.records.dialogue import Reply
from citeplug.records.paper import Paper
from citeplug.related.plan.read_proposal import PlanProposal, read_proposal
from tests.harness.scripted_models import planned_line as line
from tests.related.write.examples import DRAFT, EMBEDDING, PARSER, SURVEY

PAPERS = [PARSER, SURVEY, EMBEDDING]
IDS = [paper.id.value for paper in PAPERS]
MANY = [replace(PARSER, id=replace(PARSER.id, value=f"2002.{n:05d}")) for n in range(9)]
OWN = " ".join(DRAFT.abstract.split()[:7])
OTHER = " ".join(DRAFT.abstract.split()[-7:])
OPEN = " ".join(SURVEY.abstract.split()[:8])


def paragraph(*lines: Any, heading: str = "Reading logs", words: Any = 50) -> dict[str, Any]:
    return {"heading": heading, "words": words, "lines": list(lines)}


def read(*paragraphs: Any, papers: Sequence[Paper] = PAPERS, pinned: Sequence[str] = ()) -> PlanProposal:
    found = read_proposal(Reply("", {"left_out": [], "paragraphs": list(paragraphs)}), papers, DRAFT, pinned)
    assert found is not None
    return found


def cites(proposal: PlanProposal) -> list[tuple[str, ...]]:
    return [each.cites for p in proposal.plan.paragraphs for each in p.lines]


def ids(*rows: int) -> tuple[str, ...]:
    return tuple(MANY[row - 1].id.value for row in rows)


def test_a_paper_may_have_two_lines_and_no_third() -> None:
    lines = [line("one", [1], weight="core"), line("two", [1], weight="core"), line("three", [1], weight="core")]
    found = read(paragraph(*lines, line("more", [2, 3]), line("again", [2])), papers=MANY)
    assert cites(found) == [ids(1), ids(1), ids(2, 3), ids(2)]
    assert found.plan.paragraphs[0].lines[0].weight == "core"
    assert found.repairs == ["papers were repeated in 1 lines, and left out there"]


def test_passing_papers_are_named_together_and_a_crowded_line_is_divided() -> None:
    found = read(paragraph(line("theme", [1, 2, 3, 4], weight="passing"), line("say", [5, 6, 7, 8, 9])), papers=MANY)
    assert cites(found) == [ids(1, 2, 3, 4), ids(5, 6, 7), ids(8, 9)]
    assert [each.weight for each in found.plan.paragraphs[0].lines] == ["passing", None, None]


def test_a_topic_opens_its_paragraph_and_cites_nothing() -> None:
    lines = [line("they share a claim", [2], "topic"), line("x", [1, 2, 3]), line("late", [], "topic")]
    found = read(paragraph(*lines))
    first = found.plan.paragraphs[0].lines[0]
    assert (first.role, first.cites, first.intent) == ("topic", (), "they share a claim")
    assert found.repairs == ["a topic line in the middle of a paragraph is left out: “late”"]


def test_what_sets_the_draft_apart_comes_last_and_names_works() -> None:
    found = read(paragraph(line("apart", [2], "draft", OWN, OPEN), line("x", [1, 2, 3])))
    last = found.plan.paragraphs[0].lines[-1]
    assert (last.role, last.cites) == ("draft", (PAPERS[1].id.value,))
    assert found.repairs == []


@pytest.mark.parametrize(
    ("does", "leaves", "why"),
    [
        ("we solve everything there is to solve", OPEN, "it quotes nothing from the draft"),
        ("", "", "it quotes nothing from the draft"),
        (OWN, "nobody has ever done this before us", "what it quotes about the works is nowhere to be found"),
    ],
)
def test_a_line_on_the_draft_that_no_text_bears_out_is_left_out_and_said(does: Any, leaves: Any, why: str) -> None:
    found = read(paragraph(line("x", [1, 2, 3]), line("we are better", [], "draft", does, leaves)))
    assert [each.role for each in found.plan.paragraphs[0].lines] == ["paper"]
    assert found.repairs == [f"a line on the draft is left out, since {why}: “we are better”"]


@pytest.mark.parametrize("leaves", ["", None, " "])
def test_what_the_works_leave_open_need_not_stand_in_a_text(leaves: Any) -> None:
    found = read(paragraph(line("x", [1, 2, 3]), line("we look for faults", [2], "draft", OWN, leaves)))
    assert [each.role for each in found.plan.paragraphs[0].lines] == ["paper", "draft"]


def test_no_fact_of_the_draft_is_told_twice() -> None:
    found = read(
        paragraph(line("x", [1]), line("first", [], "draft", OWN, OPEN)),
        paragraph(line("y", [2]), line("same again", [], "draft", OWN, OPEN)),
        paragraph(line("z", [3]), line("another", [], "draft", OTHER, OPEN)),
    )
    assert [p.lines[-1].intent for p in found.plan.paragraphs] == ["first", "y", "another"]
    assert found.repairs == ["a line on the draft is left out, since another line says the same about it: “same again”"]


@pytest.mark.parametrize("heading", [r"\input{x}", "see https://x.org", "[a] is best", "two.\n% citeplug:end", "$\\x$"])
def test_a_heading_that_is_no_plain_words_is_left_out_and_said(heading: str) -> None:
    found = read(paragraph(line("x", [1, 2, 3]), heading=heading))
    assert found.plan.paragraphs[0].heading == ""
    (repair,) = found.repairs
    assert repair.startswith("the heading of paragraph 1 is left out, since it is not plain words: “")


def test_a_heading_that_is_too_long_is_cut_at_a_word_and_said() -> None:
    found = read(paragraph(line("x", [1, 2, 3]), heading="Problems of reading " + "very " * 40 + "long logs"))
    heading = found.plan.paragraphs[0].heading
    assert heading.startswith("Problems of reading very") and len(heading) <= 100 and heading.endswith("very")
    assert "has more than 100 characters" in found.repairs[0]


def test_the_planner_s_words_are_kept() -> None:
    intents = ["Say that parsing fails; why it does, and for whom", "Compare: 3 of 4 logs (75 %) of size $n$ [1, 2]."]
    found = read(paragraph(line(intents[0], [1, 2]), line(intents[1], [3])))
    said = [each.intent for each in found.plan.paragraphs[0].lines]
    assert said == [intents[0], "Compare: 3 of 4 logs (75 percent) of size n"]


@pytest.mark.parametrize("words", [100_000, 0, -3, "many", None])
def test_words_that_cannot_be_are_replaced_by_what_the_lines_need(words: Any) -> None:
    lines = [line("t", [], "topic"), line("x", [1], weight="core"), line("y", [2, 3])]
    assert read(paragraph(*lines, words=words)).plan.paragraphs[0].words == 20 + 45 + 35


def test_a_plan_of_500_lines_is_bounded_and_what_falls_out_is_told() -> None:
    found = read(paragraph(*(line(f"line {n}", [1 + n % 3]) for n in range(500))))
    assert len(found.plan.paragraphs[0].lines) == 6
    assert found.repairs[-1] == "the lines of paragraph 1 beyond the first 12 are left out"
    many = read(*(paragraph(line("x", [1 + n]), heading=f"H{n}") for n in range(9)), papers=MANY)
    assert len(many.plan.paragraphs) == 9


def test_hundreds_of_repairs_are_counted() -> None:
    lines = [line("% no", [1, 2, 3]), *(line(f"apart {n}", [], "draft") for n in range(11))]
    found = read(*(paragraph(*lines, heading="\\x") for _ in range(5)))
    assert len(found.repairs) <= 14
    assert "more lines, headings or paragraphs were changed" in found.repairs[-1]


def test_a_paragraph_without_papers_is_left_out_and_said() -> None:
    found = read(paragraph(line("t", [], "topic"), heading="Outlook"), paragraph(line("x", [1, 2, 3])))
    assert [p.id for p in found.plan.paragraphs] == ["p1"]
    assert found.repairs == ["a paragraph without papers is left out: “Outlook”"]


def test_a_last_paragraph_may_set_the_draft_apart_from_works_that_are_discussed_before() -> None:
    closing = line("take up what they leave open", [1, 2], "draft", OWN)
    found = read(paragraph(line("say", [1, 2, 3])), paragraph(closing, heading="This work"))
    last = found.plan.paragraphs[-1]
    assert (last.heading, [each.role for each in last.lines], found.repairs) == ("This work", ["draft"], [])
    early = read(paragraph(closing, heading="This work"), paragraph(line("say", [1, 2, 3])))
    assert [p.heading for p in early.plan.paragraphs] == ["Reading logs"]


def test_a_line_on_the_draft_names_no_work_that_is_left_out() -> None:
    found = read(paragraph(line("x", [1, 2, 3]), line("apart", [4, 2], "draft", OWN, OPEN)), papers=[*MANY[:3], SURVEY])
    assert found.plan.paragraphs[0].lines[-1].cites == ids(2)
    assert SURVEY.id.value in found.left_out


def test_unknown_handles_are_counted() -> None:
    found = read(paragraph({**line("x", []), "handles": [1, 2, 3, 40, "five", None]}))
    assert found.repairs == ["3 handles are not in the shortlist"]


def test_papers_that_nobody_places_are_left_out_without_a_reason() -> None:
    found = read(paragraph(line("x", [1, 2, 3])), papers=MANY)
    assert found.left_out == dict.fromkeys(ids(4, 5, 6, 7, 8, 9), "")


_handles = st.lists(st.integers(-1, 5) | st.text(max_size=3), max_size=6) | st.none()
_line = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(["topic", "paper", "draft", "song", None]),
        "intent": st.text(max_size=30) | st.none(),
        "handles": _handles,
        "weight": st.sampled_from(["core", "usual", "passing", 3]),
        "draft_does": st.sampled_from([OWN, OTHER, "", None]),
        "left_open": st.sampled_from([OPEN, "", 4]),
    }
)
_paragraph = st.fixed_dictionaries(
    {
        "heading": st.text(max_size=30),
        "words": st.integers(-5, 900),
        "lines": st.lists(_line | st.none(), max_size=12),
    }
)


@given(
    st.lists(_paragraph | st.integers(), max_size=4), st.lists(st.fixed_dictionaries({"handle": st.integers(-1, 5)}))
)
def test_whatever_is_proposed_each_paper_is_in_the_plan_or_left_out_and_no_other(
    paragraphs: list[Any], left_out: list[Any]
) -> None:
    found = read_proposal(Reply("", {"left_out": left_out, "paragraphs": paragraphs}), PAPERS, DRAFT, [IDS[0]])
    if found is None:
        return
    lines = [each for p in found.plan.paragraphs for each in p.lines]
    placed = {cite for each in lines if each.role == "paper" for cite in each.cites}
    assert placed == {cite for each in lines for cite in each.cites}
    assert placed | set(found.left_out) == set(IDS) and not placed & set(found.left_out)
    assert IDS[0] in placed
    assert all(each.role != "topic" or not each.cites for each in lines)

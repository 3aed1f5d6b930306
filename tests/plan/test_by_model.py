from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.errors import BudgetReached, Cancelled, CiteplugError, ModelUnavailable
from citeplug.plan.by_model import propose_plan, read_plan
from citeplug.records.dialogue import Reply
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.write.by_model.prose import shared_part
from tests.scripted_models import ScriptedModel, honest_model
from tests.write.examples import DRAFT, EMBEDDING, PARSER, SURVEY

PAPERS = {p.id.value: p for p in (PARSER, SURVEY, EMBEDDING)}
IDS = list(PAPERS)
FALLBACK = Plan(
    (
        PlanParagraph("p1", "Logs", (PlanLine("a", (IDS[0],)), PlanLine("b", (IDS[1],))), 50),
        PlanParagraph("p2", "Vectors", (PlanLine("c", (IDS[2],)),), 25),
    )
)
SHARED = shared_part(DRAFT.title, DRAFT.abstract)


def placed(plan: Plan) -> list[str]:
    return sorted(cite for p in plan.paragraphs for line in p.lines for cite in line.cites)


def paragraph(*lines: Any, heading: str = "Reading logs", words: int = 50) -> dict[str, Any]:
    return {"heading": heading, "words": words, "lines": [{"intent": i, "handles": h} for i, h in lines]}


def plan_from(*paragraphs: Any) -> tuple[Plan | None, str]:
    plan, repairs = read_plan(Reply("", {"paragraphs": list(paragraphs)}), IDS, FALLBACK)
    return plan, str(repairs)


def test_a_good_plan_is_taken_as_it_is() -> None:
    plan, findings = propose_plan(FALLBACK, PAPERS, honest_model(), SHARED)
    assert placed(plan) == sorted(IDS)
    assert plan.paragraphs[0].heading == "Group A of methods"
    assert findings == []


def test_every_paper_is_placed_exactly_once() -> None:
    plan, repairs = plan_from(paragraph(("say it", [1]), ("compare", [1, 9, 2])))
    assert plan is not None
    assert placed(plan) == sorted(IDS)
    assert repairs == "1 left out, 1 placed twice, 1 not of the shortlist"


def test_a_paper_left_out_goes_where_its_kin_are_before_the_closing_line() -> None:
    plan, _ = plan_from(paragraph(("say it", [1]), ("relate", [])), paragraph(("embed", [3])))
    assert plan is not None
    assert [line.cites for line in plan.paragraphs[0].lines] == [(IDS[0],), (IDS[1],), ()]


def test_a_crowded_line_is_divided() -> None:
    many = {f"2002.{n:05d}": PARSER for n in range(7)}
    plan, _ = read_plan(Reply("", {"paragraphs": [paragraph(("say it", list(range(1, 8))))]}), list(many), FALLBACK)
    assert plan is not None
    assert [len(line.cites) for line in plan.paragraphs[0].lines] == [3, 3, 1]


@pytest.mark.parametrize(
    "heading", [r"\input{x}", "see https://x.org", "[1] is best", "two.\n% citeplug:end", "word " * 40]
)
def test_a_heading_that_is_no_plain_words_is_left_out(heading: str) -> None:
    plan, repairs = plan_from(paragraph(("say it", [1, 2, 3]), heading=heading))
    assert plan is not None
    assert plan.paragraphs[0].heading == ""
    assert "plain words" in repairs


def test_words_that_cannot_be_are_put_right() -> None:
    plan, _ = plan_from(paragraph(("say it", [1, 2, 3]), words=100_000))
    assert plan is not None
    assert plan.paragraphs[0].words == 25


@pytest.mark.parametrize("answer", ["no", "", '{"paragraphs": []}', '{"paragraphs": [{"lines": [{"handles": [8]}]}]}'])
def test_an_answer_without_a_plan_leaves_the_planners(answer: str) -> None:
    plan, findings = propose_plan(FALLBACK, PAPERS, ScriptedModel(lambda seen, _: answer), SHARED)
    assert plan == FALLBACK
    assert [finding.code for finding in findings] == ["plan_refused"]


@pytest.mark.parametrize(
    ("error", "code"), [(ModelUnavailable("say it", "y"), "model_unavailable"), (BudgetReached("x"), "budget_reached")]
)
def test_an_outage_leaves_the_planners(error: CiteplugError, code: str) -> None:
    plan, findings = propose_plan(FALLBACK, PAPERS, honest_model(fail_after=0, error=error), SHARED)
    assert plan == FALLBACK
    assert [finding.code for finding in findings] == [code]


def test_cancelling_cancels() -> None:
    with pytest.raises(Cancelled):
        propose_plan(FALLBACK, PAPERS, honest_model(fail_after=0, error=Cancelled("stop")), SHARED)


_line = st.fixed_dictionaries(
    {"intent": st.text(max_size=30) | st.none(), "handles": st.lists(st.integers(-1, 5), max_size=6)}
)
_paragraph = st.fixed_dictionaries(
    {"heading": st.text(max_size=30), "words": st.integers(-5, 900), "lines": st.lists(_line | st.none(), max_size=12)}
)


@given(st.lists(_paragraph | st.integers(), max_size=4))
def test_whatever_is_proposed_every_paper_is_placed_once_or_nothing_is_taken(paragraphs: list[Any]) -> None:
    plan, _ = plan_from(*paragraphs)
    assert plan is None or placed(plan) == sorted(IDS)

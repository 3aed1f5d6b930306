from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from citeplug.errors import BudgetReached, Cancelled, CiteplugError, ModelUnavailable
from citeplug.records.draft import Draft, DraftSection, Span
from citeplug.records.finding import Finding
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.related.plan.by_model import PlanTask, propose_plan
from tests.harness.scripted_models import ScriptedModel, honest_model
from tests.harness.scripted_models import planned_line as line
from tests.related.write.examples import DRAFT, EMBEDDING, PARSER, SURVEY

PAPERS = (PARSER, SURVEY, EMBEDDING)
IDS = [paper.id.value for paper in PAPERS]
FALLBACK = Plan(
    (
        PlanParagraph("p1", "Logs", (PlanLine("a", (IDS[0],)), PlanLine("b", (IDS[1],))), 50),
        PlanParagraph("p2", "Vectors", (PlanLine("c", (IDS[2],)),), 25),
    )
)
TASK = PlanTask(DRAFT, PAPERS)


def proposed(answer: Any, task: PlanTask = TASK) -> tuple[Plan, list[Finding]]:
    return propose_plan(task, FALLBACK, ScriptedModel(lambda seen, _: answer))[:2]


def test_a_good_plan_is_taken_as_it_is() -> None:
    plan, findings, quotes = propose_plan(TASK, FALLBACK, honest_model())
    assert [cite for p in plan.paragraphs for each in p.lines for cite in each.cites] == IDS
    assert plan.paragraphs[0].heading == "Group A of methods"
    assert findings == []
    assert set(quotes) == {"relate to the draft"}


def test_a_paper_left_out_is_told_with_the_reason() -> None:
    lines = [line("parse", [1]), line("survey", [2])]
    answer = {
        "left_out": [{"handle": 3, "reason": "shares only the word\x1b[31m logs."}],
        "paragraphs": [{"heading": "Reading logs", "words": 50, "lines": lines}],
    }
    more = replace(PARSER, id=replace(PARSER.id, value="2002.00009"))
    task = replace(TASK, papers=(*PAPERS, more))
    lines[0]["handles"] = [1, 4]
    plan, findings = proposed(answer, task)
    assert [each.cites for each in plan.paragraphs[0].lines] == [(IDS[0], more.id.value), (IDS[1],)]
    (finding,) = findings
    assert finding.code == "paper_left_out"
    assert IDS[2] in finding.message and finding.message.endswith(": shares only the word logs")


def test_a_pinned_paper_is_placed_whatever_the_model_says() -> None:
    lines = [line("x", [1]), line("y", [2]), line("z", [4])]
    answer = {
        "left_out": [{"handle": 3, "reason": "no"}],
        "paragraphs": [{"heading": "Logs", "words": 50, "lines": lines}],
    }
    more = replace(PARSER, id=replace(PARSER.id, value="2002.00009"))
    task = replace(TASK, papers=(*PAPERS, more), pinned=[IDS[2]])
    plan, findings = proposed(answer, task)
    assert plan.paragraphs[-1].lines[-1].cites == (IDS[2],)
    assert [finding.code for finding in findings] == ["plan_repaired"]
    assert "[3] discussed: leave none of these out" in task.request.prompt


def test_the_model_sees_whole_abstracts_the_years_and_what_the_draft_says_of_each() -> None:
    long = replace(
        PARSER, abstract="It parses. " * 200 + "At last it fails on nested lines.", published=date(2017, 3, 1)
    )
    span = Span(DRAFT.root, 0, 1, 1)
    sections = (
        DraftSection(1, "Introduction", " ".join(["Logs are long."] * 9), span),
        DraftSection(1, "Prior Work", "", span),
        DraftSection(2, "Parsers", " ".join(["They fail on nested lines."] * 9), span),
        DraftSection(1, "Counting", " ".join(["We count."] * 13), span),
        DraftSection(1, "Results", " ".join(["There are 80."] * 13), span),
    )
    draft = replace(DRAFT, sections=sections, related_work=sections[1])
    role = "Introduction: unlike [*], we count."
    request = PlanTask(draft, [long, SURVEY], {long.id.value: role}, words=300).request
    assert "At last it fails on nested lines." in request.prompt
    assert "year: 2017\nthe draft cites it as [*] in: Introduction: unlike [*], we count.\n" in request.prompt
    assert "about 300 words" in request.prompt
    assert "Logs are long.\nits own section on related work: They fail on nested lines." in request.shared
    assert "They fail on nested lines.\nmethod: We count." in request.shared
    assert "There are 80" not in request.shared


@pytest.mark.parametrize(
    "answer",
    [
        "no",
        "",
        '{"paragraphs": []}',
        '{"paragraphs": [{"lines": [{"handles": [8]}]}]}',
        {"left_out": [{"handle": n, "reason": "no"} for n in (1, 2, 3)], "paragraphs": []},
        {"paragraphs": [{"heading": "All", "words": 9, "lines": [line("on the draft", [], "draft", "x", "y")]}]},
    ],
)
def test_an_answer_without_a_plan_leaves_the_planners(answer: Any) -> None:
    plan, findings = proposed(answer)
    assert plan == FALLBACK
    assert [finding.code for finding in findings] == ["plan_refused"]


@pytest.mark.parametrize(
    ("error", "code"), [(ModelUnavailable("say it", "y"), "model_unavailable"), (BudgetReached("x"), "budget_reached")]
)
def test_an_outage_leaves_the_planners(error: CiteplugError, code: str) -> None:
    plan, findings, _ = propose_plan(TASK, FALLBACK, honest_model(fail_after=0, error=error))
    assert plan == FALLBACK
    assert [finding.code for finding in findings] == [code]


def test_cancelling_cancels() -> None:
    with pytest.raises(Cancelled):
        propose_plan(TASK, FALLBACK, honest_model(fail_after=0, error=Cancelled("stop")))


def test_without_papers_nothing_is_asked() -> None:
    model = honest_model()
    assert propose_plan(PlanTask(Draft(DRAFT.root, (), "", ""), ()), FALLBACK, model) == (FALLBACK, [], {})
    assert model.requests == []

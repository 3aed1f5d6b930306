"""What a section written with a model keeps to, whatever the model answers."""

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from citeplug.attribute.attribution import attribute
from citeplug.errors import BudgetReached, Cancelled, CiteplugError, ModelUnavailable
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.records.section import Sentence
from citeplug.write.by_model import follow_plan
from citeplug.write.by_model.follow_plan import Prose, write_prose
from citeplug.write.extractive.section import write_lines, write_section
from tests.scripted_models import Answer, ScriptedModel, Seen, honest, honest_model, spoiled_model
from tests.write.examples import DRAFT, EMBEDDING, PARSER, SURVEY

PAPERS = {p.id.value: p for p in (PARSER, SURVEY, EMBEDDING)}
ONE, TWO, THREE = PAPERS
PLAN = Plan(
    (
        PlanParagraph("p1", "Parsing", (PlanLine("introduce parsers", (ONE,)), PlanLine("survey", (TWO,))), 0),
        PlanParagraph("p2", "Embedding", (PlanLine("embed", (THREE,)), PlanLine("relate to the draft")), 0),
    )
)


def sentences(prose: Prose) -> list[Sentence]:
    return [s for paragraph in prose.section.paragraphs for s in paragraph.sentences]


def codes(prose: Prose) -> set[str]:
    return {finding.code for finding in prose.findings}


def spoil_first(change: dict[str, Any], times: int = 99) -> ScriptedModel:
    """The honest model whose sentence on the parser is changed, the first `times` that it is asked."""
    left = [times]

    def script(seen: Seen, _: object) -> Answer:
        answer = honest(seen)
        for item in answer["sentences"]:
            if "parser" in item["quotes"][0]["quote"] and left[0] > 0:
                left[0] -= 1
                item.update(change)
        return answer

    return ScriptedModel(script)


def test_every_line_gets_the_models_sentence_in_one_round_trip() -> None:
    model = honest_model()
    prose = write_prose(PLAN, DRAFT, PAPERS, model)
    assert [s.cites for s in sentences(prose)] == [(ONE,), (TWO,), (THREE,), ()]
    assert all(s.text.startswith("Relatedly") for s in sentences(prose))
    assert all(s.sources for s in sentences(prose))
    assert model.round_trips == 1
    assert len(model.requests) == 2
    assert prose.replaced == 0


def test_nothing_is_written_without_the_model_where_it_wrote_every_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[Plan] = []

    def counted(plan: Plan, *rest: Any) -> Any:
        written.append(plan)
        return write_lines(plan, *rest)

    monkeypatch.setattr(follow_plan, "write_lines", counted)
    write_prose(PLAN, DRAFT, PAPERS, honest_model())
    assert written == []
    write_prose(PLAN, DRAFT, PAPERS, ScriptedModel(lambda seen, _: "no"))
    assert written == [PLAN]


def test_a_sentence_that_fails_is_asked_again_alone_with_the_reason() -> None:
    model = spoil_first({"text": "A thousand parsers read system logs [1]."}, times=1)
    prose = write_prose(PLAN, DRAFT, PAPERS, model)
    assert sentences(prose)[0].text.startswith("Relatedly")
    assert model.round_trips == 2
    again = model.requests[-1].prompt
    assert "the number thousand is not in the quotation" in again or "thousand" in again
    assert PARSER.abstract in again
    assert SURVEY.abstract not in again


def test_repairs_of_a_round_go_together_and_end_after_two() -> None:
    model = ScriptedModel(lambda seen, _: "no")
    prose = write_prose(PLAN, DRAFT, PAPERS, model)
    assert model.round_trips == 3
    assert len(model.requests) == 2 + 4 + 4
    assert prose.replaced == 4


def test_what_cannot_be_mended_is_said_in_the_abstracts_words_and_reported() -> None:
    prose = write_prose(PLAN, DRAFT, PAPERS, spoil_first({"text": "Parsers prove everything [1]."}))
    plain, _ = write_section(PLAN, DRAFT, PAPERS)
    assert sentences(prose)[0] == plain.paragraphs[0].sentences[0]
    assert [f.code for f in prose.findings if f.severity != "info"] == []
    assert "sentence_replaced" in codes(prose)


@pytest.mark.parametrize("error", [ModelUnavailable("away", "try later"), BudgetReached("spent", "raise --max-cost")])
@pytest.mark.parametrize("after", [0, 1])
def test_an_outage_in_the_middle_loses_nothing(error: CiteplugError, after: int) -> None:
    prose = write_prose(PLAN, DRAFT, PAPERS, honest_model(fail_after=after, error=error))
    assert [s.cites for s in sentences(prose)] == [(ONE,), (TWO,), (THREE,), ()]
    assert sentences(prose)[0].text.startswith("Relatedly") == bool(after)
    code = "budget_reached" if isinstance(error, BudgetReached) else "model_unavailable"
    assert [(f.code, f.fix) for f in prose.findings if f.severity == "warning"] == [(code, error.hint)]


def test_a_model_that_raises_is_an_outage_too() -> None:
    class Broken(ScriptedModel):
        def complete_all(self, requests: Any, on_text: Any = None) -> Any:
            raise ModelUnavailable("away", "try later")

    assert "model_unavailable" in codes(write_prose(PLAN, DRAFT, PAPERS, Broken(lambda seen, _: "")))


def test_cancelling_cancels() -> None:
    with pytest.raises(Cancelled):
        write_prose(PLAN, DRAFT, PAPERS, honest_model(fail_after=1, error=Cancelled("stopped")))


def test_a_name_of_the_authors_own_plan_may_be_used() -> None:
    plan = Plan((PlanParagraph("p1", "Parsing", (PlanLine("relate parsing to COBOL", (ONE,)),), 0),))
    model = spoil_first({"text": "For COBOL, system logs are read by a parser without templates [1]."})
    assert "COBOL" in sentences(write_prose(plan, DRAFT, PAPERS, model, authored=True))[0].text
    assert "COBOL" not in sentences(write_prose(plan, DRAFT, PAPERS, model, authored=False))[0].text


def test_a_paragraph_of_another_length_is_asked_again_once_and_reported() -> None:
    plan = Plan((replace(PLAN.paragraphs[0], words=200),))
    model = honest_model()
    prose = write_prose(plan, DRAFT, PAPERS, model)
    assert model.round_trips == 2
    assert all(s.text.startswith("Relatedly") for s in sentences(prose))
    assert "plan_words" in codes(prose)


def test_a_paper_without_an_abstract_is_not_asked_about() -> None:
    bare = replace(PARSER, abstract="")
    model = honest_model()
    prose = write_prose(Plan(PLAN.paragraphs[:1]), DRAFT, {**PAPERS, ONE: bare}, model)
    assert [s.cites for s in sentences(prose)] == [(ONE,), (TWO,)]
    assert "parser" not in model.requests[0].prompt.split("The plan")[0]


def test_an_unknown_paper_of_the_plan_is_a_finding() -> None:
    plan = Plan((PlanParagraph("p1", "Parsing", (PlanLine("cite", ("9901.99999",)), PlanLine("", (ONE,))), 0),))
    prose = write_prose(plan, DRAFT, PAPERS, honest_model())
    assert "plan_unknown_paper" in codes(prose)
    assert [s.cites for s in sentences(prose)] == [(ONE,)]


def test_no_sentence_stands_twice() -> None:
    plan = Plan((PlanParagraph("p1", "A", (PlanLine("", (ONE,)), PlanLine("", (ONE,))), 0),))
    fixed = {"text": "System logs are read by a parser without templates [1]."}
    texts = [s.text for s in sentences(write_prose(plan, DRAFT, PAPERS, spoil_first(fixed)))]
    assert len(set(texts)) == 2


@pytest.mark.parametrize(("cut", "trips"), [("paragraph", 1), ("line", 1), ("sequence", 2)])
def test_each_way_of_cutting_covers_the_plan(cut: Any, trips: int) -> None:
    model = honest_model()
    prose = write_prose(PLAN, DRAFT, PAPERS, model, cut=cut)
    assert [s.cites for s in sentences(prose)] == [(ONE,), (TWO,), (THREE,), ()]
    assert model.round_trips == trips


def test_sentence_by_sentence_knows_what_stands_before() -> None:
    model = honest_model()
    prose = write_prose(Plan(PLAN.paragraphs[:1]), DRAFT, PAPERS, model, cut="sequence")
    assert "it follows: Relatedly" in model.requests[1].prompt
    assert len(sentences(prose)) == 2


def test_few_words_of_the_source_are_reported() -> None:
    prose = write_prose(PLAN, DRAFT, PAPERS, honest_model())
    opposite = np.array([[1.0], [-1.0]], dtype=np.float32)
    _, findings = attribute(prose.section, lambda texts: opposite)
    assert {finding.code for finding in findings} == {"low_attribution"}


def test_an_erratic_model_never_changes_what_is_cited() -> None:
    def spoil(answer: Answer, seen: Seen, chance: random.Random) -> Answer:
        for item in answer["sentences"]:
            item["text"] = item["text"].replace("[", chance.choice(["[9", "[", "(", "[@2, "]))
        return answer

    prose = write_prose(PLAN, DRAFT, PAPERS, spoiled_model(spoil, seed=3))
    assert [s.cites for s in sentences(prose)] == [(ONE,), (TWO,), (THREE,), ()]

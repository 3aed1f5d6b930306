import re
from typing import Any

import pytest

from citeplug.errors import ModelUnavailable
from citeplug.records.dialogue import Request
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.records.section import Sentence
from citeplug.related.plan.lengths import share_words
from citeplug.related.write.by_model.brief import Brief, Composed
from citeplug.related.write.by_model.strategies import STRATEGIES, one_paper_a_line
from citeplug.text.cited_text import bare
from tests.harness.scripted_models import ScriptedModel, Seen, answer_honestly, honest_model
from tests.related.write.examples import DRAFT, EMBEDDING, PARSER, SURVEY

PAPERS = {p.id.value: p for p in (PARSER, SURVEY, EMBEDDING)}
ONE, TWO, THREE = PAPERS
PLAN = Plan(
    (PlanParagraph("p1", "Logs", (PlanLine("both", (ONE, TWO)), PlanLine("", (THREE,)), PlanLine("relate")), 60),)
)
BRIEF = Brief(PLAN, DRAFT, PAPERS)


def sentences(composed: Composed) -> list[Sentence]:
    return [s for paragraph in composed.section.paragraphs for s in paragraph.sentences]


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_strategy_cites_every_paper_and_nothing_else(name: str) -> None:
    composed = STRATEGIES[name](BRIEF, honest_model())
    assert {cite for s in sentences(composed) for cite in s.cites} == set(PAPERS)
    assert [p.id for p in composed.plan.paragraphs] == [p.id for p in composed.section.paragraphs]


@pytest.mark.parametrize("name", STRATEGIES)
def test_an_outage_at_once_is_a_finding_in_every_strategy(name: str) -> None:
    composed = STRATEGIES[name](BRIEF, honest_model(fail_after=0, error=ModelUnavailable("away", "try later")))
    assert "model_unavailable" in {finding.code for finding in composed.findings}
    assert name == "zero-shot" or {c for s in sentences(composed) for c in s.cites} == set(PAPERS)


def test_one_paper_a_line_keeps_the_order() -> None:
    lines = one_paper_a_line(PLAN).paragraphs[0].lines
    assert [line.cites for line in lines] == [(ONE,), (TWO,), (THREE,), ()]


def test_a_prompted_plan_is_asked_for_first() -> None:
    model = honest_model()
    composed = STRATEGIES["prompted-plan"](Brief(PLAN, DRAFT, PAPERS), model)
    assert composed.plan != PLAN
    assert [request.stage for request in model.requests][:2] == ["plan", "prose"]


def test_the_plan_is_brought_up_to_what_the_text_says() -> None:
    composed = STRATEGIES["prompted-plan"](Brief(PLAN, DRAFT, PAPERS), ScriptedModel(_without_the_draft))
    assert "draft" not in {line.role for p in composed.plan.paragraphs for line in p.lines}
    words = [sum(len(bare(s.text).split()) for s in p.sentences) for p in composed.section.paragraphs]
    assert [p.words for p in composed.plan.paragraphs] == pytest.approx(words, abs=2)


def _without_the_draft(seen: Seen, request: Request) -> Any:
    answer = answer_honestly(seen, request)
    if request.stage == "prose" and "sentences" in answer:
        answer["sentences"] = [item for item in answer["sentences"] if item["kind"] != "draft"]
    return answer


def test_the_authors_plan_is_followed_even_where_one_could_be_prompted() -> None:
    composed = STRATEGIES["prompted-plan"](Brief(PLAN, DRAFT, PAPERS, authored=True), honest_model())
    assert composed.plan == PLAN


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("words", [60, 200])
def test_every_strategy_tells_the_model_the_words_that_were_asked_for(name: str, words: int) -> None:
    model = honest_model()
    fitted = share_words(PLAN, words)
    composed = STRATEGIES[name](Brief(fitted, DRAFT, PAPERS, words=words), model)
    if name == "zero-shot":
        assert f"about {words} words in all" in model.requests[0].prompt
        return
    assert abs(sum(p.words for p in composed.plan.paragraphs) - words) <= len(composed.plan.paragraphs)
    if name == "prompted-plan":
        assert f"about {words} words" in model.requests[0].prompt
    said = [int(n) for r in model.requests for n in re.findall(r"^Write paragraph .*about (\d+) words", r.prompt, re.M)]
    assert abs(sum(said) - words) <= 12


def test_zero_shot_drops_what_cannot_stand_and_says_what_it_left_out() -> None:
    composed = STRATEGIES["zero-shot"](
        BRIEF, ScriptedModel(lambda seen, _: '{"sentences": [{"line": 1, "text": "Logs are [7]."}]}')
    )
    assert sentences(composed) == []
    assert [f.code for f in composed.findings] == ["sentence_dropped", *["paper_not_cited"] * 3]


@pytest.mark.parametrize("said", ["I would rather not.", '{"sentences": [{"line": 1, "text": "Logs are logs are', ""])
def test_a_zero_shot_that_cannot_be_read_says_that_the_section_is_empty(said: str) -> None:
    composed = STRATEGIES["zero-shot"](BRIEF, ScriptedModel(lambda seen, _: said))
    (told,) = (finding for finding in composed.findings if finding.code == "sentence_dropped")
    assert "no sentence could be read" in told.message
    assert (composed.plan, composed.section.paragraphs) == (Plan(()), ())

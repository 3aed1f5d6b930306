"""A summary says what its abstract says, or is not used; it is material, and no source."""

from dataclasses import replace
from typing import Any

import pytest

from citeplug.errors import BudgetReached, Cancelled, ModelUnavailable
from citeplug.records.dialogue import Reply
from citeplug.records.passage import Passage
from citeplug.related.write.by_model.brief import Brief
from citeplug.related.write.by_model.strategies import STRATEGIES
from citeplug.related.write.by_model.summaries import read_summary, summarise
from citeplug.text.material import material_of
from tests.harness.scripted_models import Answer, ScriptedModel, Seen, answer_honestly, honest_model
from tests.related.write.by_model.test_follow_plan import PAPERS, PLAN
from tests.related.write.examples import DRAFT, EMBEDDING, PARSER, SURVEY, paper

PARSING = material_of(1, PARSER)
BRIEF = Brief(PLAN, DRAFT, PAPERS, summaries=True)


def said(*sentences: Any) -> Reply:
    return Reply("", {"summary": list(sentences)})


def test_each_paper_is_summarised_alone_and_told_about_the_draft() -> None:
    model = honest_model()
    summarise(BRIEF, model)
    requests = model.requests
    assert [request.stage for request in requests] == ["summaries"] * 3
    for request, mine in zip(requests, PAPERS.values(), strict=True):
        assert DRAFT.abstract in request.shared
        assert [p.id for p in PAPERS.values() if p.abstract in request.prompt] == [mine.id]


def test_a_summary_depends_on_the_paper_and_on_what_the_draft_says_of_itself_alone() -> None:
    brief = Brief(PLAN, DRAFT, PAPERS, summaries=True)
    told = ScriptedModel(answer_honestly)
    STRATEGIES["plan"](brief, told)
    other = ScriptedModel(answer_honestly)
    STRATEGIES["per-cite"](Brief(PLAN, DRAFT, PAPERS, voice="British spelling.", summaries=True), other)
    assert [r for r in told.requests if r.stage == "summaries"] == [r for r in other.requests if r.stage == "summaries"]


def test_sentences_that_the_abstract_bears_out_are_kept() -> None:
    true = "The parser reads system logs without templates."
    both = f"{true} The number of errors is bounded."
    assert read_summary(said(true, "The number of errors is bounded."), PARSING) == (both, ())


@pytest.mark.parametrize(
    "free",
    [
        "What the parser does is read the logs that systems write, and it needs no templates to do so.",
        "Unlike others, the method is shown to make only a bounded number of mistakes.",
        "Parsing turns out to be quick.",
    ],
)
def test_what_a_method_does_is_kept_however_it_is_said(free: str) -> None:
    assert read_summary(said(free), PARSING) == (free, ())


@pytest.mark.parametrize(
    "false",
    [
        "The parser reads system logs with 99% accuracy.",
        "The parser reads system logs by BERT.",
        "The draft reads system logs without templates.",
        "We propose a parser that reads system logs without templates.",
        "The parser reads system logs [1].",
        r"The parser reads system \textbf{logs} without templates.",
    ],
)
def test_a_sentence_that_says_more_is_dropped_and_the_rest_stays(false: Any) -> None:
    true = "The number of errors is bounded."
    kept, (reason,) = read_summary(said(false, true), PARSING)
    assert kept == true
    assert false[:20] in reason


@pytest.mark.parametrize("data", [None, [], {"summary": "text"}, {"summary": []}, {"other": 1}, "x"])
def test_what_is_no_summary_is_none(data: Any) -> None:
    assert read_summary(Reply("no", data), PARSING) == ("", ("there was no summary",))


def test_what_is_refused_is_left_out_and_reported() -> None:
    def script(seen: Seen, request: Any) -> Answer:
        if request.stage == "summaries" and SURVEY.abstract in request.prompt:
            return {"summary": ["It costs $5.", "It compares nine methods."]}
        return answer_honestly(seen, request)

    model = ScriptedModel(script, fail_after=2, error=BudgetReached("spent", "raise it"))
    told = summarise(BRIEF, model)
    assert told.summaries[SURVEY.id.value] == "It compares nine methods."
    assert set(told.summaries) == {PARSER.id.value, SURVEY.id.value}
    assert [finding.code for finding in told.findings] == ["budget_reached", "summary_dropped"]


def test_a_paper_without_text_is_not_summarised() -> None:
    model = honest_model()
    brief = Brief(PLAN, DRAFT, {"2001.00009": paper("Too short.", arxiv_id="2001.00009")}, summaries=True)
    assert summarise(brief, model).summaries == {}
    assert model.requests == []


def test_passages_of_the_full_text_are_summarised_too() -> None:
    model = honest_model()
    text = "It fails where lines are nested."
    passage = Passage(PARSER.id.value, 1, "Limits", 7, 1, 0, len(text), text, "pdf")
    summarise(replace(BRIEF, passages={PARSER.id.value: (passage,)}), model)
    assert "fails where lines are nested" in model.requests[0].prompt


def test_they_come_before_the_plan_which_has_them_and_only_where_they_are_asked_for() -> None:
    model = honest_model()
    done = STRATEGIES["prompted-plan"](BRIEF, model)
    assert [stages[0] for stages in model.trips][:3] == ["summaries", "plan", "prose"]
    plan = next(request for request in model.requests if request.stage == "plan")
    assert all(f"summary: {summary}" in plan.prompt for summary in done.summaries.values())
    plain = honest_model()
    assert STRATEGIES["prompted-plan"](Brief(PLAN, DRAFT, PAPERS), plain).summaries == {}
    assert "summaries" not in [request.stage for request in plain.requests]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_strategy_shows_the_writer_the_summary_beside_the_abstract(strategy: str) -> None:
    model = honest_model()
    done = STRATEGIES[strategy](Brief(PLAN, DRAFT, PAPERS, summaries=True), model)
    prompts = [request.prompt for request in model.requests if request.stage == "prose"]
    for value, summary in done.summaries.items():
        assert any(f"summary: {summary}\n" in prompt and PAPERS[value].abstract in prompt for prompt in prompts)


def test_nothing_is_quoted_from_a_summary() -> None:
    summary = "The parser reads logs of system without any errors bounded."

    def script(seen: Seen, request: Any) -> Answer:
        if request.stage == "summaries":
            return {"summary": [summary]}
        answer = answer_honestly(seen, request)
        for item in answer.get("sentences", ()):
            if "[@1]" in item["text"]:
                item["quotes"] = [{"handle": 1, "quote": summary}]
        return answer

    done = STRATEGIES["plan"](Brief(PLAN, DRAFT, PAPERS, summaries=True), ScriptedModel(script))
    sources = [source for p in done.section.paragraphs for s in p.sentences for source in s.sources]
    abstracts = [DRAFT.abstract, *(p.abstract for p in (PARSER, SURVEY, EMBEDDING))]
    assert all(any(source.text in abstract for abstract in abstracts) for source in sources)
    assert "quote" in done.refused


@pytest.mark.parametrize("strategy", ["plan", "prompted-plan"])
def test_an_outage_costs_the_summaries_and_is_told(strategy: str) -> None:
    model = honest_model(fail_after=0, error=ModelUnavailable("away", "later"))
    done = STRATEGIES[strategy](Brief(PLAN, DRAFT, PAPERS, summaries=True), model)
    assert done.summaries == {}
    assert "model_unavailable" in {finding.code for finding in done.findings}
    with pytest.raises(Cancelled):
        STRATEGIES[strategy](
            Brief(PLAN, DRAFT, PAPERS, summaries=True), honest_model(fail_after=0, error=Cancelled("x"))
        )

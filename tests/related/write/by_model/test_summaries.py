"""A summary says what its abstract says, or is not used; it is material, and no source."""

from typing import Any

import pytest

from citeplug.errors import BudgetReached, Cancelled, CiteplugError, ModelUnavailable
from citeplug.records.dialogue import Reply
from citeplug.related.write.by_model.brief import Brief
from citeplug.related.write.by_model.prose import shared_part
from citeplug.related.write.by_model.strategies import STRATEGIES
from citeplug.related.write.by_model.summaries import read_summaries, read_summary, summarised, summary_requests
from citeplug.text.material import draft_material
from tests.harness.scripted_models import Answer, ScriptedModel, Seen, answer_honestly, honest_model
from tests.related.write.by_model.test_follow_plan import PAPERS, PLAN
from tests.related.write.examples import DRAFT, EMBEDDING, PARSER, SURVEY, paper

SHARED = shared_part(draft_material(DRAFT.title, DRAFT.abstract))


def said(*sentences: Any) -> Reply:
    return Reply("", {"summary": list(sentences)})


def test_each_paper_is_summarised_alone_and_told_about_the_draft() -> None:
    requests = summary_requests(PAPERS, SHARED)
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
    assert read_summary(said(true, "The number of errors is bounded."), PARSER) == (both, ())


@pytest.mark.parametrize(
    "free",
    [
        "What the parser does is read the logs that systems write, and it needs no templates to do so.",
        "Unlike others, the method is shown to make only a bounded number of mistakes.",
        "Parsing turns out to be quick.",
    ],
)
def test_what_a_method_does_is_kept_however_it_is_said(free: str) -> None:
    assert read_summary(said(free), PARSER) == (free, ())


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
    kept, (reason,) = read_summary(said(false, true), PARSER)
    assert kept == true
    assert false[:20] in reason


@pytest.mark.parametrize("data", [None, [], {"summary": "text"}, {"summary": []}, {"other": 1}, "x"])
def test_what_is_no_summary_is_none(data: Any) -> None:
    assert read_summary(Reply("no", data), PARSER) == ("", ("there was no summary",))


def test_what_was_refused_is_asked_for_once_more_and_then_reported() -> None:
    replies: list[Reply | CiteplugError] = [
        said("The number of errors is bounded."),
        said("It costs $5.", "It compares nine methods."),
        BudgetReached("spent", "raise it"),
    ]
    told = read_summaries(replies, PAPERS, SHARED)
    assert told.summaries == {
        PARSER.id.value: "The number of errors is bounded.",
        SURVEY.id.value: "It compares nine methods.",
    }
    (again,) = told.again.values()
    assert "It costs $5." in again.prompt
    assert SURVEY.abstract in again.prompt
    better = "The survey is on detecting anomalies in logs, and compares nine methods."
    mended = told.with_replies([said(better)])
    assert mended.summaries[SURVEY.id.value] == better
    assert [finding.code for finding in mended.findings] == ["budget_reached"]
    for answer in (said("It costs $6."), Reply("no"), BudgetReached("spent", "raise it")):
        left = told.with_replies([answer])
        assert left.summaries == told.summaries
        assert [finding.code for finding in left.findings] == ["budget_reached", "summary_dropped"]


def test_what_is_asked_again_takes_no_round_trip_of_its_own() -> None:
    def script(seen: Seen, request: Any) -> Answer:
        if request.stage == "summaries" and "reason:" not in request.prompt:
            return {"summary": ["It has 7,000 parsers."]}
        return answer_honestly(seen, request)

    model = ScriptedModel(script)
    done = STRATEGIES["prompted-plan"](Brief(PLAN, DRAFT, PAPERS, polish=False), model)
    plain = honest_model()
    STRATEGIES["prompted-plan"](Brief(PLAN, DRAFT, PAPERS, polish=False), plain)
    assert model.round_trips == plain.round_trips
    assert [r.stage for r in model.requests].count("summaries") == 6
    assert set(done.summaries) == set(PAPERS)
    assert "summary_dropped" not in {finding.code for finding in done.findings}


def test_a_paper_without_text_is_not_summarised() -> None:
    assert summarised({"2001.00009": paper("Too short.", arxiv_id="2001.00009")}) == {}


def test_with_a_prompted_plan_they_take_no_round_trip_and_without_one_they_are_not_asked_for() -> None:
    trips = {}
    for name, wanted in (("prompted-plan", None), ("prompted-plan", False), ("plan", None), ("plan", True)):
        model = honest_model()
        done = STRATEGIES[name](Brief(PLAN, DRAFT, PAPERS, summaries=wanted), model)
        trips[name, wanted] = model.round_trips
        asked = sum(request.stage == "summaries" for request in model.requests)
        assert asked == (3 if wanted or (name == "prompted-plan" and wanted is None) else 0)
        assert set(done.summaries) <= set(PAPERS)
        assert bool(done.summaries) == bool(asked)
    assert trips["prompted-plan", None] == trips["prompted-plan", False]
    assert trips["plan", True] == trips["plan", None] + 1


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_strategy_shows_the_writer_the_summary_beside_the_abstract(strategy: str) -> None:
    model = honest_model()
    done = STRATEGIES[strategy](Brief(PLAN, DRAFT, PAPERS, summaries=True), model)
    prompts = [request.prompt for request in model.requests if request.stage == "prose"]
    for value, summary in done.summaries.items():
        assert any(
            f"summary: {summary}\n</material" in prompt and PAPERS[value].abstract in prompt for prompt in prompts
        )


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

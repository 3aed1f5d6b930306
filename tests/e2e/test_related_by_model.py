"""`citeplug related` with a language model: the job as the face runs it, the model scripted."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from citeplug.corpus.stores import settings
from citeplug.errors import BudgetReached, CiteplugError, ModelUnavailable, UsageError
from citeplug.project.provenance import read_provenance
from citeplug.records.dialogue import Reply, Request
from citeplug.records.outcome import Options
from citeplug.records.provenance import BY_MODEL
from citeplug.related.job import Written, write_related
from citeplug.related.tools import Job
from citeplug.related.write.by_model.strategies import STRATEGIES
from tests.e2e.conftest import Run
from tests.e2e.test_related import cited_keys, defined_keys
from tests.harness.adversaries import DISORDERS
from tests.harness.anthropic_server import AnthropicServer
from tests.harness.scripted_models import (
    Answer,
    ScriptedModel,
    Seen,
    answer_at_length,
    answer_honestly,
    honest_model,
    is_revision,
    read_prompt,
)

Write = Callable[..., Written]


@pytest.fixture
def write(home: Path, project: Path) -> Write:
    def call(model: ScriptedModel | None, **options: object) -> Written:
        job = Job(project, Options(**{"breadth": 5, **options}))  # type: ignore[arg-type]
        return write_related(job, settings(offline=True), online=False, report=lambda *_: None, model=model)

    return call


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_strategy_writes_a_section_whose_citations_are_defined(write: Write, strategy: str) -> None:
    outcome = write(honest_model(), strategy=strategy).outcome
    assert "Relatedly, " in outcome.tex_content
    assert cited_keys(outcome.tex_content) == set(defined_keys(outcome.bib_content))
    left = [finding for finding in outcome.findings if finding.code == "paper_not_cited"]
    assert len(defined_keys(outcome.bib_content)) == 5 - len(left) >= 4
    (stage,) = (stage for stage in outcome.stages if stage.name == "prose")
    assert stage.calls >= 1


def test_the_record_names_the_model(write: Write) -> None:
    record = read_provenance(write(honest_model(), strategy="zero-shot").targets.provenance)
    assert record.made_by == BY_MODEL
    assert {sentence.by for sentence in record.sentences} == {honest_model().name}


def test_a_model_that_cites_less_leaves_no_entry_without_a_citation(write: Write) -> None:
    def half(seen: object, request: object) -> object:
        answer = honest_model().script(seen, request)  # type: ignore[arg-type]
        return {"sentences": answer.get("sentences", [])[:2]}  # type: ignore[union-attr]

    outcome = write(ScriptedModel(half), strategy="zero-shot").outcome  # type: ignore[arg-type]
    assert cited_keys(outcome.tex_content) == set(defined_keys(outcome.bib_content))
    assert [finding.code for finding in outcome.findings].count("paper_not_cited") == 3


def printed(text: str) -> list[str]:
    """The lines without the plan: a model's has a line for each paper."""
    return [line for line in text.splitlines() if not line.startswith("%")]


def test_without_its_model_the_section_is_the_extractive_one(write: Write) -> None:
    plain = write(None).outcome
    away = write(honest_model(fail_after=0, error=ModelUnavailable("away", "try later"))).outcome
    assert printed(away.tex_content) == printed(plain.tex_content)
    assert "model_unavailable" in {finding.code for finding in away.findings}


@pytest.mark.parametrize("rank", ["permutation", "debate"])
def test_a_model_may_choose_the_papers(write: Write, rank: str) -> None:
    model = honest_model()
    outcome = write(model, rank=rank).outcome
    assert len(outcome.shortlist) == 5
    asked = {request.stage for request in model.requests}
    assert asked == {"queries", "ranking", "plan", "prose", "judge"}
    assert [stage.name for stage in outcome.stages if stage.calls] == ["model queries", "rank", "prose"]
    assert not {"ranking_repaired", "model_unavailable"} & {finding.code for finding in outcome.findings}


@pytest.mark.parametrize("rank", ["permutation", "debate"])
def test_a_ranking_that_fails_leaves_the_order_of_retrieval(write: Write, rank: str) -> None:
    plain = write(None).outcome
    outcome = write(honest_model(fail_after=1, error=ModelUnavailable("away", "try later")), rank=rank).outcome
    assert "model_unavailable" in {finding.code for finding in outcome.findings}
    assert len(outcome.shortlist) == len(plain.shortlist)


def test_a_ranking_by_a_model_wants_one(write: Write) -> None:
    with pytest.raises(UsageError, match="needs a language model"):
        write(None, rank="debate")
    with pytest.raises(UsageError, match="no ranking"):
        write(None, rank="alphabet")


def test_a_model_alone_gives_its_queries_ranking_and_plan_and_a_whole_section_in_four_round_trips(
    write: Write,
) -> None:
    model = honest_model()
    outcome = write(model, breadth=10).outcome
    assert len(outcome.papers) == 10 - len(outcome.left_out) > 5
    asked = [set(stages) for stages in model.trips]
    assert asked[:3] == [{"queries"}, {"ranking"}, {"plan"}]
    paragraphs = outcome.plan.paragraphs
    assert model.trips[3] == ["prose"] * len(paragraphs)
    assert paragraphs[0].heading == "Group A of methods"


@pytest.mark.parametrize("polish", [True, False])
def test_judge_and_revision_take_three_more_round_trips(write: Write, polish: bool) -> None:
    model = ScriptedModel(answer_at_length)
    outcome = write(model, breadth=15, polish=polish).outcome
    assert len(outcome.papers) == 15 - len(outcome.left_out) >= 5
    asked = [set(stages) for stages in model.trips]
    assert asked == [{"queries"}, {"ranking"}, {"plan"}, {"prose"}, {"judge"}, {"prose"}, {"judge"}]
    written = outcome.tex_content
    assert "Likewise, " in written and ("Similarly, " in written) == polish
    by_model = [s for p in outcome.section.paragraphs for s in p.sentences if s.by_model]
    assert all(s.judgement is not None and s.judgement.verdict == "entailed" for s in by_model)


def test_papers_that_the_model_leaves_out_are_told_and_no_second_run_asks_again(write: Write) -> None:
    def script(seen: Seen, request: Request) -> Answer | str:
        answer = answer_honestly(seen, request)
        if request.stage == "ranking":
            order: list[int] = answer["order"]
            return {"order": order[:-2], "not_citable": order[-2:]}
        if request.stage == "plan":
            last = answer["paragraphs"].pop()
            handles = [handle for line in last["lines"] for handle in line["handles"]]
            answer["left_out"] = [{"handle": handle, "reason": "it is on another problem"} for handle in handles]
        return answer

    outcome = write(ScriptedModel(script), breadth=5).outcome
    codes = [finding.code for finding in outcome.findings]
    (ranked,) = (f.message for f in outcome.findings if f.code == "papers_not_citable")
    assert "that 2 of 10 papers found do not belong" in ranked
    assert codes.count("paper_left_out") == len(outcome.shortlist) - len(outcome.papers) == 1
    again = ScriptedModel(script)
    assert write(again, breadth=5).outcome.tex_content == outcome.tex_content
    assert not {"plan", "prose", "summaries"} & {request.stage for request in again.requests}
    listed = {item.paper.id.value for item in write(None, breadth=5).outcome.shortlist}
    assert {item.paper.id.value for item in outcome.shortlist} & listed


@pytest.mark.parametrize("answered", range(6))
def test_a_model_that_goes_away_at_any_stage_leaves_a_whole_section(write: Write, answered: int) -> None:
    stages = ["queries", "ranking", "plan", "prose", "judge"][:answered]

    def script(seen: Seen, request: Request) -> Answer | str:
        return answer_honestly(seen, request)

    class Leaving(ScriptedModel):
        def _answer(self, request: Request) -> Reply | CiteplugError:
            if request.stage not in (*stages, "summaries"):
                return BudgetReached("nothing is left", "raise it")
            return super()._answer(request)

    outcome = write(Leaving(script), breadth=5).outcome
    assert cited_keys(outcome.tex_content) == set(defined_keys(outcome.bib_content))
    unwritten = " ".join(finding.message for finding in outcome.findings if finding.code == "paper_not_written")
    shortlist = [item.paper.id.value for item in outcome.shortlist]
    assert len(shortlist) == 5 and all(value in outcome.papers or value in unwritten for value in shortlist)
    planned_by_model = any("Group A" in paragraph.heading for paragraph in outcome.plan.paragraphs)
    assert planned_by_model == ("plan" in stages)
    assert ("budget_reached" in {finding.code for finding in outcome.findings}) == (answered < 5)


def test_summaries_are_told_in_the_outcome(write: Write) -> None:
    model = honest_model()
    outcome = write(model, summaries=True).outcome
    assert len({request.label for request in model.requests if request.stage == "summaries"}) == 5
    assert set(outcome.summaries) <= {item.paper.id.value for item in outcome.shortlist}
    assert outcome.summaries
    assert write(honest_model(), summaries=False, words=90).outcome.summaries == {}


def test_a_second_run_follows_what_the_first_wrote(write: Write) -> None:
    first = write(honest_model())
    assert write(honest_model()).outcome.tex_content == first.outcome.tex_content


def test_a_plan_in_words_may_name_the_shortlist(write: Write) -> None:
    outcome = write(None, plan_text="3 sentences in 60 words. Cite @cite_2 at line 1. Cite [1] at line 2.").outcome
    (paragraph,) = outcome.plan.paragraphs
    chosen = [item.paper.id.value for item in outcome.shortlist]
    assert [line.cites for line in paragraph.lines] == [(chosen[1],), (chosen[0],), ()]
    assert len(defined_keys(outcome.bib_content)) == 2


def test_a_plan_in_words_that_is_none_is_refused(write: Write) -> None:
    with pytest.raises(UsageError):
        write(None, plan_text="make it nice")


def test_an_unknown_strategy_is_refused(write: Write) -> None:
    with pytest.raises(UsageError, match="no strategy"):
        write(honest_model(), strategy="best")


def test_a_strategy_wants_a_model(run: Run, home: Path, project: Path) -> None:
    done = run("related", project, "--offline", "--strategy", "plan")
    assert done.code == 2
    assert "--llm" in done.err


def test_summaries_want_a_model_and_are_null_without_one(run: Run, home: Path, project: Path) -> None:
    assert run("related", project, "--offline", "--summaries").code == 2
    done = run("related", project, "--offline", "--no-summaries", "--json")
    assert done.code == 0, done.err
    assert {item["summary"] for item in done.json["shortlist"]} == {None}


def test_a_plan_in_words_is_followed_on_the_command_line(run: Run, home: Path, project: Path) -> None:
    done = run("related", project, "--offline", "--json", "--plan-text", "1 sentence. Cite [1] at line 1.")
    assert done.code == 0, done.err
    assert len(done.json["entries"]) == 1


@pytest.mark.parametrize("disorder", ["invented_handle", "prose_for_json", "commands"])
def test_a_disorderly_service_gets_nothing_into_the_section(
    run: Run, home: Path, project: Path, monkeypatch: pytest.MonkeyPatch, disorder: str
) -> None:
    def script(request: Request) -> object:
        answer = answer_honestly(read_prompt(request), request)
        return DISORDERS[disorder](answer, random.Random(1)) if request.stage == "prose" else answer

    (home / "language-models.sqlite").unlink(missing_ok=True)
    with AnthropicServer(script).serve() as server:  # type: ignore[arg-type]
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        done = run("related", project, "--offline", "--breadth", "4", "--llm", "anthropic", "--json")
    assert done.code == 0, done.err
    assert server.requests
    shortlist = {item["arxiv_id"] for item in done.json["shortlist"]}
    sentences = [s for p in done.json["section"]["paragraphs"] for s in p["sentences"]]
    assert {cite["arxiv_id"] for s in sentences for cite in s["cites"]} == shortlist
    assert all(s["sources"] for s in sentences)
    assert "Relatedly" not in done.json["tex_content"]


GERMAN = r"""\documentclass{article}
\usepackage[ngerman]{babel}
\title{Nachrichten auf gro\ss en Graphen}
\begin{document}
\begin{abstract}
Neuronale Netze auf Graphen sind schwer auf Millionen von Knoten anzuwenden. Wir stellen ein Netz vor, das mit graph
attention die Nachbarn der Knoten gewichtet und damit eine graph convolution auf gro\ss en Graphen lernt.
\end{abstract}
\section{Einleitung}
Graph neural networks lernen node embeddings und eine Darstellung der Knoten.
\end{document}
"""


def by_title(seen: Seen, request: Request) -> Answer:
    """Sentences that name each paper by its title, in German."""
    if request.stage != "prose" or is_revision(request):
        return answer_honestly(seen, request)
    draft = "Wir stellen ein Netz vor, das"
    return {
        "sentences": [
            {
                "line": number,
                "text": "Damit befassen sich auch die Autoren der "
                + ", ".join(f"“{seen.papers[h].title.replace(':', ' ')}” [{h}]" for h in handles)
                + "."
                if handles
                else "Wir stellen dagegen ein Netz für große Graphen vor.",
                "kind": "paper" if handles else "draft",
                "quotes": [{"handle": h, "quote": " ".join(seen.papers[h].abstract.split()[:9])} for h in handles]
                or [{"handle": 0, "quote": draft}],
            }
            for number, _, handles in seen.lines
        ]
    }


@pytest.mark.parametrize("judged", [True, False])
def test_a_german_draft_gets_a_german_section_and_is_told_what_was_not_checked(
    write: Write, project: Path, judged: bool
) -> None:
    project.write_bytes(GERMAN.encode())
    model = ScriptedModel(lambda seen, request: by_title(seen, request) if judged or request.stage != "judge" else "no")
    outcome = write(model).outcome
    found = [finding.code for finding in outcome.findings]
    assert found.count("claims_partly_checked") == (0 if judged else 1)
    assert "language_not_supported" not in found
    german = [s for p in outcome.section.paragraphs for s in p.sentences if s.text.startswith(("Damit", "Wir"))]
    assert german, outcome.findings
    assert all("in German" in request.shared for request in model.requests if request.stage == "prose")
    assert outcome.tex_content.isascii()


def test_a_german_draft_without_a_model_gets_a_plan_and_no_text(write: Write, project: Path) -> None:
    project.write_bytes(GERMAN.encode())
    for _ in range(2):
        outcome = write(None).outcome
        assert [f.code for f in outcome.findings].count("language_not_supported") == 1
        lines = outcome.tex_content.splitlines()
        assert any(line.startswith("% citeplug:begin p1") for line in lines)
        assert all(line.startswith("% citeplug") for line in lines if line.strip())
        assert outcome.plan.paragraphs

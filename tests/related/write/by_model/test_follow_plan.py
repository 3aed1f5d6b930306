"""What a section written with a model keeps to, whatever the model answers."""

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from citeplug.errors import BudgetReached, Cancelled, CiteplugError, ModelUnavailable
from citeplug.records.dialogue import Request
from citeplug.records.draft import DraftSection, Span
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.records.section import Sentence
from citeplug.related.attribute.attribution import attribute
from citeplug.related.plan.from_clusters import RELATE
from citeplug.related.write.by_model import finish
from citeplug.related.write.by_model.brief import Brief, Composed
from citeplug.related.write.by_model.follow_plan import write_prose
from citeplug.related.write.extractive.section import write_lines, write_section
from tests.harness.scripted_models import (
    Answer,
    ScriptedModel,
    Seen,
    answer_honestly,
    honest_model,
    is_revision,
    spoiled_model,
)
from tests.related.write.examples import DRAFT, EMBEDDING, PARSER, SURVEY

PAPERS = {p.id.value: p for p in (PARSER, SURVEY, EMBEDDING)}
ONE, TWO, THREE = PAPERS
PLAN = Plan(
    (
        PlanParagraph("p1", "Parsing", (PlanLine("introduce parsers", (ONE,)), PlanLine("survey", (TWO,))), 0),
        PlanParagraph("p2", "Embedding", (PlanLine("embed", (THREE,)), PlanLine("relate to the draft")), 0),
    )
)
BRIEF = Brief(PLAN, DRAFT, PAPERS, polish=False)
WHOLE = replace(BRIEF, plan=Plan(PLAN.paragraphs[:1]), polish=True)
ALL = [(ONE,), (TWO,), (THREE,), ()]


def sentences(done: Composed) -> list[Sentence]:
    return [s for paragraph in done.section.paragraphs for s in paragraph.sentences]


def stand_ins(done: Composed) -> int:
    """Sentences that are made from the abstracts."""
    return sum(not sentence.by_model for sentence in sentences(done))


def codes(done: Composed) -> set[str]:
    return {finding.code for finding in done.findings}


def prose(model: ScriptedModel) -> list[Request]:
    return [request for request in model.requests if request.stage == "prose"]


def spoil_first(change: dict[str, Any], times: int = 99) -> ScriptedModel:
    """The honest model whose sentence on the parser is changed, the first `times` that it is asked."""
    left = [times]

    def script(seen: Seen, request: Request) -> Answer:
        answer = answer_honestly(seen, request)
        for item in answer.get("sentences", [s for p in answer.get("paragraphs", ()) for s in p["sentences"]]):
            if "parser" in item["quotes"][0]["quote"] and left[0] > 0:
                left[0] -= 1
                item.update(change)
        return answer

    return ScriptedModel(script)


def answering(
    paragraphs: dict[str, Any] | Callable[[Request], Any], judge: Any = None, revision: Any = None
) -> ScriptedModel:
    """Answers for paragraphs by heading; then what the judge says, and the revision: sentences of p1, or a function."""

    def script(seen: Seen, request: Request) -> Any:
        if request.stage == "judge":
            return judge(request) if judge is not None else answer_honestly(seen, request)
        if is_revision(request):
            if callable(revision):
                return revision(request)
            if revision is not None:
                return {"paragraphs": [{"id": "p1", "sentences": revision}]}
            return answer_honestly(seen, request)
        answer = paragraphs(request) if callable(paragraphs) else paragraphs.get(request.label)
        return answer_honestly(seen, request) if answer is None else answer

    return ScriptedModel(script)


def refuting(*wrong: str) -> Callable[[Request], Answer]:
    """A judge that finds sentences with one of these words not borne out."""

    def judge(request: Request) -> Answer:
        found = answer_honestly(Seen({}, DRAFT, []), request)
        lines = [line for line in request.prompt.splitlines() if line.startswith("sentence ")]
        for verdict, line in zip(found["verdicts"], lines, strict=True):
            bad = next((word for word in wrong if word in line), None)
            if bad is not None:
                verdict.update(unsupported=f"“{bad}” is not there", verdict="partly")
        return found

    return judge


def item(text: str, kind: str, *quotes: tuple[int, str]) -> Answer:
    return {"kind": kind, "text": text, "quotes": [{"handle": h, "quote": q} for h, q in quotes]}


def anew(sentence: Answer, *origins: int) -> Answer:
    """A sentence of a revision, made of those with these numbers."""
    return {**sentence, "from": list(origins)}


PARSES = (1, "reads system logs without templates")
SURVEYS = (2, "surveys methods for anomaly detection")
DETECTS = (0, "a detector that finds faults in system logs while they are written")
TOPIC = item("Logs are read in order to find anomalies.", "topic")
BOTH = item(
    "System logs have been parsed without templates [1], and anomaly detection surveyed [2].", "paper", PARSES, SURVEYS
)
BOUNDED = item("Errors of a parser are bounded in number [1].", "paper", (1, "the number of errors is bounded"))
COMPARED = item("Nine methods are compared on three datasets [2].", "paper", (2, "It compares nine methods on three"))


def test_every_paragraph_is_asked_for_at_once_and_judged_once() -> None:
    model = honest_model()
    done = write_prose(BRIEF, model)
    assert [s.cites for s in sentences(done)] == ALL
    assert all(s.text.startswith("Relatedly") for s in sentences(done))
    assert all(s.sources for s in sentences(done))
    assert all(s.judgement is not None and s.judgement.verdict == "entailed" for s in sentences(done))
    assert [request.stage for request in model.requests] == ["prose", "prose", "judge"]
    assert model.round_trips == 2
    assert stand_ins(done) == 0


def test_the_whole_path_takes_four_round_trips_at_most() -> None:
    model = spoil_first({"text": "A thousand parsers read system logs [1]."}, times=1)
    write_prose(replace(BRIEF, polish=True), model)
    assert model.trips == [["prose", "prose"], ["judge"], ["prose"], ["judge"]]


def test_nothing_is_written_without_the_model_where_it_wrote_every_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[Plan] = []

    def counted(plan: Plan, *rest: Any, **more: Any) -> Any:
        written.append(plan)
        return write_lines(plan, *rest, **more)

    monkeypatch.setattr(finish, "write_lines", counted)
    write_prose(BRIEF, honest_model())
    assert written == []
    write_prose(BRIEF, ScriptedModel(lambda seen, _: "no"))
    assert written == [PLAN]


def test_each_request_shows_the_outline_of_the_whole_section_and_each_fact_of_the_draft_once() -> None:
    one, two = PLAN.paragraphs
    one = replace(one, heading="Faults in logs", lines=(*one.lines, PlanLine(RELATE)))
    two = replace(two, heading="Labels", lines=(*two.lines[:1], PlanLine(RELATE)))
    model = honest_model()
    write_prose(replace(BRIEF, plan=Plan((one, two))), model)
    for request in prose(model):
        first, second = request.shared.split("The outline", 1)[1].split("p2 “Labels”")
        assert "introduce parsers; cite [1]" in first
        assert "embed; cite [3]" in second
        assert "finds faults in system logs" in first
        assert "finds faults" not in second
        assert "needs no labels.”" in second
        assert "needs no labels" not in first


def test_the_outline_has_the_paragraphs_that_are_not_written_now() -> None:
    model = honest_model()
    done = write_prose(replace(BRIEF, plan=Plan(PLAN.paragraphs[1:]), whole=PLAN), model)
    assert [p.id for p in done.section.paragraphs] == ["p2"]
    assert "introduce parsers; cite [1]" in prose(model)[0].shared
    assert PARSER.abstract not in prose(model)[0].prompt


def test_sentences_may_merge_lines_and_a_topic_opens_the_paragraph() -> None:
    done = write_prose(BRIEF, answering({"Parsing": {"sentences": [TOPIC, BOTH]}}))
    topic, both = done.section.paragraphs[0].sentences
    assert (topic.kind, topic.cites, both.kind, both.cites) == ("topic", (), "paper", (ONE, TWO))
    assert topic.sources == both.sources
    assert stand_ins(done) == 0


def test_a_contrast_has_sources_of_both_sides_and_a_group_of_each_paper() -> None:
    contrast = item(
        "Unlike a parser without templates [1], we look for faults while logs are written.", "contrast", PARSES, DETECTS
    )
    group = item("Others read logs or survey anomaly detection in them [1, 2].", "group", PARSES, SURVEYS)
    plan = Plan(
        (replace(PLAN.paragraphs[0], lines=(*PLAN.paragraphs[0].lines, PlanLine("set apart", (ONE,), "draft"))),)
    )
    done = write_prose(replace(BRIEF, plan=plan), answering({"Parsing": {"sentences": [group, contrast]}}))
    assert [(s.kind, s.cites) for s in sentences(done)] == [("group", (ONE, TWO)), ("contrast", (ONE,))], done.findings
    assert {source.arxiv_id for source in sentences(done)[0].sources} == {ONE, TWO}
    assert {source.arxiv_id for source in sentences(done)[1].sources} == {ONE, None}


def test_a_contrast_may_quote_the_introduction_which_every_request_and_the_judge_see() -> None:
    said = (
        "Parsers must know their templates beforehand, which we do without. Systems change every week, and with them"
        " the lines that they write, so that templates are out of date before they are complete."
    )
    place = Span(DRAFT.root, 0, 1, 1)
    introduced = replace(DRAFT, sections=(DraftSection(1, "Introduction", said, place),))
    quote = (0, "must know their templates beforehand, which we do without")
    contrast = item("A parser reads logs without templates [1], as we do.", "contrast", PARSES, quote)
    plan = Plan((replace(PLAN.paragraphs[0], lines=(PlanLine("differ", (ONE,), "draft"),)),))
    model = answering({"Parsing": {"sentences": [contrast]}})
    (sentence,) = sentences(write_prose(replace(BRIEF, plan=plan, draft=introduced), model))
    (source,) = (each for each in sentence.sources if each.arxiv_id is None)
    assert (source.of, source.section) == ("full text", "introduction")
    assert said[source.start : source.end] == source.text == quote[1]
    assert all(said in request.shared + request.prompt for request in model.requests)


def test_a_refused_sentence_is_asked_again_among_its_neighbours_with_its_quotations_and_the_reason() -> None:
    model = spoil_first({"text": "A thousand parsers read system logs [1]."}, times=1)
    done = write_prose(BRIEF, model)
    assert sentences(done)[0].text.startswith("Relatedly")
    again = prose(model)[-1]
    assert again.label == "the section, revised"
    assert "line 1 (paper): A thousand parsers read system logs [1].; cite [1]" in again.prompt
    assert "quoted for [1]: “" in again.prompt
    assert "reason: " in again.prompt
    assert "sentence 2 (paper): Relatedly, [@2] surveys" in again.prompt
    assert "no sentence that passed is changed" in again.prompt
    assert PARSER.abstract in again.prompt
    assert SURVEY.abstract not in again.prompt


FALSE = item("Parsers of logs are always fast [1].", "paper", (1, "Experiments show that our parser is fast"))
OTHER = item("Another article goes through detection of anomalies [2].", "paper", SURVEYS)


def test_what_the_judge_does_not_find_borne_out_is_asked_again_in_its_words() -> None:
    true = {**FALSE, "text": "A parser turns out to be fast [1]."}
    model = answering({"Parsing": {"sentences": [FALSE, OTHER]}}, refuting("always"), [anew(true, 1)])
    done = write_prose(BRIEF, model)
    assert "“always” is not there" in prose(model)[-1].prompt
    assert [bool("turns out" in s.text) for s in sentences(done)[:2]] == [True, False]
    assert [request.stage for request in model.requests] == ["prose", "prose", "judge", "prose", "judge"]
    assert "sentence 1" in model.requests[-1].prompt
    assert stand_ins(done) == 0


def test_what_is_refuted_again_is_dropped_and_reported_and_its_paper_is_given_the_abstracts_own_sentence() -> None:
    again = {**FALSE, "text": "Logs are always read quickly [1]."}
    model = answering({"Parsing": {"sentences": [FALSE, OTHER]}}, refuting("always"), [anew(again, 1)])
    done = write_prose(BRIEF, model)
    plain, _ = write_section(PLAN, DRAFT, PAPERS)
    assert sentences(done)[0] == plain.paragraphs[0].sentences[0]
    assert not any("always" in s.text for s in sentences(done))
    (finding,) = (f for f in done.findings if f.code == "claim_unsupported")
    assert "always read quickly" in finding.message
    assert "“always” is not there" in finding.message
    assert "sentence_replaced" in codes(done)


def test_a_dropped_sentence_whose_paper_another_one_cites_gets_no_stand_in() -> None:
    more = item("A thousand parsers read logs [1].", "paper", PARSES)
    done = write_prose(BRIEF, answering({"Parsing": {"sentences": [BOTH, more]}}, revision=[]))
    assert [s.cites for s in done.section.paragraphs[0].sentences] == [(ONE, TWO)]
    (finding,) = (f for f in done.findings if f.code == "sentence_dropped")
    assert "A thousand parsers" in finding.message
    assert "thousand" in finding.message.split("(")[1]
    assert "sentence_replaced" not in codes(done)


def test_a_paper_that_no_sentence_cites_is_asked_for_in_its_place() -> None:
    model = answering(lambda request: {"sentences": [OTHER]} if request.label == "Parsing" else None)
    done = write_prose(BRIEF, model)
    assert "line 1: a sentence is missing here; cite [1]" in prose(model)[-1].prompt
    assert [s.cites for s in sentences(done)] == ALL
    assert stand_ins(done) == 0


def missing(text: str) -> Callable[[Request], Answer]:
    """A judge that finds all borne out, and misses something in the first paragraph."""
    return lambda request: {
        **answer_honestly(Seen({}, DRAFT, []), request),
        "positions": [{"paragraph": 1, "missing": text}, {"paragraph": 7, "missing": "x"}, None, {"paragraph": "y"}],
    }


CONTRAST = item("Such a parser [1] reads logs, where we find faults in them.", "contrast", PARSES, DETECTS)


def test_a_paragraph_that_does_not_set_the_draft_apart_is_asked_to_once() -> None:
    written = {"Parsing": {"sentences": [BOUNDED, COMPARED]}}
    model = answering(written, missing("say that a parser finds no faults"), [anew(CONTRAST)])
    done = write_prose(WHOLE, model)
    (revision,) = filter(is_revision, model.requests)
    assert "remark: say that a parser finds no faults" in revision.prompt
    assert [(s.kind, s.cites) for s in sentences(done)] == [("paper", (ONE,)), ("paper", (TWO,)), ("contrast", (ONE,))]
    assert [request.stage for request in model.requests] == ["prose", "judge", "prose", "judge"]


def test_a_paragraph_that_still_does_not_set_the_draft_apart_is_reported() -> None:
    written = {"Parsing": {"sentences": [BOUNDED, COMPARED]}}
    done = write_prose(WHOLE, answering(written, missing("say that a parser finds no faults"), []))
    (finding,) = done.findings
    assert (finding.code, "finds no faults" in finding.message) == ("not_positioned", True)


def test_nobody_adds_a_sentence_unasked() -> None:
    done = write_prose(WHOLE, answering({"Parsing": {"sentences": [BOUNDED, COMPARED]}}, revision=[anew(CONTRAST)]))
    assert [s.kind for s in sentences(done)] == ["paper", "paper"]


@pytest.mark.parametrize(("words", "remark"), [(0, "has 2 sentences here, and there are 1"), (60, "has 60 words here")])
def test_an_authors_plan_is_compared_with_the_answer_and_asked_for_again_once(words: int, remark: str) -> None:
    plan = Plan((replace(PLAN.paragraphs[0], words=words),))
    model = answering({"Parsing": {"sentences": [BOTH]}})
    write_prose(replace(BRIEF, plan=plan, authored=True), model)
    assert "The plan is the authors' own: 2 sentences, in the order of its lines." in prose(model)[0].prompt
    (revision,) = filter(is_revision, model.requests)
    assert remark in revision.prompt


def test_a_paper_of_another_paragraph_is_not_cited() -> None:
    stray = item(
        "A parser reads logs [1], and so does an embedding [3].", "paper", PARSES, (3, "an embedding of log lines")
    )
    done = write_prose(BRIEF, answering({"Parsing": {"sentences": [stray]}}))
    assert [s.cites for s in sentences(done)] == ALL
    assert "handle" in done.refused


def test_repairs_go_together_once() -> None:
    model = ScriptedModel(lambda seen, _: "no")
    done = write_prose(BRIEF, model)
    assert [request.label for request in model.requests] == ["Parsing", "Embedding", "the section, revised"]
    assert model.round_trips == 2
    assert [s.cites for s in sentences(done)] == ALL
    assert stand_ins(done) == 4


def test_what_cannot_be_mended_is_said_in_the_abstracts_words_and_reported() -> None:
    done = write_prose(BRIEF, spoil_first({"text": "Parsers number 55 [1]."}))
    plain, _ = write_section(PLAN, DRAFT, PAPERS)
    assert sentences(done)[0] == plain.paragraphs[0].sentences[0]
    assert {"sentence_replaced", "sentence_dropped"} <= codes(done)


@pytest.mark.parametrize("error", [ModelUnavailable("away", "try later"), BudgetReached("spent", "raise --max-cost")])
@pytest.mark.parametrize("after", range(5))
def test_an_outage_anywhere_loses_nothing(error: CiteplugError, after: int) -> None:
    def script(seen: Seen, request: Request) -> Answer:
        answer = answer_honestly(seen, request)
        for each in answer.get("sentences", ()):
            if "survey" in each["text"] and not is_revision(request):
                each["text"] = "Surveys number 55 [2]."
        return answer

    model = ScriptedModel(script, fail_after=after, error=error)
    done = write_prose(replace(BRIEF, polish=True), model)
    assert [s.cites for s in sentences(done)] == ALL
    assert sentences(done)[0].text.startswith("Relatedly") == bool(after)
    code = "budget_reached" if isinstance(error, BudgetReached) else "model_unavailable"
    assert {(f.code, f.fix) for f in done.findings if f.code == code} == {(code, error.hint)}


def test_a_model_that_raises_is_an_outage_too() -> None:
    class Broken(ScriptedModel):
        def complete_all(self, requests: Any, on_text: Any = None) -> Any:
            raise ModelUnavailable("away", "try later")

    assert "model_unavailable" in codes(write_prose(BRIEF, Broken(lambda seen, _: "")))


@pytest.mark.parametrize("after", range(4))
def test_cancelling_cancels(after: int) -> None:
    model = honest_model(fail_after=after, error=Cancelled("stopped"))
    with pytest.raises(Cancelled):
        write_prose(replace(BRIEF, polish=True), model)


def test_without_its_judge_the_section_stays_and_says_so() -> None:
    done = write_prose(BRIEF, honest_model(fail_after=2, error=BudgetReached("spent", "raise --max-cost")))
    assert [s.cites for s in sentences(done)] == ALL
    assert all(s.by_model and (s.judgement is None or s.judgement.verdict is None) for s in sentences(done))
    assert {"budget_reached", "claims_partly_checked"} <= codes(done)


def test_what_the_judge_says_speaks_against_the_draft_is_reported_while_the_sentence_is_there() -> None:
    def judge(request: Request) -> Answer:
        harms = [{"sentence": n, "reason": "it needs no labels either"} for n in (1, 2, 9)]
        return {**refuting("three")(request), "harms": [*harms, None, {"sentence": "x"}]}

    done = write_prose(WHOLE, answering({"Parsing": {"sentences": [BOUNDED, COMPARED]}}, judge, []))
    (finding,) = (f for f in done.findings if f.code == "harms_draft")
    assert "no labels either" in finding.message
    assert finding.message.endswith("Errors of a parser are bounded in number.")


def test_a_judge_that_talks_nonsense_refuses_nothing() -> None:
    done = write_prose(BRIEF, answering({}, judge=lambda _: "I would say they are fine."))
    assert all(s.text.startswith("Relatedly") for s in sentences(done))
    assert "claims_partly_checked" in codes(done)


def test_a_topic_goes_with_the_sentences_below_it() -> None:
    false = item("A thousand parsers read logs [1].", "paper", PARSES)
    done = write_prose(BRIEF, answering({"Parsing": {"sentences": [TOPIC, false]}}, revision=[]))
    assert [s.kind for s in done.section.paragraphs[0].sentences] == ["paper", "paper"]
    assert not any(s.by_model for s in done.section.paragraphs[0].sentences)


def test_a_topic_goes_with_sentences_that_are_refuted_in_the_end() -> None:
    false = item("Parsers of logs are always fast [1].", "paper", (1, "Experiments show that our parser is fast"))
    again = {**false, "text": "Logs are always read quickly [1]."}
    plan = Plan((replace(PLAN.paragraphs[0], lines=PLAN.paragraphs[0].lines[:1]),))
    model = answering({"Parsing": {"sentences": [TOPIC, false]}}, refuting("always"), [anew(again, 2)])
    (sentence,) = sentences(write_prose(replace(BRIEF, plan=plan), model))
    assert (sentence.kind, sentence.cites, sentence.by_model) == ("paper", (ONE,), False)


def test_a_topic_is_asked_again_as_a_topic() -> None:
    topic = {**TOPIC, "text": "Parsers are always studied."}
    model = answering({"Parsing": {"sentences": [topic, BOUNDED, COMPARED]}}, refuting("always"), [anew(TOPIC, 1)])
    write_prose(WHOLE, model)
    (again,) = filter(is_revision, model.requests)
    assert "line 1 (topic): Parsers are always studied.; topic, no papers" in again.prompt


def test_a_name_of_the_authors_own_plan_may_be_used() -> None:
    plan = Plan((PlanParagraph("p1", "Parsing", (PlanLine("relate parsing to COBOL", (ONE,)),), 0),))
    model = spoil_first({"text": "For COBOL, system logs are read by a parser without templates [1]."})
    assert "COBOL" in sentences(write_prose(replace(BRIEF, plan=plan, authored=True), model))[0].text
    assert "COBOL" not in sentences(write_prose(replace(BRIEF, plan=plan), model))[0].text


def test_a_paragraph_of_another_length_is_reported() -> None:
    done = write_prose(replace(BRIEF, plan=Plan((replace(PLAN.paragraphs[0], words=200),))), honest_model())
    assert all(s.text.startswith("Relatedly") for s in sentences(done))
    assert "plan_words" in codes(done)


def test_a_paper_without_an_abstract_is_not_asked_about() -> None:
    bare = replace(PARSER, abstract="")
    model = honest_model()
    done = write_prose(Brief(Plan(PLAN.paragraphs[:1]), DRAFT, {**PAPERS, ONE: bare}), model)
    assert [(s.kind, s.cites) for s in sentences(done)] == [("group", (ONE,)), ("paper", (TWO,))]
    assert bare.title not in model.requests[0].prompt


def test_an_unknown_paper_of_the_plan_is_a_finding() -> None:
    plan = Plan((PlanParagraph("p1", "Parsing", (PlanLine("cite", ("9901.99999",)), PlanLine("", (ONE,))), 0),))
    done = write_prose(replace(BRIEF, plan=plan), honest_model())
    assert [f.code for f in done.findings].count("plan_unknown_paper") == 1
    assert [s.cites for s in sentences(done)] == [(ONE,)]


def test_no_sentence_is_there_twice() -> None:
    twice = {"sentences": [BOTH, BOTH]}
    texts = [s.text for s in sentences(write_prose(BRIEF, answering({"Parsing": twice})))]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize(("cut", "trips"), [("paragraph", 2), ("line", 2), ("sequence", 3)])
def test_each_way_of_cutting_covers_the_plan(cut: Any, trips: int) -> None:
    model = honest_model()
    assert [s.cites for s in sentences(write_prose(BRIEF, model, cut))] == ALL
    assert model.round_trips == trips


def test_sentence_by_sentence_knows_what_is_there_before() -> None:
    model = honest_model()
    done = write_prose(replace(BRIEF, plan=Plan(PLAN.paragraphs[:1])), model, "sequence")
    assert "It follows on: Relatedly" in model.requests[1].prompt
    assert len(sentences(done)) == 2


def test_few_words_of_the_source_are_reported() -> None:
    done = write_prose(BRIEF, honest_model())
    opposite = np.array([[1.0], [-1.0]], dtype=np.float32)
    _, findings = attribute(done.section, {}, lambda texts: opposite)
    assert {finding.code for finding in findings} == {"low_attribution"}


def test_an_erratic_model_never_changes_what_is_cited() -> None:
    def spoil(answer: Answer, seen: Seen, chance: random.Random) -> Answer:
        for each in answer.get("sentences", ()):
            each["text"] = each["text"].replace("[", chance.choice(["[9", "[", "(", "[@2, "]))
        return answer

    done = write_prose(BRIEF, spoiled_model(spoil, seed=3))
    found = [[c for s in p.sentences for c in s.cites] for p in done.section.paragraphs]
    assert [set(cites) for cites in found] == [{ONE, TWO}, {THREE}]


def test_a_cut_answer_is_asked_again() -> None:
    def cut(request: Request) -> Any:
        return '{"sentences": [{"line": 1, "kind": "paper", "text": "A par' if request.label == "Parsing" else None

    model = answering(cut)
    done = write_prose(BRIEF, model)
    assert "line 1: a sentence is missing here" in prose(model)[-1].prompt
    assert all(s.text.startswith("Relatedly") for s in sentences(done))


JOINED = "Errors of a parser are bounded in number [1], and nine methods have been compared on three datasets [2]."


THREE_WRITTEN = {"Parsing": {"sentences": [TOPIC, BOUNDED, COMPARED]}}


def revising(*items: Any, judge: Any = None) -> ScriptedModel:
    answer = {"paragraphs": [{"id": "p1", "sentences": list(items)}, {"id": "p9", "sentences": []}]}
    return answering(THREE_WRITTEN, judge, lambda _: answer)


def test_a_revision_may_join_and_reorder_and_what_changed_is_judged() -> None:
    model = revising({"from": [3, 2], "text": JOINED})
    done = write_prose(WHOLE, model)
    (sentence,) = sentences(done)
    assert (sentence.kind, sentence.cites) == ("paper", (ONE, TWO))
    assert {source.arxiv_id for source in sentence.sources} == {ONE, TWO}
    assert sentence.judgement is not None and sentence.judgement.verdict == "entailed"
    assert [request.stage for request in model.requests] == ["prose", "judge", "prose", "judge"]
    judged = [line for line in model.requests[-1].prompt.splitlines() if line.startswith("sentence ")]
    assert len(judged) == 1
    assert done.findings == ()


def test_a_revision_may_split_a_sentence() -> None:
    one, two = "Errors of a parser are bounded in number [1].", "Nine methods are compared on three datasets [2]."
    both = item(JOINED, "paper", *((q["handle"], q["quote"]) for each in (BOUNDED, COMPARED) for q in each["quotes"]))
    items = [{"from": [1], "text": one}, {"from": [1], "text": two}]
    done = write_prose(WHOLE, answering({"Parsing": {"sentences": [both]}}, revision=items))
    assert [s.cites for s in sentences(done)] == [(ONE,), (TWO,)]


def test_what_a_revision_leaves_as_it_is_is_not_judged_again() -> None:
    model = revising({"from": [1], "text": ""}, {"from": [3], "text": ""}, {"from": [2], "text": BOUNDED["text"]})
    done = write_prose(WHOLE, model)
    assert [s.cites for s in sentences(done)] == [(), (TWO,), (ONE,)]
    judged = [line for line in model.requests[-1].prompt.splitlines() if line.startswith("sentence ")]
    assert len(judged) == 1
    assert "opens the paragraph" in judged[0]


@pytest.mark.parametrize(
    "items",
    [
        [{"from": [2, 3], "text": JOINED.replace("three", "30")}],
        [{"from": [2, 3], "text": JOINED.replace("[2]", "[3]")}],
        [{"from": [2, 3], "text": JOINED.replace(" [2]", "")}],
        [{"from": [2, 3], "text": JOINED.replace("parser", "BERT parser")}],
        [{"from": [2, 3], "text": JOINED.replace("parser", r"\\input{x}")}],
        [{"from": [2], "text": "Nine methods are compared on three datasets [2]."}, {"from": [2, 3], "text": JOINED}],
    ],
)
def test_sentences_whose_revision_fails_a_check_stay(items: list[Any]) -> None:
    done = write_prose(WHOLE, revising({"from": [1], "text": ""}, *items))
    assert [s.cites for s in sentences(done)] == [(), (ONE,), (TWO,)]
    assert [finding.code for finding in done.findings] == ["polish_refused"]


@pytest.mark.parametrize(
    "items",
    [
        [{"from": [2], "text": ""}],
        [{"from": [2, 3, 7], "text": JOINED}],
        [{"from": [], "text": JOINED}],
        [{"from": [2, 3], "text": None}],
        ["no"],
        [],
    ],
)
def test_what_a_revision_leaves_out_stays_where_it_was(items: list[Any]) -> None:
    done = write_prose(WHOLE, revising(*items))
    assert [s.cites for s in sentences(done)] == [(), (ONE,), (TWO,)]
    assert done.findings == ()


def test_a_revised_sentence_that_is_not_borne_out_gives_way_to_what_it_was() -> None:
    items = (
        {"from": [1], "text": ""},
        {"from": [2], "text": "A parser never errs [1]."},
        {"from": [3], "text": "Three datasets serve to compare nine methods [2]."},
    )
    done = write_prose(WHOLE, revising(*items, judge=refuting("never")))
    assert [s.cites for s in sentences(done)] == [(), (ONE,), (TWO,)]
    assert [s.text.split()[0] for s in sentences(done)] == ["Logs", "Errors", "Three"]
    (finding,) = done.findings
    assert (finding.code, "never" in finding.message) == ("polish_refused", True)


@pytest.mark.parametrize(
    "said", ["no", "", '{"paragraphs": [{"id": "p1", "sentences": [{"from": [2]', {"paragraphs": 7}]
)
def test_a_revision_that_cannot_be_read_changes_nothing(said: Any) -> None:
    done = write_prose(WHOLE, answering({"Parsing": {"sentences": [BOUNDED, COMPARED]}}, revision=lambda _: said))
    assert [s.cites for s in sentences(done)] == [(ONE,), (TWO,)]
    assert done.findings == ()


def test_what_was_refused_may_become_a_part_of_its_neighbour() -> None:
    wrong = {**COMPARED, "text": "Ninety methods are compared [2]."}
    both = item(JOINED, "paper", (2, "It compares nine methods on three"))
    done = write_prose(WHOLE, answering({"Parsing": {"sentences": [BOUNDED, wrong]}}, revision=[anew(both, 1, 2)]))
    assert [s.cites for s in sentences(done)] == [(ONE, TWO)]
    assert done.findings == ()

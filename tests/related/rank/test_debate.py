from collections.abc import Sequence
from typing import Any

import pytest

from citeplug.errors import Cancelled, ModelUnavailable
from citeplug.records.debate import Argument, Debate
from citeplug.records.dialogue import Request
from citeplug.related.rank import BATCH, proved, rank_by_debate
from tests.harness.debates import ABSENT, HOSTILE, PLAIN
from tests.harness.scripted_models import ScriptedModel, Seen
from tests.related.write.examples import DRAFT, EMBEDDING, PARSER, SURVEY, paper

PAPERS = [PARSER, SURVEY, EMBEDDING]


def judged(handle: int, seen: Seen, probability: Any = 50, quote: str | None = None) -> dict[str, Any]:
    real = " ".join(seen.papers[handle].abstract.split()[:7])
    argument = {"argument": "It is on logs.", "quote": quote if quote is not None else real}
    return {"handle": handle, "arguments_for": [argument], "arguments_against": [], "probability": probability}


def by_title(seen: Seen) -> list[dict[str, Any]]:
    return [judged(h, seen, 10 * len(seen.papers[h].title.split())) for h in seen.papers]


def rank(model: ScriptedModel, papers: Sequence[Any] = PAPERS) -> tuple[list[int], list[Debate]]:
    order, debates, trouble = rank_by_debate(DRAFT.title, DRAFT.abstract, papers, model)
    assert trouble is None
    return order, debates


def test_the_most_probable_comes_first_and_its_quotations_are_found() -> None:
    order, debates = rank(ScriptedModel(lambda seen, _: {"candidates": by_title(seen)}))
    assert order == [1, 0, 2]  # titles of 6, 5 and 4 words
    assert all(debate.unproved == 0 for debate in debates)


def test_the_arguments_are_kept_with_the_abstract_s_own_words_and_those_without_a_quotation_are_not() -> None:
    def script(seen: Seen, _: Request) -> dict[str, Any]:
        answers = by_title(seen)
        for answer in answers:
            abstract = seen.papers[answer["handle"]].abstract
            answer["arguments_for"] += [
                {"argument": HOSTILE, "quote": "\n ".join(abstract.upper().split()[:7])},
                {"argument": "It is made up.", "quote": ABSENT},
                {"argument": "It quotes nothing."},
                {"argument": ["no text"], "quote": abstract},
                "no argument",
            ]
            answer["arguments_against"] = "none"
        return {"candidates": answers}

    _, debates = rank(ScriptedModel(script))
    for candidate, debate in zip(PAPERS, debates, strict=True):
        near, hostile = debate.arguments_for
        assert near == Argument("It is on logs.", " ".join(candidate.abstract.split()[:7]))
        assert hostile == Argument(PLAIN, near.quote)
        assert (debate.arguments_against, debate.unproved) == ((), 1)


def test_a_debate_that_was_kept_is_proved_again() -> None:
    words = PARSER.abstract.split()
    real, forged = Argument("It is on logs.", " ".join(words[:7])), Argument("It is on logs.", ABSENT)
    kept = Debate(float("nan"), (real, forged), (forged,))
    assert proved(kept, PARSER.abstract) == Debate(None, (real,), (), 2)
    assert proved(proved(kept, PARSER.abstract), PARSER.abstract) == Debate(None, (real,), (), 2)
    assert proved(kept, SURVEY.abstract) == Debate(None, unproved=3)


def test_a_quote_absent_from_the_abstract_is_asked_again_at_most_twice() -> None:
    model = ScriptedModel(
        lambda seen, _: {"candidates": [judged(h, seen, 70, "nobody ever wrote these words here") for h in seen.papers]}
    )
    _, debates = rank(model)
    assert model.round_trips == 3
    assert all(debate.unproved == 1 for debate in debates)


def test_without_verification_only_what_has_no_probability_is_asked_again() -> None:
    def script(seen: Seen, request: Request) -> dict[str, Any]:
        given = None if len(seen.papers) == len(PAPERS) else 90
        chances = {h: given if seen.papers[h].title == SURVEY.title else 10 for h in seen.papers}
        return {"candidates": [judged(h, seen, chances[h], "nobody ever wrote these words here") for h in chances]}

    model = ScriptedModel(script)
    order, debates, _ = rank_by_debate(DRAFT.title, DRAFT.abstract, PAPERS, model, verified=False)
    assert order[0] == 1 and model.round_trips == 2
    assert [debate.probability for debate in debates] == [10, 90, 10]


def test_a_mended_answer_counts() -> None:
    calls = [0]

    def script(seen: Seen, _: Request) -> dict[str, Any]:
        calls[0] += 1
        return {"candidates": [judged(h, seen, 70, "no such words" if calls[0] == 1 else None) for h in seen.papers]}

    model = ScriptedModel(script)
    _, debates = rank(model)
    assert model.round_trips == 2
    assert all(debate.unproved == 0 and debate.probability == 70 for debate in debates)


def test_thirty_candidates_cost_one_round_trip() -> None:
    many = [paper(f"We study logs of kind {n} in many large systems.", arxiv_id=f"2001.{n:05d}") for n in range(1, 31)]
    model = ScriptedModel(lambda seen, _: {"candidates": by_title(seen)})
    order, _ = rank(model, many)
    assert model.round_trips == 1
    assert len(model.requests) == 30 // BATCH
    assert order == list(range(30))


@pytest.mark.parametrize("probability", [None, 101, -1, "often", True, float("nan")])
def test_a_probability_that_is_none_is_asked_again_and_stands_as_fifty(probability: Any) -> None:
    def script(seen: Seen, _: Request) -> dict[str, Any]:
        chances = {PARSER.title: 40, SURVEY.title: probability, EMBEDDING.title: 60}
        return {"candidates": [judged(h, seen, chances[p.title]) for h, p in seen.papers.items()]}

    order, debates = rank(ScriptedModel(script))
    assert order == [2, 1, 0]
    assert debates[1].probability is None


def test_an_outage_keeps_the_order_and_is_told() -> None:
    model = ScriptedModel(lambda seen, _: "", fail_after=0, error=ModelUnavailable("away"))
    order, _, trouble = rank_by_debate("T", "A", PAPERS, model)
    assert order == [0, 1, 2]
    assert isinstance(trouble, ModelUnavailable)


def test_cancelling_cancels() -> None:
    with pytest.raises(Cancelled):
        rank_by_debate("T", "A", PAPERS, ScriptedModel(lambda seen, _: "", fail_after=0, error=Cancelled("stop")))


@pytest.mark.parametrize("answer", ["", "no", '{"candidates": 3}', '{"candidates": [{"handle": 9}, null, {}]}'])
def test_an_answer_without_debates_keeps_the_order(answer: str) -> None:
    order, _ = rank(ScriptedModel(lambda seen, _: answer))
    assert order == [0, 1, 2]

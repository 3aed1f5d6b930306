"""A model's answer: what passes the checks stays, what does not is asked once more, dropped, or refuses the answer."""

from dataclasses import replace

import pytest

from citeplug.ask.shown import as_shown
from citeplug.errors import BudgetReached, Cancelled, ModelUnavailable
from citeplug.records.answer import AnswerSentence, AskedPassage
from citeplug.records.dialogue import Heard, Reply, Request
from tests.ask.by_model.asked import (
    FLASH,
    PAGED,
    PAGES,
    PASSAGES,
    TEXTS,
    TILES,
    as_text,
    by_stage,
    codes,
    entails_all,
    failing,
    model,
    passages_in,
    said,
    verdicts,
    write,
)
from tests.harness.scripted_models import ScriptedModel

OUTAGE = ModelUnavailable("the service is down", "try again later")


def test_a_sentence_that_is_borne_out_is_supported_with_its_place_and_score() -> None:
    written = write(model(said(TILES), verdicts("entailed")))
    (sentence,) = written.sentences
    (citation,) = sentence.citations
    assert (sentence.status, written.refused, codes(written)) == ("supported", False, [])
    assert citation.paper == "2205.14135" and FLASH[citation.start : citation.end] == citation.quote
    assert citation.quote == "computes exact attention in tiles, so that the score matrix is never written"
    assert 0.5 < sentence.attribution < 1
    assert sentence.judgement is not None and sentence.judgement.verdict == "entailed"


def test_it_takes_two_requests_where_nothing_is_wrong() -> None:
    asked = model(said(TILES, PAGES), verdicts("entailed", "entailed"))
    assert len(write(asked).sentences) == 2
    assert [request.stage for request in asked.requests] == ["prose", "judge"]


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"quotes": [{"passage": 1, "quote": "computes exact attention in large tiles of scores"}]}, "word for word"),
        ({"quotes": [{"passage": 2, "quote": TILES["quotes"][0]["quote"]}]}, "word for word"),
        ({"quotes": []}, "quote the passages"),
        ({"quotes": [{"passage": 9, "quote": "keeps the cache of keys and values in pages"}]}, "no passage 9"),
        ({"quotes": [{"passage": 0, "quote": "keeps the cache of keys and values in pages"}]}, "no passage 0"),
        ({"text": "FlashAttention computes attention in 64 tiles, apart from slow memory."}, "number 64"),
        ({"text": "FlashAttention computes attention in tiles, unlike Reformer does."}, "Reformer"),
        ({"text": "FlashAttention computes attention in tiles [7]."}, "[7]"),
        ({"text": "We compute attention in tiles, apart from slow memory."}, "We"),
        ({"text": r"FlashAttention computes \emph{attention} in tiles."}, "mark-up"),
        ({"text": "FlashAttention is at https://evil.example and computes in tiles."}, "no address"),
    ],
)
def test_what_is_refused_is_asked_once_more_with_the_reason(wrong: dict[str, object], reason: str) -> None:
    shown: list[AnswerSentence | None] = []
    asked = model(said({**TILES, **wrong}), said(TILES), verdicts("entailed"))
    written = write(asked, shown=shown)
    assert reason in asked.requests[1].prompt
    assert [sentence.text for sentence in written.sentences] == [TILES["text"]]
    assert [sentence and sentence.text for sentence in shown] == [TILES["text"]]
    assert codes(written) == []


def test_an_answer_whose_sentences_all_fail_is_refused_and_says_why() -> None:
    bad = {**TILES, "text": "FlashAttention is 9 times faster."}
    written = write(model(said(bad), said(bad)))
    assert written.refused and written.sentences == ()
    assert codes(written) == ["sentence_dropped"] and "number 9" in written.findings[0].message


def test_a_model_may_say_that_nothing_answers() -> None:
    shown: list[AnswerSentence | None] = []
    asked = model(said(TILES, answers="no"))
    written = write(asked, shown=shown)
    assert written.refused and written.sentences == ()
    assert shown == [] and len(asked.requests) == 1


def test_an_answer_to_a_part_of_the_question_says_so() -> None:
    written = write(model(said(TILES, answers="part"), verdicts("entailed")))
    assert codes(written) == ["answer_in_part"] and len(written.sentences) == 1


def test_the_judge_drops_what_is_not_borne_out_and_marks_what_is_in_part() -> None:
    written = write(model(said(TILES, PAGES), verdicts("not", "partly")))
    (left,) = written.sentences
    assert (left.text, left.status) == (PAGES["text"], "weak")
    assert left.judgement is not None and left.judgement.unsupported == "a part"
    assert codes(written) == ["claim_unsupported"]


def test_sentences_beside_the_question_are_dropped_and_so_the_answer_is_refused() -> None:
    written = write(model(said(TILES), verdicts(("entailed", False))))
    assert written.refused and codes(written) == ["claim_unsupported"]


def test_papers_that_give_different_answers_are_in_conflict() -> None:
    faster = {
        "text": "With FlashAttention, training of GPT-2 is 3 times faster than the baseline.",
        "quotes": [{"passage": 1, "quote": "Training of GPT-2 is 3 times faster than the baseline"}],
    }
    slower = {
        "text": "With sparse attention, training of GPT-2 is 2 times slower than the baseline.",
        "quotes": [{"passage": 3, "quote": "Training of GPT-2 is 2 times slower than the baseline"}],
        "against": 1,
    }
    written = write(model(said(faster, slower, PAGES), verdicts(*["entailed"] * 3)))
    assert [sentence.status for sentence in written.sentences] == ["conflict", "conflict", "supported"]


@pytest.mark.parametrize("against", [2, 1, 7, -3, "x"])
def test_a_sentence_contradicts_no_other_of_its_own_paper_and_none_that_is_not_there(against: object) -> None:
    other = {**TILES, "text": "FlashAttention never writes the score matrix to slow memory.", "against": against}
    written = write(model(said(TILES, other), verdicts("entailed", "entailed")))
    assert [sentence.status for sentence in written.sentences] == ["supported", "supported"]


@pytest.mark.parametrize("verdict", ["entailed", "partly"])
def test_a_source_sentence_word_for_word_is_quoted_and_in_quotation_marks(verdict: str) -> None:
    whole = (
        "FlashAttention computes exact attention in tiles, so that the score matrix is never written to slow memory."
    )
    item = {"text": whole.replace(", so", " so"), "quotes": [{"passage": 1, "quote": " ".join(whole.split()[:8])}]}
    (sentence,) = write(model(said(item), verdicts(verdict))).sentences
    assert sentence.status == ("quoted" if verdict == "entailed" else "weak")
    assert sentence.text == sentence.citations[0].quote == whole and as_shown(sentence) == f"“{whole}”"
    assert sentence.attribution == 1


def test_without_a_model_from_the_start_nothing_is_known() -> None:
    written = write(failing(OUTAGE, 0))
    assert not written.refused and written.sentences == () and codes(written) == ["model_unavailable"]


@pytest.mark.parametrize("reply", ["I would rather not.", "", "[]", '{"sentences": 3}', "{" * 5_000])
def test_an_answer_that_cannot_be_read_counts_as_none(reply: str) -> None:
    written = write(model(reply))
    assert not written.refused and written.sentences == () and codes(written) == ["model_unavailable"]


def test_without_the_judge_the_sentences_are_weak_and_it_says_so() -> None:
    written = write(failing(BudgetReached("the budget is used up"), 1, said(TILES)))
    assert [sentence.status for sentence in written.sentences] == ["weak"]
    assert codes(written) == ["budget_reached", "claims_partly_checked"]


def test_a_repair_that_fails_costs_its_sentence_alone() -> None:
    asked = failing(BudgetReached("the budget is used up"), 1, said(TILES, {**PAGES, "text": "It has 7 pages."}))
    written = write(asked)
    assert [sentence.text for sentence in written.sentences] == [TILES["text"]]
    assert set(codes(written)) == {"budget_reached", "sentence_dropped", "claims_partly_checked"}


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), Cancelled("stopped")])
def test_an_interruption_keeps_what_was_said(stop: BaseException) -> None:
    class Interrupted(ScriptedModel):
        def complete(self, request: Request, on_text: object = None) -> Reply:
            assert callable(on_text)
            on_text(Heard(0, as_text(said(TILES, PAGES))[:-40]))
            raise stop

    written = write(Interrupted(lambda _, __: ""))
    assert [sentence.text for sentence in written.sentences] == [TILES["text"]]
    assert codes(written) == ["answer_cut"]


def test_an_interruption_before_the_first_sentence_is_one() -> None:
    class Interrupted(ScriptedModel):
        def complete(self, request: Request, on_text: object = None) -> Reply:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(Interrupted(lambda _, __: ""))


def test_an_answer_that_breaks_off_and_starts_again_is_taken_back() -> None:
    class Anew(ScriptedModel):
        def complete(self, request: Request, on_text: object = None) -> Reply:
            if request.stage == "judge":
                return super().complete(request)
            assert callable(on_text)
            for heard in (Heard(0, as_text(said(TILES))), Heard(0, state="anew"), Heard(0, as_text(said(PAGES)))):
                on_text(heard)
            return Reply(as_text(said(PAGES)), said(PAGES))

    shown: list[AnswerSentence | None] = []
    written = write(Anew(lambda _, request: entails_all(request)), shown=shown)
    assert [each and each.text for each in shown] == [TILES["text"], None, PAGES["text"]]
    assert [sentence.text for sentence in written.sentences] == [PAGES["text"]]


def test_an_answer_that_was_cut_off_is_read_as_far_as_it_goes() -> None:
    cut = as_text(said(TILES, PAGES))[:-60]
    written = write(model(cut, verdicts("entailed")))
    assert [sentence.text for sentence in written.sentences] == [TILES["text"]]


def test_a_german_question_is_answered_in_german_with_its_numbers_checked() -> None:
    item = {**TILES, "text": "FlashAttention berechnet die Werte in Kacheln und ist dreimal schneller."}
    wrong = {**TILES, "text": "FlashAttention berechnet die Werte in Kacheln und ist 17 mal schneller."}
    asked = by_stage(lambda _: said(item, wrong), entails_all)
    written = write(asked, "Wie wird es vermieden, die Matrix der Werte in den Speicher zu schreiben?")
    assert [sentence.text for sentence in written.sentences] == [item["text"]]


def test_a_chinese_question_can_be_answered() -> None:
    item = {**TILES, "text": "FlashAttention 按块计算注意力，不把分数矩阵写入慢速内存。"}
    written = write(model(said(item), verdicts("entailed")), "如何避免写入分数矩阵？")
    assert [sentence.status for sentence in written.sentences] == ["supported"]


def test_math_of_the_passage_may_be_repeated() -> None:
    passage = AskedPassage("2205.14135", 0, "The method needs $O(N)$ memory for a sequence of length $N$ in all cases.")
    item = {
        "text": "The memory of FlashAttention grows as $O(N)$ with the length $N$.",
        "quotes": [{"passage": 1, "quote": "needs $O(N)$ memory for a sequence of length $N$"}],
    }
    written = write(model(said(item), verdicts("entailed")), passages=(passage,))
    assert len(written.sentences) == 1


def test_names_may_be_those_of_the_title_or_the_section() -> None:
    texts = replace(PASSAGES[1], section="Evaluation of vLLM")
    item = {**PAGES, "text": "vLLM stores keys and values in pages that can lie apart."}
    item["quotes"] = [{"passage": 1, "quote": "keeps the cache of keys and values in pages"}]
    assert len(write(model(said(item), verdicts("entailed")), passages=(texts,)).sentences) == 1
    assert PAGED and TEXTS


def test_nothing_is_asked_where_no_passage_was_found() -> None:
    asked = model()
    assert write(asked, passages=()).refused and asked.requests == []


def test_a_name_that_begins_with_a_small_letter_stays_so() -> None:
    passage = replace(PASSAGES[1], section="Evaluation of vLLM")
    item = {
        "text": "vLLM stores keys and values in pages that can lie apart.",
        "quotes": [{"passage": 1, "quote": "keeps the cache of keys and values in pages"}],
    }
    (sentence,) = write(model(said(item), verdicts("entailed")), passages=(passage,)).sentences
    assert sentence.text == item["text"]


def test_a_judge_is_shown_the_passages_that_are_cited_under_the_same_numbers() -> None:
    asked = model(said(PAGES), verdicts("entailed"))
    write(asked)
    assert passages_in(asked.requests[1]) == {2: PAGED}


def test_a_number_among_several_of_like_things_is_left_to_the_judge() -> None:
    text = (
        "We keep 128 entries per head and lose 1.3 points on LongBench. With 512 entries the loss is below 0.2 points."
    )
    passage = AskedPassage("2309.06180", 0, text)
    item = {
        "text": "With 512 entries per head, the compression loses less than 0.2 points on LongBench.",
        "quotes": [{"passage": 1, "quote": "With 512 entries the loss is below 0.2 points"}],
    }
    asked = model(said(item), verdicts("entailed"))
    assert [sentence.status for sentence in write(asked, passages=(passage,)).sentences] == ["supported"]
    assert "suspicion: the source has 128 here, and 512 of something else" in asked.requests[1].prompt

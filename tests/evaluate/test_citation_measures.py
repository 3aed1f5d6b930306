"""Measures of citations, given verdicts; refusals; nuggets; plans; and the measures that need no judge."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.evaluate.measures.citations import (
    CitedSentence,
    NotJudged,
    Verdicts,
    alce_citation_precision,
    citation_position,
    citation_precision,
    citation_recall,
    claim_coverage,
    number_of_citations,
    source_relevance,
)
from citeplug.evaluate.measures.retrieval import citation_coverage
from citeplug.evaluate.measures.texts import (
    JudgedNugget,
    agreement_of_numbers,
    answer_accuracy,
    nugget_coverage,
    over_refusal,
    plan_adherence,
    reality_of_keys,
    refusal_recall,
    share_of_copied_runs,
    validity_of_quotations,
    words_of_nuggets,
)

LONG = "a sentence that is long enough to be looked at by the published code"
PAPERS = ("", "1", "2", "12")  # a letter each


def cited(*cites: str, text: str = LONG) -> CitedSentence:
    return CitedSentence(text, cites)


def verdicts(*entailed: tuple[int, str], against: tuple[tuple[int, str], ...] = ()) -> Verdicts:
    """Sentence and its papers, a letter each."""
    return Verdicts(
        {(at, frozenset(papers)): True for at, papers in entailed}
        | {(at, frozenset(papers)): False for at, papers in against}
    )


class TestAlce:
    """ALCE, section 4.3: a citation is of use if it entails alone, or if the others do not without it."""

    # [1] supports alone, [2] and [3] only together, [4] adds nothing.
    SENTENCES = (cited("1"), cited("2", "3"), cited("1", "4"), cited())
    GIVEN = verdicts((0, "1"), (1, "23"), (2, "14"), (2, "1"), against=((1, "2"), (1, "3"), (2, "4")))

    def test_recall_is_of_sentences(self) -> None:
        assert citation_recall(self.SENTENCES, self.GIVEN) == 3 / 4

    def test_precision_counts_a_dispensable_citation_against(self) -> None:
        assert alce_citation_precision(self.SENTENCES, self.GIVEN) == 4 / 5

    def test_citations_of_an_unsupported_sentence_are_of_no_use(self) -> None:
        given = verdicts((0, "1"), against=((0, "12"),))
        assert alce_citation_precision([cited("1", "2")], given) == 0

    def test_an_invented_citation_costs_precision_and_as_published_does_not(self) -> None:
        sentences, given, known = [cited("1"), cited("1", "x")], verdicts((0, "1"), (1, "1")), {"1"}
        assert alce_citation_precision(sentences, given, known) == 2 / 3
        assert alce_citation_precision(sentences, given, known, as_published=True) == 1
        assert citation_recall(sentences, given, known) == 1
        assert citation_recall(sentences, given, known, as_published=True) == 1 / 2

    def test_as_published_the_fourth_citation_is_not_looked_at(self) -> None:
        given = verdicts((0, "123"), (0, "1"), (0, "2"), (0, "3"), against=((0, "1234"),))
        assert citation_recall([cited("1", "2", "3", "4")], given, as_published=True) == 1
        assert citation_recall([cited("1", "2", "3", "4")], given) == 0

    def test_without_citations_precision_does_not_apply_and_as_published_is_0(self) -> None:
        assert alce_citation_precision([cited()], verdicts()) is None
        assert alce_citation_precision([cited()], verdicts(), as_published=True) == 0


class TestPrecision:
    def test_it_is_the_share_of_citations_that_entail_alone(self) -> None:
        given = verdicts((0, "1"), (0, "2"), (1, "3"), against=((1, "4"),))
        assert citation_precision([cited("1", "2"), cited("3", "4"), cited()], given) == 3 / 4

    def test_as_published_a_sentence_without_citations_counts_as_wrong(self) -> None:
        given = verdicts((0, "1"), (0, "2"), (1, "3"), against=((1, "4"),))
        sentences = [cited("1", "2"), cited("3", "4"), cited(), cited("9", text="too short")]
        assert citation_precision(sentences, given, as_published=True) == pytest.approx((1 + 1 / 2 + 0) / 3)

    def test_what_nobody_judged_is_not_made_up(self) -> None:
        with pytest.raises(NotJudged):
            citation_precision([cited("1")], verdicts())


class TestClaims:
    def test_a_neighbour_s_citation_covers_and_as_published_never_does(self) -> None:
        sentences = [cited(), cited("1"), cited("2")]
        given = verdicts((0, "1"), (1, "1"), against=((2, "2"), (1, "2"), (2, "1")))
        assert claim_coverage(sentences, given) == 2 / 3
        assert claim_coverage(sentences, given, as_published=True) == 1 / 3

    @given(
        st.lists(st.sampled_from(PAPERS), min_size=1, max_size=6),
        st.sets(st.tuples(st.integers(0, 5), st.sampled_from(PAPERS))),
    )
    def test_a_wider_window_covers_no_less(self, cites: list[str], entailed: set[tuple[int, str]]) -> None:
        sentences = [cited(*each) for each in cites]
        given = Verdicts({(at, frozenset(each)): (at, each) in entailed for at in range(6) for each in PAPERS})
        values = [claim_coverage(sentences, given, window) or 0 for window in range(4)]
        assert values == sorted(values)
        assert values[0] == claim_coverage(sentences, given, 3, as_published=True)


class TestAnswers:
    def test_refusals_of_either_kind_have_their_own_measure(self) -> None:
        assert (refusal_recall(False, True), refusal_recall(False, False), refusal_recall(True, True)) == (1, 0, None)
        assert (over_refusal(True, True), over_refusal(True, False), over_refusal(False, True)) == (1, 0, None)

    def test_truthreader_s_refusal_recall_is_the_mean_over_its_88_questions(self) -> None:
        given = [refusal_recall(False, at < 87) for at in range(88)]
        assert 100 * sum(value or 0 for value in given) / 88 == pytest.approx(98.86, abs=0.005)  # Claude 3, Table 2

    def test_refusing_what_has_an_answer_is_a_wrong_answer(self) -> None:
        assert answer_accuracy(True, True, None) == 0
        assert answer_accuracy(True, False, True) == 1
        assert answer_accuracy(True, False, None) is None
        assert answer_accuracy(False, False, True) is None

    def test_every_mention_is_a_citation(self) -> None:
        assert number_of_citations([cited("1", "2"), cited("1")]) == 3
        assert number_of_citations([]) is None


class TestNuggets:
    NUGGETS = (
        JudgedNugget("vital", "support"),
        JudgedNugget("vital", "partial_support"),
        JudgedNugget("okay", "support"),
        JudgedNugget("okay", "not_support"),
    )

    def test_partial_support_is_half_or_nothing(self) -> None:
        assert nugget_coverage(self.NUGGETS) == 2.5 / 4
        assert nugget_coverage(self.NUGGETS, strict=True) == 2 / 4

    def test_vital_nuggets_alone_or_twice_as_much(self) -> None:
        assert nugget_coverage(self.NUGGETS, "vital") == 1.5 / 2
        assert nugget_coverage(self.NUGGETS, "weighted") == (1.5 + 0.5) / (2 + 1)

    def test_without_nuggets_it_does_not_apply(self) -> None:
        assert nugget_coverage([]) is None
        assert nugget_coverage(self.NUGGETS[2:], "vital") is None


class TestPlans:
    def test_as_published_too_long_and_too_short_cancel(self) -> None:
        pairs = [(5, 3), (1, 3), (3, 3)]
        assert sum(plan_adherence(*pair, as_published=True) for pair in pairs) == 0
        assert sum(plan_adherence(*pair) for pair in pairs) == 4
        assert [plan_adherence(*pair) == 0 for pair in pairs] == [False, False, True]

    def test_citations_beyond_the_plan_do_not_count(self) -> None:
        assert citation_coverage(["a", "c"], ["a", "b"]) == 0.5
        assert citation_coverage(["a"], []) is None

    def test_of_two_printed_sections_one_cites_where_it_was_planned_and_the_other_nowhere(self) -> None:
        """LitLLM, Table 16, GPT-4 and GPT-3.5 with "Cite @cite.1 at line 1 and 3. Cite @cite.2 at line 2 and 5. Cite
        @cite.3 at line 4 and 5."
        """
        plan = [{"1"}, {"2"}, {"1"}, {"3"}, {"2", "3"}]
        gpt4 = [("1",), ("2",), ("1",), ("3",), ("2", "3")]
        gpt35 = [(), ("1",), (), ("1",), (), ("2",), ("3",), ("3",)]
        assert citation_position([CitedSentence("", cites) for cites in gpt4], plan) == 1
        assert citation_position([CitedSentence("", cites) for cites in gpt35], plan) == 0
        assert citation_position([], []) is None


def test_relevance_is_reported_as_mean_and_sum() -> None:
    mean, total = source_relevance({"a": 7, "b": 6, "invented": 0}).values()
    assert mean == pytest.approx(13 / 3) and total == 13
    assert source_relevance({}) == {}


class TestStandIns:
    def test_a_quotation_counts_where_its_source_has_it(self) -> None:
        source = "We show that the method converges in ten steps on every graph."
        quotes = [("the method converges in ten steps", source), ("the method never converges in ten", source)]
        assert validity_of_quotations(quotes) == 0.5
        assert validity_of_quotations([]) is None

    def test_copied_words_count_outside_of_quotation_marks(self) -> None:
        source = "one two three four five six seven eight nine ten"
        assert share_of_copied_runs("one two three four five six seven eight and more", [source]) == 8 / 10
        assert share_of_copied_runs("He says “one two three four five six seven eight” twice", [source]) == 0
        assert share_of_copied_runs("one two three four five six seven", [source]) == 0
        assert share_of_copied_runs("", [source]) is None

    @given(st.text(), st.text())
    def test_the_share_of_copied_runs_is_a_share(self, text: str, source: str) -> None:
        share = share_of_copied_runs(text, [source, text])
        assert share is None or 0 <= share <= 1

    def test_a_paper_that_does_not_exist_counts_against(self) -> None:
        assert reality_of_keys(["a", "x"], {"a", "b"}) == 0.5

    def test_numbers_are_compared_as_numbers_are_written(self) -> None:
        pairs = [("It has 1,000 nodes and 4.0 layers", "with 1000 nodes and 4 layers"), ("none", "5")]
        assert agreement_of_numbers(pairs) == 0.5
        assert agreement_of_numbers([("none", "5")]) is None

    def test_words_of_nuggets_are_compared_by_stems(self) -> None:
        assert words_of_nuggets("They sampled graphs", ["sampling of a graph", "primes"]) == 0.5

"""Numbers that Citegeist and Meta Knowledge print, through the measures that have their names."""

from collections.abc import Callable
from statistics import fmean, pstdev, stdev

import pytest

from citeplug.evaluate.judge.published import SECTION, ask_metrics, ask_quality, ask_relevance
from citeplug.evaluate.judge.question import verdicts_of
from citeplug.evaluate.judge.scores import JudgedRun, judged_scores
from citeplug.evaluate.measures.citations import source_relevance
from citeplug.records.dialogue import Reply
from tests.evaluate.test_judges import gold_of, run_of

DRAFTS, BREADTH = 11, 10  # Citegeist, section 4: eleven drafts, ten citations each


def scores_of_ten(total: int) -> list[int]:
    """Ten whole scores from 0 to 10 with this sum."""
    return [total // BREADTH + (place < total % BREADTH) for place in range(BREADTH)]


class TestCitegeist:
    @pytest.mark.parametrize(
        ("totals", "mean", "sum_"), [([69] * 11, "6.90", "69.00"), ([68] * 9 + [69] * 2, "6.82", "68.18")]
    )
    def test_of_ten_citations_a_draft_the_sum_is_ten_times_the_mean(
        self, totals: list[int], mean: str, sum_: str
    ) -> None:
        """Table 1, Rel Mean and Rel Sum, of Citegeist and of Citegeist (w. paper)."""
        ids = [f"2001.{number:05}" for number in range(1, BREADTH + 1)]
        gold = gold_of(DRAFTS)
        run = run_of(gold, {"text": "They do.", "cites": ids})
        verdicts = []
        for query, total in zip(gold, totals, strict=True):
            scores = dict(zip(ids, scores_of_ten(total), strict=True))
            asked = ask_relevance(query, run[query.query_id], dict.fromkeys(ids, "An abstract."), as_published=True)
            for question in asked:
                (cited,) = question.places
                verdicts += verdicts_of(question, Reply("", data={"score": scores[cited]}), "gpt-4o")
        found = {each.name: f"{each.value:.2f}" for each in judged_scores(verdicts, JudgedRun(gold, run))}
        assert found == {"source relevance, mean": mean, "source relevance, sum": sum_}

    def test_an_invalid_citation_is_worth_nothing_and_lowers_the_mean(self) -> None:
        """A section of GPT4o: what does not exist is named "(invalid citation)"."""
        mean, total = source_relevance({"real": 4.0, "invalid 1": 0.0, "invalid 2": 0.0}).values()
        assert mean == pytest.approx(4 / 3) and total == 4.0

    @pytest.mark.parametrize(
        ("scores", "printed", "deviate"),
        [
            ([8] * 6 + [7] * 5, "7.55 ± 0.52", stdev),  # Qual GPT
            ([7] * 10 + [6], "6.91 ± 0.29", pstdev),  # Qual Gem
            ([8] * 8 + [9] * 3, "8.27 ± 0.45", pstdev),  # Qual Mist
        ],
    )
    def test_whole_scores_of_eleven_drafts_have_the_printed_quality(
        self, scores: list[int], printed: str, deviate: Callable[[list[float]], float]
    ) -> None:
        gold = gold_of(DRAFTS)
        run = run_of(gold, text="The section.")
        verdicts = []
        for query, score in zip(gold, scores, strict=True):
            (question,) = ask_quality(query, run[query.query_id], as_published=True)
            assert set(question.places) == {SECTION}
            verdicts += verdicts_of(question, Reply("", data={"score": score}), "m")
        (quality,) = judged_scores(verdicts, JudgedRun(gold, run))
        assert quality.name == "quality of the section"
        values = list(quality.values.values())
        assert f"{quality.value:.2f} ± {deviate(values):.2f}" == printed


# Meta Knowledge, appendix E, of the fourth scientist: the search augmented by the meta-knowledge summary.
RATED = {"recall": 90, "precision": 95, "specificity": 85, "breadth": 90, "depth": 85, "relevancy": 95}


class TestMetaKnowledge:
    ARMS = ("chunks", "chunks, augmented", "questions, augmented", "questions, augmented by summary")

    def test_the_printed_comparison_rates_the_fourth_arm(self) -> None:
        (gold,) = gold_of(question="What are the concerns about data privacy in autonomous vehicles?")
        runs = {arm: run_of([gold], text=f"by {arm}", context=["found"])["q0"] for arm in self.ARMS}
        (question,) = ask_metrics(gold, runs, as_published=True)
        rated = {f"scientist{place}": dict.fromkeys(RATED, 50) for place in (1, 2, 3)}
        read = verdicts_of(question, Reply("", data={**rated, "scientist4": RATED}), "claude-3-sonnet")
        found = {each.name: each.value for each in judged_scores(read, JudgedRun([gold]))}
        assert {name.split("/")[0]: value for name, value in found.items() if name.endswith("summary")} == RATED

    def test_the_printed_breadth_is_a_mean_over_queries_and_more_than_a_fifth_above_chunks(self) -> None:
        """Table 1: 67.32 and 87.09 of 200 queries; whole ratings with these means give them back."""
        gold = gold_of(200, question="Why?")
        runs = {arm: run_of(gold, text="x", context=["found"]) for arm in (self.ARMS[0], self.ARMS[3])}
        given = {self.ARMS[0]: _whole(67.32, 200), self.ARMS[3]: _whole(87.09, 200)}
        verdicts = []
        for place, query in enumerate(gold):
            arms = {arm: run[query.query_id] for arm, run in runs.items()}
            (question,) = ask_metrics(query, arms, as_published=True)
            data = {f"scientist{number}": dict.fromkeys(RATED, given[arm][place]) for number, arm in enumerate(arms, 1)}
            verdicts += verdicts_of(question, Reply("", data=data), "m")
        found = {each.name: each.value for each in judged_scores(verdicts, JudgedRun(gold))}
        chunks, summary = (found[f"breadth/{arm}"] for arm in runs)
        assert (f"{chunks:.2f}", f"{summary:.2f}") == ("67.32", "87.09")
        assert summary / chunks > 1.2


def _whole(mean: float, count: int) -> list[int]:
    """Whole numbers with this mean."""
    total = round(mean * count)
    found = [total // count + (place < total % count) for place in range(count)]
    assert fmean(found) == pytest.approx(mean)
    return found

"""Numbers that Citegeist prints, through the measures that have their names."""

from collections.abc import Callable
from statistics import pstdev, stdev

import pytest

from citeplug.evaluate.judge.published import SECTION, ask_quality, ask_relevance
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

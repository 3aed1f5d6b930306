"""ROUGE beside rouge-score, which LitLLM's numbers come from."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.evaluate.measures.texts import Overlap, rouge_l, rouge_n

TEXTS = (
    "Multi-document summarization is a challenging task for which there exists little large-scale datasets. (Lu, 2020)",
    "The field of multi-document summarization has been a challenging one due to the lack of large-scale datasets.",
    "We show that this extractive step significantly improves summarization results by 3.5 %, don't we?",
    "",
    "Erdős_Rényi graphs: Ω(n) edges",
)
words = st.lists(st.sampled_from(["a", "b", "c", "D", "3.5", "é", "don't", "x_y", "-"]), max_size=12).map(" ".join)


def all_three(text: str, reference: str, *, as_published: bool) -> list[Overlap]:
    runs = [rouge_n(text, reference, n, as_published=as_published) for n in (1, 2)]
    return [*runs, rouge_l(text, reference, as_published=as_published)]


def oracle(text: str, reference: str) -> list[tuple[float, float, float]]:
    scorer = pytest.importorskip("rouge_score.rouge_scorer")
    made = scorer.RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=False).score(reference, text)
    return [tuple(made[name]) for name in ("rouge1", "rouge2", "rougeL")]


def assert_same(text: str, reference: str, *, as_published: bool) -> None:
    ours = all_three(text, reference, as_published=as_published)
    for mine, theirs in zip(ours, oracle(text, reference), strict=True):
        assert (mine.precision, mine.recall, mine.f1) == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("reference", TEXTS)
def test_as_published_it_is_rouge_score(text: str, reference: str) -> None:
    assert_same(text, reference, as_published=True)


@given(words, words)
def test_as_published_it_is_rouge_score_on_any_words(text: str, reference: str) -> None:
    assert_same(text, reference, as_published=True)


@given(words, words)
def test_on_ascii_both_forms_are_rouge_score(text: str, reference: str) -> None:
    assert_same(text.replace("é", "e"), reference.replace("é", "e"), as_published=False)


def test_corrected_it_reads_any_script() -> None:
    assert rouge_n("Случайные графы", "случайные графы", 1).f1 == 1
    assert rouge_n("Случайные графы", "случайные графы", 1, as_published=True).f1 == 0


@given(words, words)
def test_it_is_symmetric_and_between_0_and_1(text: str, reference: str) -> None:
    there, back = (all_three(*pair, as_published=False) for pair in ((text, reference), (reference, text)))
    for one, other in zip(there, back, strict=True):
        assert 0 <= one.f1 <= 1
        assert (one.precision, one.recall, one.f1) == pytest.approx((other.recall, other.precision, other.f1))

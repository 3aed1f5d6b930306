import pytest

from citeplug.text.compare import compare_titles


@pytest.mark.parametrize(
    ("given", "found", "degree"),
    [
        ("{BERT}: Pre-training", "BERT: Pre-Training", "same"),
        ("Sch\\\"odinger's {$\\alpha$}--decay", "Schödinger’s α-decay", "same"),
        ("Generating sequences", "Generating Sequences: With Recurrent Networks", "same"),
        ("Adam: A Method for Stochastic Optimization", "Adam: a method for stochastic optimisation", "close"),
        ("Deep Networks", "Deep Networks and Other Animals", "other"),
        ("Attention", "Attention: Marginal Probability", "other"),
        ("Attention Is All You Need", "Deep Residual Learning for Image Recognition", "other"),
        (
            "Spectral Networks and Deep Locally Connected Networks",
            "Spectral Networks and Locally Connected Networks",
            "close",
        ),
        ("????", "中文", "other"),
    ],
)
def test_titles_are_the_same_close_or_others(given: str, found: str, degree: str) -> None:
    assert compare_titles(given, found) == degree


def test_one_word_and_the_same_authors_are_enough_for_a_dropped_subtitle() -> None:
    assert compare_titles("Algorand: The Efficient Ledger", "Algorand", same_authors=True) == "same"

import pytest

from citeplug.write.extractive.praise import without_praise


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("a novel parser", "a parser"),
        ("a simple and effective method", "a method"),
        ("a simple algorithm", "an algorithm"),
        ("an efficient parser", "a parser"),
        ("a novel HTTP server", "an HTTP server"),
        ("a novel unified view", "a unified view"),
        ("a novel and low-variance bound", "a low-variance bound"),
    ],
)
def test_praise_goes_and_the_article_follows(text: str, plain: str) -> None:
    assert without_praise(text) == plain


@pytest.mark.parametrize(
    "text",
    [
        "the simple graphs",
        "an effective potential",
        "new physics",
        "an energy efficient network",
        "more efficient methods",
        "a parser that is efficient and small",
    ],
)
def test_terms_and_comparisons_stay(text: str) -> None:
    assert without_praise(text) == text

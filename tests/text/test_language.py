"""The language of a question is told from few words."""

import pytest

from citeplug.text.language import language_of_question


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("How do these methods avoid recomputing the cache?", "English"),
        ("What is die casting?", "English"),
        ("Wie wird der Cache nicht neu berechnet?", "German"),
        ("Comment les auteurs évitent-ils de recalculer le cache?", "French"),
        ("如何避免重新计算缓存？", "other"),
        ("Как методы избегают пересчёта KV cache?", "other"),
        ("", "English"),
        ("O(N²) memory?", "English"),
    ],
)
def test_a_question_has_the_language_of_its_commonest_words(question: str, language: str) -> None:
    assert language_of_question(question) == language

from hypothesis import given
from hypothesis import strategies as st

from citeplug.related.retrieve.queries import LONGEST_PHRASE, key_phrases

ABSTRACT = """We propose graph attention networks, a novel architecture that operates on graph-structured data. Graph
attention networks leverage masked self-attention to address shortcomings of spectral methods such as $O(n^2)$ cost."""


def test_a_phrase_that_is_repeated_comes_first() -> None:
    assert key_phrases(ABSTRACT)[0] == "graph attention networks"


def test_phrases_end_at_stop_words_punctuation_and_math() -> None:
    assert "masked self-attention" in key_phrases(ABSTRACT)
    assert not any("$" in phrase or "o(n" in phrase for phrase in key_phrases(ABSTRACT))


def test_words_of_every_abstract_are_no_phrase() -> None:
    assert (
        key_phrases("In this paper we propose a novel method and show that it outperforms previous approaches.") == []
    )


def test_a_phrase_inside_a_heavier_one_is_left_out() -> None:
    assert key_phrases("quantum error correction. quantum error. quantum error correction") == [
        "quantum error correction"
    ]


def test_other_scripts_are_read() -> None:
    assert key_phrases("теория графов, теория графов") == ["теория графов"]


@given(st.text(max_size=400), st.integers(0, 20))
def test_any_text_gives_at_most_so_many_short_phrases_each_once(text: str, count: int) -> None:
    phrases = key_phrases(text, count)
    assert len(phrases) <= count
    assert len(set(phrases)) == len(phrases)
    assert all(1 <= len(phrase.split()) <= LONGEST_PHRASE for phrase in phrases)


@given(st.text(alphabet="abc .,", max_size=200))
def test_equal_text_gives_equal_phrases(text: str) -> None:
    assert key_phrases(text) == key_phrases(text)

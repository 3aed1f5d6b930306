"""Words and phrases of a record for topics."""

import re

from hypothesis import given
from hypothesis import strategies as st

from citeplug.corpus.topics.names import PROSE, VAGUE, words_and_phrases, words_of


def test_formulas_commands_and_addresses_are_no_words() -> None:
    text = r"The $SU(N)$ group, \mathcal algebra and https://example.org/page of $$x_{abc}$$ rings"
    assert [word for word in words_of(text) if word.isalpha()] == "the group algebra and of rings".split()


def test_accents_of_tex_and_of_unicode_are_left_out_of_a_word() -> None:
    assert words_of(r"Schr\"odinger and G{\"o}del, Poincaré") == "schrodinger and godel , poincare".split()


def test_phrases_end_at_stop_words_and_at_stops() -> None:
    found = list(
        words_and_phrases(words_of("deep neural networks for dark matter. Galaxy surveys"), frozenset({"for"}))
    )
    assert found == [
        "deep", "neural", "deep neural", "networks", "deep neural networks", "neural networks",
        "dark", "matter", "dark matter", "galaxy", "surveys", "galaxy surveys",
    ]  # fmt: skip


def test_no_word_is_both_prose_and_vague() -> None:
    assert not PROSE & VAGUE


@given(st.text())
def test_words_of_any_text_are_plain(text: str) -> None:
    assert all(re.fullmatch(r"[a-z][a-z0-9]+(-[a-z0-9]+)*|[.,;:?!()]", word) for word in words_of(text))

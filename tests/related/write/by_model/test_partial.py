"""Sentences are read out of JSON that comes in pieces, wherever it is cut."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from citeplug.related.write.stream_prose import SentencesAsTheyCome

TEXTS = st.lists(st.text(max_size=30), max_size=4)


def read(pieces: list[str]) -> str:
    reader = SentencesAsTheyCome()
    return "".join(reader.feed(piece) for piece in pieces)


def answer(texts: list[str]) -> dict[str, Any]:
    quotes = [{"handle": 1, "quote": 'a "text": of others \\'}]
    return {"sentences": [{"line": 1, "text": t, "handles": [1], "quotes": quotes, "about": "text"} for t in texts]}


@given(TEXTS, st.integers(1, 7), st.booleans())
def test_every_sentence_is_read_whatever_the_pieces(texts: list[str], size: int, ascii_only: bool) -> None:
    said = json.dumps(answer(texts), ensure_ascii=ascii_only)
    found = read([said[at : at + size] for at in range(0, len(said), size)])
    flat = [t.translate({10: " ", 9: " ", 13: " ", 12: " ", 8: None}) for t in texts]
    assert found.split("\n") == [*flat, ""]


@given(st.text(alphabet='{}[]":,\\ udtex0\n', max_size=60))
def test_no_text_makes_it_fail(said: str) -> None:
    read(list(said))


def test_prose_and_fences_around_it_are_passed_over() -> None:
    assert read(['Sure! ```json\n{"sentences": [{"text": "Pars', 'ers read logs [1]."}]} ``` Done.']) == (
        "Parsers read logs [1].\n"
    )


def test_a_sentence_is_readable_before_it_is_finished() -> None:
    reader = SentencesAsTheyCome()
    assert reader.feed('{"sentences": [{"line": 1, "text": "Parsers re') == "Parsers re"


def test_half_a_pair_of_surrogates_is_a_replacement_character() -> None:
    assert read([r'{"text": "a\udc00b"}']) == "a\ufffdb\n"

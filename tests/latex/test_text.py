from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from citeplug.latex.text import Origin, Text, TextBuilder, literal, unliteral

HERE = Path("here.tex")


def test_a_character_knows_its_place_through_a_cut() -> None:
    text = Text.of("abcdef", Origin(HERE, 0))
    builder = TextBuilder()
    builder.add_text(text, 0, 2)
    builder.add_text(text, 4, 6)
    built = builder.build()
    assert built.string == "abef"
    assert [built.at(index).offset for index in range(4)] == [0, 1, 4, 5]


def test_a_command_and_a_word_that_were_apart_stay_apart() -> None:
    text = Text.of("\\small%\nText", Origin(HERE, 0))
    builder = TextBuilder()
    builder.add_text(text, 0, 6)
    builder.add_text(text, 8, 12)
    assert builder.build().string == "\\small Text"


def test_a_slice_keeps_what_a_macro_made() -> None:
    builder = TextBuilder()
    builder.add("x", Origin(HERE, 0))
    builder.add("made", Origin(HERE, 5, 9, "m"))
    cut = builder.build().slice(2, 4)
    assert cut.string == "ad"
    assert cut.at(1) == Origin(HERE, 5, 9, "m")


@given(st.text())
def test_literal_text_comes_back_and_means_nothing_to_latex(text: str) -> None:
    assert len(literal(text)) == len(text)
    assert not set(literal(text)) & set("\\{}%$[]~")
    if not any(0xF0000 <= ord(char) <= 0xF007F for char in text):
        assert unliteral(literal(text)) == text

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.section_file.units import split_units


def keys(text: str) -> list[str]:
    return [unit.key for unit in split_units(text)]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two.\nThree.", ["One.", "Two.", "Three."]),
        ("Smith et al.\\ say so, cf. Fig. 3. Others, e.g. Jones, differ.", 2),
        ("We ``stop.'' Then \\emph{go on. And on}. \\citet{a} ends it!", 3),
        ("At $p = 0.5. X$ it holds. Done~\\citep[see][p. 3]{a}.", 2),
        ("\\paragraph{Heading. Two.} Text.", ["\\paragraph{Heading. Two.}", "Text."]),
        ("One.\\footnote{A note. Really.} Two.", ["One.\\footnote{A note. Really.} Two."]),
        ("One.\n% a remark\nTwo. % another", ["One.", "% a remark", "Two.", "% another"]),
        ("One is % why not\n  here. Two.", ["One is % why not here.", "Two."]),
        ("\\begin{figure}\nA. B.\n\nC.\n\\end{figure}\nText.", 2),
        ("No stop here\n\nAnother paragraph.", ["No stop here", "Another paragraph."]),
        ("\\label{x}\nText.", ["\\label{x}", "Text."]),
        ("100\\% of it. Costs \\$5. Yes.", 3),
    ],
)
def test_sentences_are_told_apart(text: str, sentences: list[str] | int) -> None:
    found = keys(text)
    assert len(found) == sentences if isinstance(sentences, int) else found == sentences


def test_lines_of_citeplug_are_units_of_their_own() -> None:
    units = split_units("  % citeplug:note new:  A   b.\nText.\n%% citeplug : keep\n")
    assert [(unit.kind, unit.key) for unit in units] == [
        ("directive", "note new: A b."),
        ("text", "Text."),
        ("directive", "keep"),
    ]


_TEX = st.text("aA .?!\n\r\t%${}\\[]'~é", max_size=80) | st.lists(
    st.sampled_from(
        ["One. ", "Two", "\n", "\n\n", "% c\n", "\\begin{x}", "\\end{x}", "% citeplug:keep\n", "\\paragraph{H}"]
    ),
    max_size=12,
).map("".join)


@given(_TEX)
def test_no_character_is_left_out(text: str) -> None:
    if text.strip():
        assert "".join(unit.raw for unit in split_units(text)) == text


@given(st.lists(st.sampled_from(["One", "et", "al.", "Two.", "\\cite{a}.", "$x. y$", "e.g.", "(see", "B.)", "so?"])))
def test_where_lines_break_does_not_matter(words: list[str]) -> None:
    assert keys(" ".join(words)) == keys("\n   ".join(words))


def test_a_long_text_takes_little_time() -> None:
    text = "A sentence of some words \\cite{a}. " * 3000 + "{" * 3000 + "$" * 3001
    assert len(split_units(text)) > 2999
    assert len(split_units(re.sub(" ", "\n", text))) > 2999


def test_a_dollar_in_a_key_is_no_math() -> None:
    text = "It is so \\citep[see][3]{Zhu$Zhao}. Another is not \\cite{a.b, c}. The last."
    assert [unit.key for unit in split_units(text)] == [
        "It is so \\citep[see][3]{Zhu$Zhao}.",
        "Another is not \\cite{a.b, c}.",
        "The last.",
    ]

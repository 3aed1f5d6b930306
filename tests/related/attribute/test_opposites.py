import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.related.attribute.claims import opposites, unsourced


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("sampling decreases accuracy", "Sampling increases the accuracy of the model."),
        ("the method is slower than parsers", "Our method is faster than all parsers."),
    ],
)
def test_a_word_whose_opposite_the_source_has_is_a_doubt(text: str, source: str) -> None:
    assert [doubt.code for doubt in opposites(text, (source,))] == ["opposite"]


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("sampling raises accuracy", "Sampling increases the accuracy of the model."),
        ("label-free detection of faults", "Faults are found by a detection that needs no labels."),
        ("the network can predict faults", "The network might predict faults of machines."),
        ("logs are parsed by the reader", "The reader parses logs."),
    ],
)
def test_other_words_are_none(text: str, source: str) -> None:
    assert list(opposites(text, (source,))) == []


@given(st.text(max_size=200), st.lists(st.text(max_size=300), max_size=3), st.sampled_from(["English", "German"]))
def test_any_text_is_compared_with_any(text: str, sources: list[str], language: str) -> None:
    list(opposites(text, sources))
    list(unsourced(text, sources, language=language))


def test_numbers_of_another_language_are_read_in_both_ways() -> None:
    said = "Die Genauigkeit liegt bei 94,5 Prozent, bei 1.200 Protokollen, mit KI und GPT-4."
    source = "With artificial intelligence and GPT-4 the accuracy is 94.5% on 1,200 logs."
    assert list(unsourced(said, (source,), language="German")) == []
    assert [d.code for d in unsourced(said.replace("94,5", "95,4"), (source,), language="German")] == ["number"]

"""Fields of papers by pattern."""

import pytest

from citeplug.prepare.facts import find_facts
from tests.prepare.sources import source_of


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Code is at https://github.com/DropEdge/DropEdge.", [("code", "https://github.com/DropEdge/DropEdge")]),
        (
            "See (www.github.com/a/b-c/), and https://ab.github.io/c.",
            [("code", "www.github.com/a/b-c"), ("code", "https://ab.github.io/c")],
        ),
        ("We reach 97.2% accuracy and an F1-score of 0.67.", [("metric", "accuracy"), ("metric", "F1-score")]),
        ("With high accuracy we show a precision of purpose.", []),
        (
            "It follows from Noether's theorem and the Riemann-Roch Theorem.",
            [("theorem", "Noether's theorem"), ("theorem", "Riemann-Roch Theorem")],
        ),
        ("Varieties are not dense in V. Assuming Lang's Conjecture, we conclude.", [("theorem", "Lang's Conjecture")]),
        ("The Main Theorem is Theorem 2. Our new theorem follows. Sociologists conjecture that people meet.", []),
        ("It needs Interactive Theorem Proving.", []),
        ("The PCP theorem, and again the PCP theorem.", [("theorem", "PCP theorem")]),
    ],
)
def test_fields_are_what_stands_in_the_text(text: str, found: list[tuple[str, str]]) -> None:
    source, _ = source_of(text)
    assert [(fact.kind, fact.value) for fact in find_facts(source)] == found


def test_a_field_has_its_place_in_abstract_or_passage() -> None:
    source, _ = source_of("We measure BLEU.", "A title", "By Zorn's lemma, BLEU and ROUGE-L grow.")
    texts = source.texts()
    facts = find_facts(source)
    assert [(fact.value, fact.place.passage) for fact in facts] == [
        ("BLEU", 0),
        ("ROUGE-L", 1),
        ("Zorn's lemma", 1),
    ]
    for fact in facts:
        assert texts[fact.place.passage][fact.place.start : fact.place.end] == fact.quote


def test_a_text_of_nothing_but_names_takes_bounded_time() -> None:
    source, _ = source_of("Aa-Bb " * 20_000 + "github.com/" + "a" * 50_000)
    assert len(find_facts(source)) <= 1

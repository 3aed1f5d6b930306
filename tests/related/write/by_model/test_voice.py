from dataclasses import replace

import pytest

from citeplug.related.write.compose import voice_of
from citeplug.text.language import language_of
from tests.related.write.examples import draft


@pytest.mark.parametrize(
    ("abstract", "language"),
    [
        ("We propose a detector that finds faults in the logs of servers, and show that it is fast.", "English"),
        ("Wir stellen ein Verfahren vor, das Fehler in den Protokollen findet, und zeigen, dass es nicht von der"
         " Länge abhängt und mit wenig Speicher auskommt.", "German"),
        ("Nous proposons une méthode qui trouve les fautes dans les journaux, et nous montrons que la méthode est"
         " rapide pour des serveurs.", "French"),
        ("", "English"),
        ("Logs.", "English"),
    ],
)  # fmt: skip
def test_the_language_of_the_abstract_is_noticed(abstract: str, language: str) -> None:
    assert language_of(draft(abstract)) == language


@pytest.mark.parametrize(
    ("abstract", "told"),
    [
        ("We optimise the behaviour of our parser.", "British spelling"),
        ("We optimize the behavior of our parser.", "American spelling"),
        ("We read logs with our parser.", "say “we”"),
        ("Logs are many. In contrast to others, we propose a parser.", "say “we”; do so"),
        ("Logs are read by a parser.", "do not say “we”"),
        ("Logs are read. " * 200 + "They say: “we read logs.”", "do not say “we”"),
    ],
)
def test_spelling_and_person_are_told(abstract: str, told: str) -> None:
    assert told in voice_of(draft(abstract))


def test_the_habit_of_citing_is_told() -> None:
    plain = draft("Logs are read.")
    assert "use [@1] about as often" in voice_of(replace(plain, cite_commands={"citet": 5, "citep": 4}))
    assert "prefer [1]" in voice_of(replace(plain, cite_commands={"cite": 9, "citet*": 1}))
    assert "[1]" not in voice_of(replace(plain, cite_commands={"cite": 1}))


def test_an_empty_draft_has_no_voice() -> None:
    assert voice_of(draft("", "")) == ""

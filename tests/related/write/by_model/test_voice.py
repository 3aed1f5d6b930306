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


def test_the_model_is_told_to_write_as_the_authors_do() -> None:
    told = voice_of(draft("We optimise the behaviour of our parser."))
    assert "in their spelling" in told and "say “we” if its authors do" in told


def test_the_habit_of_citing_is_told() -> None:
    plain = draft("Logs are read.")
    assert "use [@1] about as often" in voice_of(replace(plain, cite_commands={"citet": 5, "citep": 4}))
    assert "prefer [1]" in voice_of(replace(plain, cite_commands={"cite": 9, "citet*": 1}))
    assert "[1]" not in voice_of(replace(plain, cite_commands={"cite": 1}))


def test_an_empty_draft_has_no_voice() -> None:
    assert voice_of(draft("", "")) == ""

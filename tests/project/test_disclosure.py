"""Who wrote each sentence, and when."""

from datetime import date
from typing import Any

from citeplug.project.disclosure import UNNAMED, credited

TODAY, TOMORROW = date(2026, 11, 21), date(2026, 11, 22)


def record(*texts: str, **more: Any) -> dict[str, Any]:
    """A record of sentences; those that begin with `*` are a model's."""
    said = [{"paragraph": "p1", "text": text.lstrip("*"), "by": UNNAMED if text[0] == "*" else None} for text in texts]
    return {"sentences": said, **more}


def writers(found: dict[str, Any]) -> list[str | None]:
    return [said["by"] for said in found["sentences"]]


def test_a_sentence_that_stood_before_keeps_its_writer() -> None:
    first = credited(record("One.", "*Two."), {}, "old", TODAY)
    assert writers(first) == [None, "old"]
    second = credited(record("One.", "*Two.", "*Three."), first, "new", TOMORROW)
    third = credited(record("One.", "*Two.", "*Three.", "Four."), second, None, TOMORROW)
    assert writers(third) == [None, "old", "new", None]


def test_what_stands_in_for_a_model_is_not_credited_to_it() -> None:
    assert writers(credited(record("*One.", "Two."), {}, "gpt", TODAY)) == ["gpt", None]


def test_a_record_that_named_no_writers_still_says_that_a_model_was_asked() -> None:
    before = record("One.", made_by="language model")
    del before["sentences"][0]["by"]
    assert writers(credited(record("One.", "Two."), before, None, TODAY)) == [UNNAMED, None]


def test_the_date_is_that_of_the_last_change() -> None:
    first = credited(record("One."), {}, None, TODAY)
    assert first["made_on"] == "2026-11-21"
    assert credited(record("One."), first, None, TOMORROW) == first
    assert credited(record("Two."), first, None, TOMORROW)["made_on"] == "2026-11-22"


def test_a_damaged_record_is_none() -> None:
    assert writers(credited(record("*One."), {"sentences": 7, "made_on": 3}, "m", TODAY)) == ["m"]

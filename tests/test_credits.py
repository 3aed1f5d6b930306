"""Who wrote each sentence, and when."""

from datetime import date
from typing import Any

from citeplug.credits import UNNAMED, credited

TODAY, TOMORROW = date(2026, 11, 21), date(2026, 11, 22)


def record(*texts: str, **more: Any) -> dict[str, Any]:
    return {"sentences": [{"paragraph": "p1", "text": text} for text in texts], **more}


def writers(found: dict[str, Any]) -> list[str | None]:
    return [said["by"] for said in found["sentences"]]


def test_a_sentence_that_stood_before_keeps_its_writer() -> None:
    first = credited(record("One.", "Two."), {}, None, TODAY)
    second = credited(record("One.", "Three."), first, "gpt", TOMORROW)
    third = credited(record("One.", "Three.", "Four."), second, None, TOMORROW)
    assert writers(third) == [None, "gpt", None]


def test_a_record_that_named_no_model_still_says_that_there_was_one() -> None:
    before = record("One.", made_by="language model")
    assert writers(credited(record("One.", "Two."), before, None, TODAY)) == [UNNAMED, None]


def test_the_date_is_that_of_the_last_change() -> None:
    first = credited(record("One."), {}, None, TODAY)
    assert first["made_on"] == "2026-11-21"
    assert credited(record("One."), first, None, TOMORROW) == first
    assert credited(record("Two."), first, None, TOMORROW)["made_on"] == "2026-11-22"


def test_a_damaged_record_is_none() -> None:
    assert writers(credited(record("One."), {"sentences": 7, "made_on": 3}, "m", TODAY)) == ["m"]

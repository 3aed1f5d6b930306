"""Who wrote each sentence, and when."""

from dataclasses import replace
from datetime import date
from typing import Any

from citeplug.records.provenance import NOTHING_RECORDED, UNNAMED, InsertedText, Provenance, RecordedSentence
from citeplug.related.section.write_section import credited

TODAY, TOMORROW = date(2026, 11, 21), date(2026, 11, 22)


def record(*texts: str, **more: Any) -> Provenance:
    """A record of sentences; those that begin with `*` are a model's."""
    said = (RecordedSentence("p1", text.lstrip("*"), by=UNNAMED if text[0] == "*" else None) for text in texts)
    return Provenance(sentences=tuple(said), **more)


def writers(found: Provenance) -> list[str | None]:
    return [said.by for said in found.sentences]


def test_a_sentence_that_stood_before_keeps_its_writer() -> None:
    first = credited(record("One.", "*Two."), NOTHING_RECORDED, "old", TODAY)
    assert writers(first) == [None, "old"]
    second = credited(record("One.", "*Two.", "*Three."), first, "new", TOMORROW)
    third = credited(record("One.", "*Two.", "*Three.", "Four."), second, None, TOMORROW)
    assert writers(third) == [None, "old", "new", None]


def test_what_stands_in_for_a_model_is_not_credited_to_it() -> None:
    assert writers(credited(record("*One.", "Two."), NOTHING_RECORDED, "gpt", TODAY)) == ["gpt", None]


def test_the_date_is_that_of_the_last_change() -> None:
    first = credited(record("One."), NOTHING_RECORDED, None, TODAY)
    assert first.made_on == "2026-11-21"
    assert credited(record("One."), first, None, TOMORROW) == first
    assert credited(record("Two."), first, None, TOMORROW).made_on == "2026-11-22"


def test_lines_that_make_the_draft_read_the_section_change_no_date() -> None:
    first = credited(record("One."), NOTHING_RECORDED, None, TODAY)
    read = replace(first, inserted=(InsertedText("main.tex", "\\input{related}"),))
    assert credited(record("One."), read, None, TOMORROW).made_on == "2026-11-21"

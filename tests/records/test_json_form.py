"""Records become what JSON has, in the order in which their fields are named."""

import json
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest

from citeplug.records.json_form import fields_of, json_form
from citeplug.records.paper import Reason


@dataclass(frozen=True)
class Kept:
    file: Path
    day: date | None
    reasons: tuple[Reason, ...] = ()

    @property
    def year(self) -> int | None:
        return None if self.day is None else self.day.year


KEPT = Kept(Path("a") / "b.tex", date(2026, 1, 2), (Reason("words", "both say “graph”", "abstract", ("graph",)),))


def test_attributes_and_properties_come_in_the_order_in_which_they_are_named() -> None:
    assert json.dumps(fields_of(KEPT, "year file day")) == json.dumps(
        {"year": 2026, "file": str(KEPT.file), "day": "2026-01-02"}
    )


def test_records_within_are_objects_and_tuples_are_lists() -> None:
    (reason,) = json_form(KEPT)["reasons"]
    assert (reason["kind"], reason["words"]) == ("words", ["graph"])


def test_what_is_absent_is_null_and_what_is_not_there_is_an_error() -> None:
    assert fields_of(Kept(Path("a"), None), "day reasons") == {"day": None, "reasons": []}
    with pytest.raises(AttributeError):
        fields_of(KEPT, "nosuch")

"""Who wrote each sentence, and when: what an author needs to disclose how the section was made."""

import json
from collections.abc import Mapping
from datetime import date
from typing import Any

UNNAMED = "unnamed"  # a model whose name is not known


def credited(record: Mapping[str, Any], before: Mapping[str, Any], model: str | None, today: date) -> dict[str, Any]:
    """The record with a date, `made_on`, and the model's name for each sentence that says to be `by` one.

    A sentence that stood in the record `before` keeps its writer: a run leaves alone what is current. The date stays
    too while nothing else changes.
    """
    known = {_text(said): _writer(said, before) for said in _sentences(before)}
    sentences = [
        {**said, "by": known.get(_text(said)) or (model or UNNAMED if said.get("by") else None)}
        for said in _sentences(record)
    ]
    new = {**record, "sentences": sentences}
    old_date = before.get("made_on")
    unchanged = isinstance(old_date, str) and _bare(new) == _bare(before)
    return {**new, "made_on": old_date if unchanged else today.isoformat()}


def _sentences(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    found = record.get("sentences")
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _text(said: Mapping[str, Any]) -> str:
    return " ".join(str(said.get("text")).split())


def _writer(said: Mapping[str, Any], record: Mapping[str, Any]) -> str | None:
    by = said.get("by", UNNAMED if record.get("made_by") == "language model" else None)
    return by if isinstance(by, str) else None


def _bare(record: Mapping[str, Any]) -> str:
    return json.dumps({name: value for name, value in record.items() if name != "made_on"}, sort_keys=True)

"""Records in the form that JSON has."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from pathlib import Path
from typing import Any


def json_form(value: Any) -> Any:
    """A record as an object, a tuple as a list, a day as `YYYY-MM-DD`, a path as text; all else as it is."""
    if is_dataclass(value):
        return {field.name: json_form(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, list | tuple):
        return [json_form(item) for item in value]
    if isinstance(value, Mapping):
        return {key: json_form(item) for key, item in value.items()}
    if isinstance(value, date):
        return value.isoformat()
    return str(value) if isinstance(value, Path) else value


def fields_of(record: object, names: str) -> dict[str, Any]:
    """These attributes of a record, separated by spaces, in this order; see `json_form`. Raises AttributeError."""
    return {name: json_form(getattr(record, name)) for name in names.split()}

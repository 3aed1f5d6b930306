"""Records from the form that JSON has (`json_form`): each field has its type, or the value is refused or left out."""

import types
from collections.abc import Callable, Hashable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

_Record = TypeVar("_Record")
_Reader = Callable[[Any], Any]


def record_from(kind: type[_Record], value: Any, *, lenient: bool = False) -> _Record:
    """The record of a dataclass that a JSON object describes. Raises ValueError if it does not fit.

    If it is `lenient`, what does not fit is left out where that is possible: the value of a field with a default, and
    an item of a list or an object. Unknown fields are ignored, or kept in the field `others` of a record that has one.
    """
    reader: Callable[[Any], _Record] = _reader(cast(Hashable, kind), lenient)
    return reader(value)


@cache
def _reader(kind: Any, lenient: bool) -> _Reader:
    """The function that reads a value of this type."""
    origin, parts = get_origin(kind), get_args(kind)
    if is_dataclass(kind):
        return _record_reader(kind, lenient)
    if origin in (Union, types.UnionType):
        inner = _reader(next(part for part in parts if part is not type(None)), lenient)
        return lambda value: None if value is None else inner(value)
    if origin is Literal:
        return lambda value: _checked(value, isinstance(value, str) and value in parts)
    if origin is tuple:
        item = _reader(parts[0], lenient)

        def read_list(value: Any) -> tuple[Any, ...]:
            return tuple(_fitting(item, enumerate(_checked(value, isinstance(value, list))), lenient).values())

        return read_list
    if origin in (Mapping, dict):
        item = _reader(parts[1], lenient)
        return lambda value: _fitting(item, _checked(value, isinstance(value, dict)).items(), lenient)
    if kind is float:
        return lambda value: float(_checked(value, isinstance(value, int | float)))
    return lambda value: _checked(value, kind is Any or isinstance(value, kind))


def _record_reader(kind: Any, lenient: bool) -> _Reader:
    hints = get_type_hints(kind)
    readers = {field.name: _reader(hints[field.name], lenient) for field in fields(kind) if field.name != "others"}
    optional = {f.name for f in fields(kind) if f.default is not MISSING or f.default_factory is not MISSING}

    def read(value: Any) -> Any:
        _checked(value, isinstance(value, dict))
        values = {}
        for name in readers.keys() & value.keys():
            try:
                values[name] = readers[name](value[name])
            except (ValueError, OverflowError) as error:
                if not (lenient and name in optional):
                    raise ValueError(name) from error
        if "others" in hints:
            values["others"] = {name: item for name, item in value.items() if name not in readers}
        try:
            return kind(**values)
        except TypeError as error:
            raise ValueError(f"a field is missing: {error}") from error

    return read


def _fitting(reader: _Reader, items: Any, lenient: bool) -> dict[Any, Any]:
    values = {}
    for name, value in items:
        try:
            values[name] = reader(value)
        except (ValueError, OverflowError):
            if not lenient:
                raise
    return values


def _checked(value: Any, fits: bool) -> Any:
    if not fits:
        raise ValueError("not of the expected type")
    return value

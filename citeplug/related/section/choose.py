"""Pin or exclude a paper in `citeplug.toml`, with all else in the file left as it is, and its history in the record."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Literal

from citeplug.errors import UsageError
from citeplug.files.atomic import Change, write_together
from citeplug.latex.project import read_draft
from citeplug.project.author_files import bytes_or_none, encoded, one_at_a_time, read_exactly
from citeplug.project.find_project import find_project
from citeplug.project.provenance import read_provenance_file
from citeplug.records.draft import Draft
from citeplug.records.paper import LIBRARY, ArxivId, library_id
from citeplug.records.provenance import OfPaper, with_choice_of
from citeplug.related.section.edit_section import need_same
from citeplug.related.section.files_before import record_change
from citeplug.settings.project_toml import FILE, find_configuration, read_configuration

Choice = Literal["pin", "exclude", "none"]
_CHOICES: Mapping[str, Choice] = {"pin": "pin", "exclude": "exclude", "none": "none"}
CHOSEN = tuple(_CHOICES)
_HAPPENED: Mapping[Choice, OfPaper] = {"pin": "pinned", "exclude": "excluded", "none": "unchosen"}

_TABLE = "related"
_HEAD = "# Settings of this project for citeplug (docs/configuration.md).\n\n"


def choose_paper(root: Path, arxiv_id: str, choice: str, home: Path) -> bool:
    """Pin or exclude a paper for the project of `root`, or neither; False if that was so already.

    Raises UsageError as `checked_choice` and `with_choice` do, WrongConfiguration on an invalid file, ChangedMeanwhile
    if another program saves it at that moment.
    """
    value, wish = checked_choice(read_draft(root), arxiv_id, choice)
    with one_at_a_time(home, root):
        path = find_configuration(root.parent) or root.parent / FILE
        read_configuration(root.parent)  # refuse to edit an invalid file
        before = bytes_or_none(path)
        text, encode = ("", str.encode) if before is None else read_exactly(path)
        after = with_choice(text, value, wish)

        where = find_project(root).where
        record_file = read_provenance_file(where.provenance)
        record = record_change(where, with_choice_of(record_file.record, value, _HAPPENED[wish]))
        if after != text:
            configuration = Change(path, encoded(after, path, encode), check=partial(need_same, path, before))
            write_together(
                [configuration, replace(record, check=partial(need_same, where.provenance, record_file.data))]
            )
    return after != text


def choice_of(root: Path, arxiv_id: str) -> Choice:
    """The choice for a paper in the project's citeplug.toml."""
    values = read_configuration(root.parent).values
    choices = ((name, name_of_paper) for name in ("pin", "exclude") for name_of_paper in values.get(name, ()))
    return next((_CHOICES[name] for name, name_of_paper in choices if _is(name_of_paper, arxiv_id)), "none")


def checked_choice(draft: Draft, arxiv_id: str, choice: str) -> tuple[str, Choice]:
    """The id without its version, and the choice. Raises UsageError if one is invalid, or the document says another.

    A work of the author's library is named by its id (`lib:` and its key).
    """
    checked = _CHOICES.get(choice)
    if checked is None:
        raise UsageError(f"{choice!r} is not a choice", f"use one of {', '.join(CHOSEN)}")
    value = _id_of(arxiv_id)
    for name, command in (("pin", "\\citeplugpin"), ("exclude", "\\citeplugexclude")):
        for named in draft.options.values.get(name, ()):
            if choice != name and _is(named, value):
                raise UsageError(f"the document has {command}{{{named}}}", "remove it there first")
    return value, checked


def _id_of(text: str) -> str:
    if text.startswith(LIBRARY) and text != LIBRARY and text.isprintable():
        return text
    try:
        return ArxivId.parse(text).value
    except ValueError as error:
        raise UsageError(f"{text!r} is not an arXiv id", "write it like 1706.03762") from error


def _is(name: str, value: str) -> bool:
    """True if the name is this id; a work of the library may be named by its key alone."""
    return value in (name, library_id(name).value)


def with_choice(text: str, arxiv_id: str, choice: Choice) -> str:
    """Return the text of a `citeplug.toml` ("" for a new one) with this choice for a paper, in place of any other.

    Comments and layout stay. Raises UsageError if the text is not TOML, or has values of another type there.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError
    from tomlkit.items import Array, Table

    try:
        document = tomlkit.parse(text or _HEAD)
        if _TABLE not in document:
            if choice == "none":
                return text
            document[_TABLE] = tomlkit.table()
        table = document[_TABLE]
        if not isinstance(table, Table):
            raise UsageError("[related] in citeplug.toml is not a table", "correct it by hand")
        for name in ("pin", "exclude"):
            is_choice = name == choice
            names = table.get(name)
            if names is None:
                if is_choice:
                    table[name] = _array([arxiv_id])
                continue
            if isinstance(names, str):  # one name may be a string instead of a list
                others = [] if _is(names, arxiv_id) else [names]
                if is_choice or not others:
                    table[name] = _array([*others, *([arxiv_id] if is_choice else [])])
                continue
            if not isinstance(names, Array):
                raise UsageError(f"{name} in citeplug.toml is not a list", "correct it by hand")
            for place in reversed(
                [n for n, listed in enumerate(names) if _is(str(listed), arxiv_id) and not is_choice]
            ):
                names.pop(place)
            if is_choice and not any(_is(str(name), arxiv_id) for name in names):
                names.append(arxiv_id)
        return tomlkit.dumps(document)
    except TOMLKitError as error:
        raise UsageError(f"citeplug.toml is not TOML: {error}", "correct it by hand") from error


def _array(names: list[str]) -> "object":
    import tomlkit

    array = tomlkit.array()
    array.extend(names)
    return array

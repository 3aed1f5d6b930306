"""Change single fields of entries in the text of a .bib file, and no other byte of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from citeplug.bibliography.layout import Layout, layout_of
from citeplug.bibliography.places import EntryPlace, FieldPlace, closes_a_quote, locate_entry
from citeplug.bibliography.writing import Unprintable, Writing, print_value
from citeplug.records.draft import BibEntry
from citeplug.records.review import FieldChange, TextEdit


@dataclass(frozen=True, slots=True)
class Refused:
    """A change that was not made; `why` ends a sentence that begins with the field's name."""

    change: FieldChange
    why: str


@dataclass(frozen=True, slots=True)
class Spliced:
    """The edits of one entry, in the order of the text; `made` are the changes that they carry out."""

    edits: tuple[TextEdit, ...] = ()
    made: tuple[FieldChange, ...] = ()
    refused: tuple[Refused, ...] = ()


def splice(text: str, entry: BibEntry, changes: Sequence[FieldChange], writing: Writing) -> Spliced:
    """Carry out `changes` in the entry, each value in the manner of the file.

    A change that says what the field says already, in whatever form, gives no edit and counts as neither made nor
    refused. Where BibTeX would stumble over the entry, or a field stands there twice, nothing is touched.
    """
    place = locate_entry(text, entry.span.start)
    if place is None:
        return Spliced(refused=tuple(Refused(change, "cannot be found for sure: mend the entry") for change in changes))
    edits: list[TextEdit] = []
    made: list[FieldChange] = []
    refused: list[Refused] = []
    new: dict[str, str] = {}
    for change in changes:
        try:
            edit = _edit(text, entry, place, change, writing, new)
        except Unprintable as why:
            refused.append(Refused(change, f"is left alone: {why}"))
            continue
        edits += edit
        if edit or change.field in new:
            made.append(change)
    edits += insertion(text, entry, place, new, layout_of(text, place))
    return Spliced(tuple(sorted(edits, key=lambda edit: (edit.start, edit.end))), tuple(made), tuple(refused))


def _edit(
    text: str, entry: BibEntry, place: EntryPlace, change: FieldChange, writing: Writing, new: dict[str, str]
) -> list[TextEdit]:
    """The edits for one change; a field that is not there yet goes into `new`, as LaTeX."""
    numbers = [number for number, field in enumerate(place.fields) if field.name.lower() == change.field.lower()]
    if len(numbers) > 1:
        raise Unprintable("the entry has it twice")
    if not numbers:
        if change.value is not None:
            new[change.field] = print_value(change.field, change.value, None, writing)
        return []
    field = place.fields[numbers[0]]
    if change.value is None:
        start = place.gap(numbers[0])[0]
        return [TextEdit(entry.span.file, start, field.value[1], "")]
    return _replacement(text, entry, place, field, change.value, writing)


def _replacement(
    text: str, entry: BibEntry, place: EntryPlace, field: FieldPlace, value: str, writing: Writing
) -> list[TextEdit]:
    start, end = field.value
    delimited = len(field.parts) == 1 and text[start] in '{"'
    # Macros and joined pieces are compared by what they say, and are replaced as a whole.
    old = text[start + 1 : end - 1] if delimited else entry.fields.get(field.name.lower(), "")
    latex = print_value(field.name, value, old, writing)
    if latex == old:
        return []
    if delimited and not (text[start] == '"' and closes_a_quote(latex)):
        return [TextEdit(entry.span.file, start + 1, end - 1, latex)]
    layout = layout_of(text, place)
    bare = not delimited and text[start:end].isdigit() and latex.isdigit()
    return [TextEdit(entry.span.file, start, end, latex if bare else layout.delimited(latex))]


def insertion(
    text: str, entry: BibEntry, place: EntryPlace, fields: Mapping[str, str], layout: Layout
) -> list[TextEdit]:
    """One edit that puts new fields, as LaTeX, behind the last one; none without fields."""
    if not fields:
        return []
    after = place.fields[-1].value[1] if place.fields else place.key[1]
    new = "".join(layout.gap + layout.field(name, latex) for name, latex in fields.items())
    return [TextEdit(entry.span.file, after, after, new)]


def apply(text: str, edits: Sequence[TextEdit]) -> str:
    """`text` with the edits carried out. Raises ValueError if two of them overlap."""
    out, position = [], 0
    for edit in sorted(edits, key=lambda each: (each.start, each.end)):
        if edit.start < position:
            raise ValueError(f"edits overlap at {edit.start}")
        out += [text[position : edit.start], edit.new_text]
        position = edit.end
    return "".join((*out, text[position:]))


def only_changed(
    before: Sequence[BibEntry], after: Sequence[BibEntry], changed: Callable[[int], set[str]]
) -> list[int]:
    """The numbers of entries in which more, or other, than the fields of `changed` differ; -1 for lost ones."""
    if len(before) != len(after):
        return [-1]
    return [
        number
        for number, (old, new) in enumerate(zip(before, after, strict=True))
        if (old.key, old.kind) != (new.key, new.kind) or not _others_alike(old, new, changed(number))
    ]


def _others_alike(old: BibEntry, new: BibEntry, changed: set[str]) -> bool:
    return {name: value for name, value in old.fields.items() if name not in changed} == {
        name: value for name, value in new.fields.items() if name not in changed
    }

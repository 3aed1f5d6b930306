"""Change single fields of entries in the text of a .bib file, and no other byte of it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from citeplug.bib.write.layout import Layout, in_case_of, layout_of
from citeplug.bib.write.writing import BibConventions, Unprintable, print_value
from citeplug.bibtex.places import EntryPlace, FieldPlace, closes_a_quote, locate_entry
from citeplug.records.draft import BibEntry
from citeplug.records.entry_check import FieldChange
from citeplug.records.finding import TextEdit
from citeplug.text.tex_text import decode_tex


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


def splice(text: str, entry: BibEntry, changes: Sequence[FieldChange], writing: BibConventions) -> Spliced:
    """Carry out `changes` in the entry, each value in the manner of the file.

    A change that says what the field says already, in whatever form, gives no edit and counts as neither made nor
    refused. Where BibTeX would stumble over the entry, or a field occurs twice, nothing is touched.
    """
    place = locate_entry(text, (entry.span.start, entry.span.end))
    if place is None:
        return Spliced(refused=tuple(Refused(change, "cannot be located: correct the entry") for change in changes))
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
    edits += insertion(entry, place, new, layout_of(text, place))
    return Spliced(tuple(sorted(edits, key=lambda edit: (edit.start, edit.end))), tuple(made), tuple(refused))


def _edit(
    text: str, entry: BibEntry, place: EntryPlace, change: FieldChange, writing: BibConventions, new: dict[str, str]
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
    text: str, entry: BibEntry, place: EntryPlace, field: FieldPlace, value: str, writing: BibConventions
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


def rewrite(text: str, entry: BibEntry, kind: str, fields: Mapping[str, str], removed: Collection[str]) -> Spliced:
    """Give the entry another type and other `fields`, which are LaTeX, and take those of `removed` out of it.

    A field that says the same already stays as it is written. All or nothing: where BibTeX would stumble over the
    entry, it is refused.
    """
    place = locate_entry(text, (entry.span.start, entry.span.end))
    names = [field.name.lower() for field in place.fields] if place else []
    if place is None or len(set(names)) < len(names):
        return Spliced(refused=(Refused(FieldChange("published_version", "type", kind), "is left: correct the entry"),))
    file, layout = entry.span.file, layout_of(text, place)
    edits = []
    if text[slice(*place.kind)].lower() != kind.lower():
        edits.append(TextEdit(file, *place.kind, in_case_of(text[slice(*place.kind)], kind)))
    for number, field in enumerate(place.fields):
        name = field.name.lower()
        if name in removed:
            edits.append(TextEdit(file, place.gap(number)[0], field.value[1], ""))
        elif name in fields and decode_tex(entry.fields.get(name, "")) != decode_tex(fields[name]):
            edits.append(TextEdit(file, *field.value, layout.delimited(fields[name])))
    edits += insertion(entry, place, {n: v for n, v in fields.items() if n.lower() not in names}, layout)
    made = tuple(FieldChange("published_version", name, value) for name, value in fields.items())
    gone = tuple(FieldChange("published_version", name, None) for name in sorted(removed))
    return Spliced(tuple(sorted(edits, key=lambda edit: (edit.start, edit.end))), (*made, *gone))


def insertion(entry: BibEntry, place: EntryPlace, fields: Mapping[str, str], layout: Layout) -> list[TextEdit]:
    """One edit that puts new fields, as LaTeX, behind the last one; none without fields."""
    if not fields:
        return []
    after = place.fields[-1].value[1] if place.fields else place.key[1]
    new = "".join(layout.gap + layout.field(name, latex) for name, latex in fields.items())
    return [TextEdit(entry.span.file, after, after, new)]


def apply(text: str, edits: Sequence[TextEdit]) -> str:
    """`text` with the edits carried out. Raises ValueError if two of them overlap."""
    out, position = [], 0
    for edit in sorted(edits, key=lambda item: (item.start, item.end)):
        if edit.start < position:
            raise ValueError(f"edits overlap at {edit.start}")
        out += [text[position : edit.start], edit.new_text]
        position = edit.end
    return "".join((*out, text[position:]))


def changed_otherwise(
    before: Sequence[BibEntry], after: Sequence[BibEntry], touched: Collection[str] = (), *, kind: bool = False
) -> bool:
    """True if entries differ in more than the fields `touched` (in small letters), and their type if `kind`."""

    def rest(entry: BibEntry) -> tuple[object, ...]:
        fields = {name: value for name, value in entry.fields.items() if name not in touched}
        return entry.key, "" if kind else entry.kind, fields

    return list(map(rest, before)) != list(map(rest, after))

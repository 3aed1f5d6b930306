"""The order of fields in entries: that of the style if it has one, else that in which most entries of the file are.

An order changes nothing that is printed. An entry is put in order by moving its fields, each as it is written, into the
places that fields have.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from citeplug.bib.style_file import StyleFile
from citeplug.bibtex.places import locate_entry
from citeplug.records.draft import BibEntry
from citeplug.records.finding import Finding

_LEAST, _SHARE = 5, 0.8  # entries in which two fields stand in an order, and the share of all that have both


@dataclass(frozen=True, slots=True)
class FieldOrder:
    """`before` are pairs of fields of which the first comes first; `style` is named if the order is the style's."""

    before: frozenset[tuple[str, str]]
    style: str | None = None

    def broken(self, fields: Sequence[str]) -> tuple[str, str] | None:
        """Return the first two fields that stand the wrong way round, as they should stand."""
        pairs = combinations(fields, 2)
        return next(((second, first) for first, second in pairs if (second, first) in self.before), None)

    def sorted(self, fields: Sequence[str]) -> list[str]:
        """Return the fields in order; what has none keeps its place among its neighbours."""
        left, done = list(fields), []
        while left:
            free = (name for name in left if not any((other, name) in self.before for other in left))
            name = next(free, left[0])
            left.remove(name)
            done.append(name)
        return done


def order_of(entries: Iterable[BibEntry], style: StyleFile | None) -> FieldOrder:
    """Return the order that the style declares, else the one that most entries of a file have."""
    if style is not None and style.order:
        return FieldOrder(frozenset(combinations(style.order, 2)), style.name)
    counts = Counter(pair for entry in entries if not _inherits(entry) for pair in combinations(entry.fields, 2))
    clear = (
        (one, other)
        for (one, other), count in counts.items()
        if count >= _LEAST and count >= _SHARE * (count + counts[other, one])
    )
    return FieldOrder(frozenset(clear))


def out_of_order(entries: Sequence[BibEntry], style: StyleFile | None) -> Iterator[tuple[int, Finding]]:
    """Yield a finding, by its number, on each entry of a file whose fields are in another order."""
    order = order_of(entries, style)
    whose = f"in {order.style}" if order.style else "in most entries"
    for number, entry in enumerate(entries):
        if not _inherits(entry) and (pair := order.broken(list(entry.fields))) is not None:
            message = f"{pair[0]} stands behind {pair[1]} here, and before it {whose}"
            place = (entry.span.file, entry.span.line, None)
            yield number, Finding("field_order", "info", message, *place, "nothing has to be done: it is printed alike")


def _inherits(entry: BibEntry) -> bool:
    """Return True if the fields of an entry may be those of another, too."""
    return not entry.fields.keys().isdisjoint(("crossref", "xdata"))


def in_order(text: str, order: FieldOrder) -> str:
    """Return the text of one entry with its fields in order; as it is if BibTeX would stumble, or reads one twice."""
    place = locate_entry(text, (0, len(text)))
    names = [field.name.lower() for field in place.fields] if place is not None else []
    if place is None or len(set(names)) < len(names) or order.broken(names) is None:
        return text
    written = {name: text[field.start : field.value[1]] for name, field in zip(names, place.fields, strict=True)}
    parts, end = [], 0
    for field, name in zip(place.fields, order.sorted(names), strict=True):
        parts += [text[end : field.start], written[name]]
        end = field.value[1]
    return "".join([*parts, text[end:]])

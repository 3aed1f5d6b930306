"""The layout of a file's entries, so that a new field or entry looks like the ones beside it; and entries added in it.

bibtexparser and pybtex write a whole file in a layout of their own, and returned none of 15 real files byte for byte.
"""

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from citeplug.bibtex.places import EntryPlace, closes_a_quote, locate_entry
from citeplug.records.draft import BibEntry
from citeplug.text.scanning import newline_of

Case = Literal["upper", "title", "as_is"]
T = TypeVar("T", bound=Hashable)
_MOST_BLANK = re.compile(r"\n[ \t\r\n\f\v]*\n")
_ENDS_BLANK = re.compile(r"(?:\A|\n)[ \t]*\n[ \t]*\Z")
_HEAD = re.compile(r"@\s*[A-Za-z]+\s*[{(]")
_BRACES = re.compile(r"[{}]")
_MOST_READ = 200  # entries; the layout of a long file shows in its last ones


@dataclass(frozen=True, slots=True)
class Layout:
    """The look of an entry.

    `gap` is between a value and the next field's name: a comma and white space. `equals` is the column of
    `=`, counted from the beginning of the name, where all are in one (else None, and `before` is the white space
    before it); `value` likewise for the values, with `after`. `last` is between the last value and the closing
    delimiter, and begins with a comma where that is the habit. A whole entry makes room for its longest name.
    """

    newline: str = "\n"
    gap: str = ",\n  "
    equals: int | None = None
    before: str = " "
    value: int | None = None
    after: str = " "
    quoted: bool = False
    bare_numbers: bool = False
    names: Case = "as_is"
    kinds: Case = "as_is"
    opening: str = "{"
    last: str = ",\n"

    def field(self, name: str, latex: str) -> str:
        shown = _in_case(name, self.names)
        least = shown + (" " if self.before or self.equals is not None else "")
        left = shown + self.before if self.equals is None else max(shown.ljust(self.equals), least, key=len)
        left += "="
        least = left + (" " if self.after or self.value is not None else "")
        left = left + self.after if self.value is None else max(left.ljust(self.value), least, key=len)
        return left + self.delimited(latex)

    def delimited(self, latex: str) -> str:
        """A value with the delimiters of the file, or bare if it is a number and the file leaves those bare."""
        if self.bare_numbers and latex.isascii() and latex.isdigit():
            return latex
        return f'"{latex}"' if self.quoted and not closes_a_quote(latex) else f"{{{latex}}}"

    def entry(self, kind: str, key: str, fields: Mapping[str, str]) -> str:
        """A whole entry without a line end behind it; `fields` are LaTeX."""
        names = [_in_case(name, self.names) for name in fields]
        layout = self
        if self.equals is not None and names:
            longest = max(max(map(len, names)) + (1 if self.before else 0), self.equals)
            shift = longest - self.equals
            value = None if self.value is None else self.value + shift
            layout = replace(self, equals=longest, value=value)
        text = f"@{_in_case(kind, self.kinds)}{self.opening}{key}"
        for name, latex in fields.items():
            text += self.gap + layout.field(name, latex)
        return text + self.last + {"{": "}", "(": ")"}[self.opening]


def _in_case(name: str, case: Case) -> str:
    if case == "upper":
        return name.upper()
    return name[:1].upper() + name[1:] if case == "title" else name


def in_case_of(old: str, new: str) -> str:
    """An entry type in the case of the one that it replaces: `ARTICLE`, `Article` or `article`."""
    return _in_case(new, _case_of([old]))


def layout_of(text: str, place: EntryPlace) -> Layout:
    """The layout of one entry, with what the entry does not show as usual."""
    usual = Layout(newline=newline_of(text))
    fields = place.fields
    if not fields:
        return usual
    gaps = [text[slice(*place.gap(number))] for number in range(len(fields))]
    gap = _commonest(gaps[1:] or gaps)
    columns = [field.equals - field.start for field in fields]
    befores = [text[field.start + len(field.name) : field.equals] for field in fields]
    afters = [text[field.equals + 1 : field.value[0]] for field in fields]
    starts = [field.value[0] - field.start for field in fields]
    equals, value = _column(columns, befores), _column(starts, afters)
    delimiters = [text[field.value[0]] for field in fields]
    numbers = [text[slice(*field.value)].strip('{}"') for field in fields]
    bare = [field for field, number in zip(delimiters, numbers, strict=True) if number.isdigit()]
    quotes, braces = delimiters.count('"'), delimiters.count("{")
    return Layout(
        newline=_newline_in(gap) or usual.newline,
        gap=_MOST_BLANK.sub("\n", gap) if gap.count("\n") > 1 and "\r" not in gap else gap,
        equals=equals,
        before=_commonest(befores),
        value=value,
        after=_commonest(afters),
        quoted=quotes > braces if quotes or braces else usual.quoted,
        bare_numbers=sum(delimiter not in '{"' for delimiter in bare) * 2 > len(bare) if bare else usual.bare_numbers,
        names=_case_of([field.name for field in fields]),
        kinds=_case_of([text[slice(*place.kind)]]),
        opening=text[place.kind[1] : place.key[0]].strip(),
        last=text[fields[-1].value[1] : place.close],
    )


def _column(columns: Sequence[int], spaces: Sequence[str]) -> int | None:
    """The column in which most are, if it takes different `spaces` to get there: names of one length show none."""
    column = _commonest(columns)
    there = [space for position, space in zip(columns, spaces, strict=True) if position == column]
    return column if len(there) * 2 > len(columns) and len(set(there)) > 1 else None


def layout_of_file(text: str, places: Sequence[EntryPlace]) -> Layout:
    """The layout that most entries have, each trait by itself."""
    layouts = [layout_of(text, place) for place in places if len(place.fields) > 1]
    if not layouts:
        newline = newline_of(text)
        return Layout(newline=newline, gap=f",{newline}  ", equals=0, last=f",{newline}")
    gap = _commonest(layout.gap for layout in layouts)
    # Columns and delimiters go together, so they come from entries that are set alike.
    alike = [layout for layout in layouts if layout.gap == gap]
    aligned = [layout for layout in alike if layout.equals is not None]
    in_columns = len(aligned) * 2 > len(alike)
    # What is before an aligned `=` fills its column, and says nothing about one that is not aligned.
    spaced = alike if in_columns else [layout for layout in alike if layout.equals is None]
    by_trait = {
        **dict.fromkeys(("newline", "last"), alike),
        **dict.fromkeys(("before", "value", "after"), spaced),
        **dict.fromkeys(("quoted", "bare_numbers", "names", "kinds", "opening"), layouts),
    }
    traits = {name: _commonest(getattr(layout, name) for layout in some) for name, some in by_trait.items()}
    return Layout(gap=gap, equals=_commonest(layout.equals for layout in aligned) if in_columns else None, **traits)


def _newline_in(gap: str) -> str | None:
    match = re.search(r"\r\n|\n|\r", gap)
    return match[0] if match else None


def _case_of(names: Iterable[str]) -> Case:
    letters = [name for name in names if any(map(str.isalpha, name))]
    if letters and all(name.isupper() for name in letters):
        return "upper"
    return "title" if letters and all(name[0].isupper() for name in letters) else "as_is"


def _commonest(values: Iterable[T]) -> T:
    """The most frequent, the first of those that are equally frequent."""
    return Counter(values).most_common(1)[0][0]


def usual_layout(text: str, entries: Sequence[BibEntry]) -> Layout:
    """The layout of the file's entries; that of new files where there is none to see."""
    places = [locate_entry(text, (entry.span.start, entry.span.end)) for entry in entries[-_MOST_READ:]]
    return layout_of_file(text, [place for place in places if place is not None])


def ends_within_a_block(text: str) -> bool:
    """True if the last entry, macro or comment of the file is not closed: what follows would be a part of it."""
    heads = list(_HEAD.finditer(text))
    if not heads:
        return False
    depth = 0
    for match in _BRACES.finditer(text, heads[-1].end() - 1):
        depth += 1 if match[0] == "{" else -1
        if depth <= 0:
            return False
    return depth > 0


def append_entries(text: str, entries: Sequence[str]) -> str:
    """`text` with the entries behind it: a blank line between, a line end at the end only if there was one."""
    newline = newline_of(text)
    ends = text.endswith(("\n", "\r")) or not text
    tail = text[-200:].replace("\r\n", "\n").replace("\r", "\n")
    between = newline if ends else newline * 2
    gap = "" if not text or _ENDS_BLANK.search(tail) else between
    return text + gap + (newline * 2).join(entries) + (newline if ends else "")

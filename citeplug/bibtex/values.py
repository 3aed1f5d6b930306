"""The parts of a `.bib` file, and a reader of its fields and values that notes the errors at which BibTeX would stop.

Braces and quotes count as BibTeX counts them: a backslash hides none, and a quote counts outside of braces alone.
"""

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Correction:
    """A certain correction: the text for the place of the code points `start` to `end` (half-open)."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Stumble:
    """A place, in code points, where the run of the bibliography goes wrong; `message` ends a sentence."""

    code: str
    at: int
    message: str
    fix: str
    correction: Correction | None = None


@dataclass(frozen=True, slots=True)
class Field:
    """A field: its name in lower case, where the name is, and the pieces of its value between `#`.

    Pieces are spans with their delimiters; one that begins with neither brace, quote nor digit is a macro.
    """

    name: str
    start: int
    pieces: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class BibBlock:
    """An entry, `@string` or `@preamble`, from its `@` to the position after its closing delimiter.

    `kind` is in lower case, `key` None for what has none; it begins at `key_at`.
    """

    kind: str
    start: int
    end: int
    key: str | None = None
    key_at: int = 0
    fields: tuple[Field, ...] = ()
    stumbles: tuple[Stumble, ...] = ()

    @property
    def is_entry(self) -> bool:
        return self.kind not in ("string", "preamble")


_QUOTE_OR_BRACES = re.compile(r"[{}\"]")


class Delimiters:
    """The braces and quotes of a whole text, so that a question takes no longer where nothing is ever closed."""

    def __init__(self, text: str) -> None:
        self._places: list[int] = []
        self._depths: list[int] = []  # before each of the places
        self._closing: dict[int, list[int]] = {}  # braces by the depth that they lead to
        self._quotes: dict[int, list[int]] = {}  # by the depth at which they are
        depth = 0
        for match in _QUOTE_OR_BRACES.finditer(text):
            self._places.append(match.start())
            self._depths.append(depth)
            if match[0] == '"':
                self._quotes.setdefault(depth, []).append(match.start())
            elif match[0] == "{":
                depth += 1
            else:
                depth -= 1
                self._closing.setdefault(depth, []).append(match.start())

    def after_brace(self, start: int) -> int | None:
        """The position behind the partner of the brace at `start`; None if it has none."""
        end = _next(self._closing.get(self._depth(start)), start)
        return None if end is None else end + 1

    def after_quote(self, start: int) -> int | None:
        """The position behind the quote that closes the one at `start`; None if a brace in between has no partner."""
        end, brace = _next(self._quotes.get(self._depth(start)), start), self._brace_below(start)
        return None if end is None or (brace is not None and brace < end) else end + 1

    def brace_too_many(self, start: int) -> int | None:
        """The closing brace without partner behind the quote at `start`; None if the quote is closed before."""
        end, brace = _next(self._quotes.get(self._depth(start)), start), self._brace_below(start)
        return brace if end is None or (brace is not None and brace < end) else None

    def _depth(self, start: int) -> int:
        return self._depths[bisect_left(self._places, start)]

    def _brace_below(self, start: int) -> int | None:
        return _next(self._closing.get(self._depth(start) - 1), start)


def _next(places: list[int] | None, start: int) -> int | None:
    """The first of `places`, which are in order, behind `start`."""
    number = bisect_right(places or [], start)
    return places[number] if places and number < len(places) else None


# What BibTeX takes for a name: neither a digit first nor any of the signs that it reads as signs.
NAME = r"[^\s\d\"#%'(),={}][^\s\"#%'(),={}]*"
ASSIGNMENT = re.compile(rf"{NAME}\s*=(?!=)")
_IDENTIFIER = re.compile(NAME)
_HEAD_OF_LINE = re.compile(r"^[ \t]*@[ \t]*[A-Za-z]+[ \t]*[{(]\s*[^\s,={}\"]+\s*,", re.MULTILINE)
_SPACE = re.compile(r"\s*")
_DIGITS = re.compile(r"\d+")
_BARE = re.compile(r"[^,{}\"\r\n]*[^\s,{}\"]")


@dataclass(slots=True)
class ValueReader:
    """A reader at positions of `text`, which collects in `stumbles` the errors at which BibTeX would stop."""

    text: str
    stumbles: list[Stumble] = field(default_factory=list)
    delimiters: Delimiters = field(init=False)
    _heads: list[tuple[int, int]] = field(init=False)

    def __post_init__(self) -> None:
        self.delimiters = Delimiters(self.text)
        self._heads = [match.span() for match in _HEAD_OF_LINE.finditer(self.text)]

    def head_of_line(self, start: int, stop: int) -> int | None:
        """The position of the first entry that begins its line, if its key ends before `stop`."""
        number = bisect_left(self._heads, (start, start))
        return self._heads[number][0] if number < len(self._heads) and self._heads[number][1] <= stop else None

    def skip(self, position: int) -> int:
        """The position behind the white space."""
        match = _SPACE.match(self.text, position)
        return match.end() if match else position

    def stumble(self, code: str, at: int, message: str, fix: str, correction: Correction | None = None) -> None:
        self.stumbles.append(Stumble(code, at, message, fix, correction))

    def read_field(self, position: int) -> tuple[Field | None, int]:
        """A field and where it ends; below zero if its value never ends, and no field if it cannot be read."""
        name = _IDENTIFIER.match(self.text, position)
        if name is None:
            self.stumble("broken_entry", position, "a field name is missing here", "write `name = {value}`")
            return None, position
        equals = self.skip(name.end())
        if not self.text.startswith("=", equals):
            self.stumble("broken_entry", name.end(), f"there is no = after {name[0]}", "write `name = {value}`")
            return None, equals
        pieces, end = self.read_value(self.skip(equals + 1), name[0])
        return Field(name[0].lower(), position, pieces), end

    def read_value(self, position: int, name: str) -> tuple[tuple[tuple[int, int], ...], int]:
        """The pieces between `#` of the value of `name`, and where it ends; below zero if it never does."""
        pieces: list[tuple[int, int]] = []
        while True:
            end = self._piece(position, name)
            if end is None:
                return tuple(pieces), -position
            if end > position:
                pieces.append((position, end))
            following = self.skip(end)
            if not self.text.startswith("#", following):
                return tuple(pieces), end
            position = self.skip(following + 1)

    def _piece(self, position: int, name: str) -> int | None:
        """The end of one piece of a value; None if it has no end that can be right."""
        sign = self.text[position : position + 1]
        if sign in ("{", '"'):
            return self._delimited(position, name, sign)
        number = _DIGITS.match(self.text, position)
        match = number or _IDENTIFIER.match(self.text, position)
        if match is None:
            self.stumble(
                "missing_value",
                position,
                f"{name} has no value",
                f"write {name} = {{}}",
                Correction(position, position, "{}"),
            )
            return position
        behind = self.skip(match.end())
        following = self.text[behind : behind + 1]  # not of a copy of all that follows, which is long
        bare = _BARE.match(self.text, position)
        if following in ("", ",", "#", "}", ")", "{", '"') or bare is None or _assigns(self.text, match.end()):
            return match.end()
        end = bare.end() - (bare[0].endswith(")") and "(" not in bare[0])
        self.stumble(
            "bare_value",
            position,
            f"the value of {name} must be in braces",
            f"write {name} = {{{self.text[position:end]}}}",
            Correction(position, end, f"{{{self.text[position:end]}}}"),
        )
        return end

    def _delimited(self, position: int, name: str, sign: str) -> int | None:
        end = self.delimiters.after_brace(position) if sign == "{" else self.delimiters.after_quote(position)
        # A value that goes on over the beginning of another entry has lost its own end.
        if end is not None and self.text.find("@", position, end) < 0:
            return end
        stop = len(self.text) if end is None else end
        head = self.head_of_line(position + 1, stop)
        if end is not None and head is None:
            return end
        if sign == '"' and end is None and (brace := self.delimiters.brace_too_many(position)) is not None:
            message = f"a closing brace in {name} has no partner"
            self.stumble("unbalanced_braces", brace, message, "remove the brace, or open it before")
            head = self.head_of_line(brace, len(self.text))
            closing = self.text.find('"', brace, len(self.text) if head is None else head)
            return closing + 1 if closing >= 0 else None
        what = "brace" if sign == "{" else "quote"
        message = f"the {what} that {name} begins with is never closed, and BibTeX loses what follows"
        self.stumble("unbalanced_braces", position, message, f"close the {what}; count the braces in {name}")
        return None


def _assigns(text: str, position: int) -> bool:
    """True if what follows is another field, so that only a comma is missing."""
    following = _SPACE.match(text, position)
    return following is not None and ASSIGNMENT.match(text, following.end()) is not None

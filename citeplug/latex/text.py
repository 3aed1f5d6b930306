"""Text that knows, for every character, which file it came from.

The draft is read into one such text in reading order, with comments, dead branches and definitions left
out and included files and structural macros in place; facts are found there and traced back to the files.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from citeplug.latex.scan import ends_in_command

# Verbatim characters are moved to a private plane, so that no reader takes them for LaTeX.
_LITERAL = 0xF0000
_TO_LITERAL = {code: _LITERAL + code for code in range(0x20, 0x7F)}
_FROM_LITERAL = {_LITERAL + code: code for code in range(0x20, 0x7F)}


def literal(text: str) -> str:
    """The same number of characters, none of which means anything to LaTeX."""
    return text.translate(_TO_LITERAL)


def unliteral(text: str) -> str:
    """Undo `literal`."""
    return text.translate(_FROM_LITERAL)


@dataclass(frozen=True, slots=True)
class Origin:
    """The place of a span of text. `offset` is in code points of the file's decoded text.

    With `macro`, the span was made by that macro, and all of it stands for `offset` to `end`.
    """

    file: Path
    offset: int
    end: int = 0
    macro: str | None = None


class Text:
    """A string made of spans with origins."""

    __slots__ = ("origins", "starts", "string")

    def __init__(self, string: str, starts: list[int], origins: list[Origin]) -> None:
        self.string = string
        self.starts = starts
        self.origins = origins

    @classmethod
    def of(cls, string: str, origin: Origin) -> "Text":
        return cls(string, [0], [origin])

    def at(self, position: int) -> Origin:
        """The origin of one character: `offset` is that character's own (or the macro's use)."""
        index = max(bisect_right(self.starts, position) - 1, 0)
        origin = self.origins[index]
        if origin.macro is not None:
            return origin
        return Origin(origin.file, origin.offset + position - self.starts[index], origin.end)

    def spans(self, start: int, end: int) -> Iterator[tuple[str, Origin]]:
        """The spans of `start` to `end`, cut to size."""
        index = max(bisect_right(self.starts, start) - 1, 0)
        while start < end and index < len(self.starts):
            stop = min(end, self.starts[index + 1]) if index + 1 < len(self.starts) else end
            if stop > start:
                yield self.string[start:stop], self.at(start)
            start, index = max(stop, start), index + 1

    def slice(self, start: int, end: int) -> "Text":
        builder = TextBuilder()
        for string, origin in self.spans(start, end):
            builder.add(string, origin)
        return builder.build()


class TextBuilder:
    """Collects spans. `length` is in code points."""

    def __init__(self) -> None:
        self.length = 0
        self._strings: list[str] = []
        self._starts: list[int] = []
        self._origins: list[Origin] = []

    def add(self, string: str, origin: Origin) -> None:
        if string:
            if self._strings and string[0].isalpha() and self._would_join(origin):
                # What was between a command and this letter was left out: they stay apart.
                self._append(" ", self._origins[-1])
            self._append(string, origin)

    def _append(self, string: str, origin: Origin) -> None:
        self._strings.append(string)
        self._starts.append(self.length)
        self._origins.append(origin)
        self.length += len(string)

    def _would_join(self, origin: Origin) -> bool:
        last, before = self._strings[-1], self._origins[-1]
        written = before.macro is None and origin.macro is None and before.file == origin.file
        if written and before.offset + len(last) == origin.offset:
            return False
        return ends_in_command(last, len(last))

    def add_text(self, text: Text, start: int, end: int) -> None:
        for string, origin in text.spans(start, end):
            self.add(string, origin)

    def cut_back(self, length: int) -> None:
        """Forget all beyond `length`, which is a length that the text had between two additions."""
        while self._starts and self._starts[-1] >= length:
            self._strings.pop(), self._starts.pop(), self._origins.pop()
        self.length = length

    def build(self) -> Text:
        return Text("".join(self._strings), self._starts, self._origins)

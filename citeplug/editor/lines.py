"""Places in a text: offsets in code points, and positions as editors count them.

An editor gives a line and a character in it, counted in units of the negotiated encoding: UTF-16 by default, where a
character beyond the Basic Multilingual Plane counts twice (LSP 3.17, "Text Documents").
"""

import re
from bisect import bisect_right
from collections.abc import Callable
from typing import Literal

Encoding = Literal["utf-8", "utf-16", "utf-32"]

# The line ends of LSP: str.splitlines has others, such as a form feed.
_LINE_END = re.compile(r"\r\n|\r|\n")
_CODECS: dict[Encoding, tuple[str, int]] = {
    "utf-8": ("utf-8", 1),
    "utf-16": ("utf-16-le", 2),
    "utf-32": ("utf-32-le", 4),
}


class Lined:
    """A text with its lines. Immutable: `edited` returns a new one."""

    __slots__ = ("starts", "text")

    def __init__(self, text: str, starts: list[int] | None = None) -> None:
        self.text = text
        self.starts = starts if starts is not None else [0, *(match.end() for match in _LINE_END.finditer(text))]

    def line_of(self, offset: int) -> int:
        """Return the line, from 0, of a code point."""
        return bisect_right(self.starts, offset) - 1

    def line(self, number: int) -> str:
        """Return a line without its end; empty if there is no such line."""
        if not 0 <= number < len(self.starts):
            return ""
        start = self.starts[number]
        end = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")

    def span_of(self, line: int | None, column: int | None = None) -> tuple[int, int]:
        """Return where a line is, from 1, or the nearest there is, without its indentation; from `column` on if given.

        Without `line` it is the first.
        """
        number = min(max((line or 1) - 1, 0), len(self.starts) - 1)
        text = self.line(number)
        first = len(text) - len(text.lstrip()) if column is None else min(column - 1, len(text))
        return self.starts[number] + first, self.starts[number] + max(len(text.rstrip()), first)

    def offset(self, line: int, character: int, encoding: Encoding) -> int:
        """Return the offset of a position; beyond the end of a line or the text, that of the end."""
        if line >= len(self.starts):
            return len(self.text)
        if line < 0:
            return 0
        string = self.line(line)
        if string.isascii() or encoding == "utf-32":
            return self.starts[line] + min(max(character, 0), len(string))
        codec, size = _CODECS[encoding]
        cut = string.encode(codec, "surrogatepass")[: max(character, 0) * size]
        if encoding == "utf-16" and cut and 0xD8 <= cut[-1] < 0xDC:
            cut = cut[:-2]  # between the halves of a surrogate pair
        return self.starts[line] + len(cut.decode(codec, "ignore" if encoding == "utf-8" else "surrogatepass"))

    def place(self, offset: int, encoding: Encoding) -> tuple[int, int]:
        """Return the position of an offset: line and character, from 0, the latter in units of the encoding."""
        offset = min(max(offset, 0), len(self.text))
        line = self.line_of(offset)
        before = self.text[self.starts[line] : offset]
        if before.isascii() or encoding == "utf-32":
            return line, len(before)
        codec, size = _CODECS[encoding]
        return line, len(before.encode(codec, "surrogatepass")) // size

    def span_told(self, start: int, end: int, encoding: Encoding) -> dict[str, int]:
        """Return two places as answers to clients have them."""
        (line, character), (end_line, end_character) = self.place(start, encoding), self.place(end, encoding)
        return {"line": line, "character": character, "end_line": end_line, "end_character": end_character}

    def edited(self, start: int, end: int, new: str) -> "Lined":
        """Return the text with code points `start` to `end` replaced."""
        text = self.text[:start] + new + self.text[end:]
        shift = len(new) - (end - start)
        # The edit may make or split a line end at its edges, so the lines next to it are split again.
        first = max(self.line_of(start) - 1, 0)
        last = self.line_of(end) + 2
        begin = self.starts[first]
        stop = self.starts[last] + shift if last < len(self.starts) else len(text)
        between = [match.end() for match in _LINE_END.finditer(text, begin, stop)]
        if last < len(self.starts):
            between.pop()  # the end of the last of these lines is the start of the next line
            after = [line + shift for line in self.starts[last:]]
        else:
            after = []
        return Lined(text, [*self.starts[: first + 1], *between, *after])


def common_ends(one: str, other: str) -> tuple[int, int]:
    """Return the lengths of what two texts have in common at the beginning, and behind that at the end."""
    most, size, length = min(len(one), len(other)), len(one), len(other)
    start = _common_length(most, lambda low, high: one[low:high] == other[low:high])
    end = _common_length(
        most - start, lambda low, high: one[size - high : size - low] == other[length - high : length - low]
    )
    return start, end


def _common_length(most: int, same: Callable[[int, int], bool]) -> int:
    """Return the length of the common text at one end, up to `most`; `same` compares a part."""
    low, high = 0, most
    while low < high:
        # By bisection: comparing characters one by one is slow in Python.
        middle = (low + high + 1) // 2
        if same(low, middle):
            low = middle
        else:
            high = middle - 1
    return low

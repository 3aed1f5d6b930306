"""Tokens of LaTeX source: matching brackets, arguments, comments."""

import re
from array import array
from bisect import bisect_left
from functools import cached_property

# A control word, a control symbol, a comment or a bracket. `@` is a letter in the preamble only.
TOKEN = re.compile(r"\\(?:[A-Za-z]+|.)|%[^\r\n]*|[{}\[\]]", re.DOTALL)
SKIPPED = re.compile(r"(?:\s+|%[^\r\n]*)*")
COMMENT = re.compile(r"(\\(?:.|\Z))|%[^\r\n]*(?:(?:\r\n|\r|\n)[ \t]*)?", re.DOTALL)
BLANK_LINE = re.compile(r"(?:\r\n|\r(?!\n)|\n)[ \t]*[\r\n]")
NAME = re.compile(r"\\([A-Za-z@]+|.)", re.DOTALL)
_LONGEST_OPTION = 4000


class _Pairs:
    """Positions of opening brackets, in order, each with that of its partner; 0 for one that has none.

    Arrays: a file of braces alone would take a dictionary of a hundred times its size.
    """

    __slots__ = ("ends", "starts")

    def __init__(self) -> None:
        self.starts = array("I")
        self.ends = array("I")

    def open(self, position: int) -> int:
        self.starts.append(position)
        self.ends.append(0)
        return len(self.starts) - 1

    def get(self, position: int) -> int | None:
        number = bisect_left(self.starts, position)
        there = number < len(self.starts) and self.starts[number] == position
        return (self.ends[number] or None) if there else None


class LatexSource:
    """A string of LaTeX with its brackets matched, in one linear pass on first use.

    Unclosed braces stay without partner, so that a half-typed command does not swallow what follows
    a complete one.
    """

    __slots__ = ("__dict__", "string")

    def __init__(self, string: str) -> None:
        self.string = string

    @cached_property
    def _partners(self) -> tuple["_Pairs", "_Pairs"]:
        braces, squares = _Pairs(), _Pairs()
        groups = array("I")  # the numbers of the braces that are open
        open_squares = array("I")
        marks = array("I")  # how many squares were open where each group began
        for match in TOKEN.finditer(self.string):
            token = match.group()
            if token == "{":
                groups.append(braces.open(match.start()))
                marks.append(len(open_squares))
            elif token == "}":
                if groups:
                    braces.ends[groups.pop()] = match.start()
                    del open_squares[marks.pop() :]
            elif token == "[":
                open_squares.append(squares.open(match.start()))
            elif token == "]":
                # As TeX does, an optional argument ends at the first ] of its own brace level.
                mark = marks[-1] if marks else 0
                for number in open_squares[mark:]:
                    squares.ends[number] = match.start()
                del open_squares[mark:]
        return braces, squares

    def skip(self, position: int) -> int:
        """The position after white space and comments."""
        match = SKIPPED.match(self.string, position)
        return match.end() if match else position

    def closing(self, position: int) -> int | None:
        """The partner of the opening brace at `position`."""
        return self._partners[0].get(position)

    def group(self, position: int) -> tuple[int, int] | None:
        """Start and end of the contents of the braced group that follows, or None."""
        position = self.skip(position)
        if self.string.startswith("{", position):
            end = self.closing(position)
            if end is not None:
                return position + 1, end
        return None

    def option(self, position: int) -> tuple[int, int] | None:
        """Start and end of the contents of the [optional argument] that follows, or None."""
        position = self.skip(position)
        if not self.string.startswith("[", position):
            return None
        end = self._partners[1].get(position)
        if end is None or end - position > _LONGEST_OPTION:
            return None
        return position + 1, end

    def argument(self, position: int) -> tuple[int, int, int] | None:
        """Start and end of the next mandatory argument's contents, and where it ends: group or token."""
        group = self.group(position)
        if group:
            return group[0], group[1], group[1] + 1
        position = self.skip(position)
        if position >= len(self.string) or self.string[position] in "{}":
            return None
        match = NAME.match(self.string, position)
        end = match.end() if match else position + 1
        return position, end, end


def without_comments(text: str) -> str:
    """The text without its comments, and as TeX does without the line end and indentation after them."""
    if "%" not in text:
        return text
    return COMMENT.sub(_keep_apart, text)


def _keep_apart(match: re.Match[str]) -> str:
    if match[1]:
        return match[1]
    joined = match.string[match.end() : match.end() + 1].isalpha() and ends_in_command(match.string, match.start())
    return " " if joined else ""


def ends_in_command(text: str, position: int) -> bool:
    """True if a control word ends at `position`: a letter that came to be there would become part of it."""
    start = position
    while start > 0 and position - start < 100 and (text[start - 1].isalpha() or text[start - 1] == "@"):
        start -= 1
    return 0 < start < position and text[start - 1] == "\\" and text[start - 2 : start] != "\\\\"

"""Line and column numbers of places in a text."""

import re
from array import array
from bisect import bisect_right

_LINE_END = re.compile(r"\r\n|\r|\n")


class Lines:
    """Lines and columns of a text, from 1. LF, CRLF and lone CR end lines."""

    def __init__(self, text: str) -> None:
        self._starts = array("I", [0])
        self._starts.extend(match.end() for match in _LINE_END.finditer(text))

    def number(self, offset: int) -> int:
        return bisect_right(self._starts, offset)

    def column(self, offset: int) -> int:
        return offset - self._starts[self.number(offset) - 1] + 1

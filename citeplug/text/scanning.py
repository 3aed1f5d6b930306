"""Source text in time linear in its length: its lines, its spans, and a limit to what its macros may stand for."""

import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator


def delimited_spans(
    text: str, opening: re.Pattern[str], closing: Callable[[re.Match[str]], re.Pattern[str] | None]
) -> Iterator[tuple[int, int]]:
    """The ranges from a match of `opening` to the end of the next match of what closes it, one after the other.

    `closing` gives None where the match is all of the span. What is never closed is no span; its end is looked
    for once, for `.*?` in a pattern looks to the end of the text at each opening.
    """
    missing: set[re.Pattern[str]] = set()
    position = 0
    while match := opening.search(text, position):
        position = match.end()
        wanted = closing(match)
        if wanted is not None:
            end = None if wanted in missing else wanted.search(text, position)
            if end is None:
                missing.add(wanted)
                continue
            position = end.end()
        yield match.start(), position


def replace_spans(
    text: str,
    opening: re.Pattern[str],
    closing: Callable[[re.Match[str]], re.Pattern[str] | None],
    replacement: Callable[[str], str],
) -> str:
    """The text with each of its `delimited_spans` replaced."""
    return replace_ranges(text, delimited_spans(text, opening, closing), replacement)


def replace_ranges(text: str, ranges: Iterable[tuple[int, int]], replacement: Callable[[str], str]) -> str:
    """The text with these ranges replaced, which are in order and do not overlap."""
    parts: list[str] = []
    position = 0
    for start, end in ranges:
        parts += [text[position:start], replacement(text[start:end])]
        position = end
    return "".join([*parts, text[position:]])


_LINE_END = re.compile(r"\r\n|\r|\n")


def blank(text: str) -> str:
    """Spaces in place of a text, its line ends kept."""
    return re.sub(r"[^\r\n]", " ", text)


class LineIndex:
    """Lines and columns of a text, from 1. LF, CRLF and lone CR end lines."""

    def __init__(self, text: str) -> None:
        self._starts = array("I", [0])
        self._starts.extend(match.end() for match in _LINE_END.finditer(text))

    def number(self, offset: int) -> int:
        return bisect_right(self._starts, offset)

    def column(self, offset: int) -> int:
        return offset - self._starts[self.number(offset) - 1] + 1


LONGEST_VALUE = 20_000  # code points that macros may stand for in one value, name or list of keys
_AT_LEAST = 10_000_000


class ExpansionBudget:
    """The budget of macros in one document or .bib file, or, `within` that, in a part of it.

    Ten lines that double each other make more than a machine holds. `limit` and `left` are in code points.
    """

    def __init__(self, limit: int = _AT_LEAST, within: "ExpansionBudget | None" = None) -> None:
        self.limit = self.left = limit
        self._within = within
        self._hit: int | None = None

    def grow(self, size: int) -> None:
        """Allow `size` more: a long document has more uses of what its macros say."""
        self.limit += size
        self.left += size

    def take(self, size: int) -> bool:
        """Count `size` more; False, and nothing counted, where that is too much."""
        if size > self.left:
            self._refuse(self.limit)
            return False
        if self._within is not None and not self._within.take(size):
            return False
        self.left -= size
        return True

    def refused(self) -> int | None:
        """The limit that was in the way, if something was refused since this was asked last."""
        hit, self._hit = self._hit, None
        return hit

    def _refuse(self, limit: int) -> None:
        self._hit = limit
        if self._within is not None:
            self._within._refuse(limit)


def newline_of(text: str) -> str:
    """The line end that most lines of `text` have; `\\n` if there is none."""
    windows = text.count("\r\n")
    counts = {"\n": text.count("\n") - windows, "\r\n": windows, "\r": text.count("\r") - windows}
    return max(counts, key=lambda end: counts[end]) if any(counts.values()) else "\n"

"""Braces and quotes as BibTeX counts them: a backslash hides none, and a quote counts outside of braces alone."""

import re
from bisect import bisect_left, bisect_right

BRACES = re.compile(r"[{}]")
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

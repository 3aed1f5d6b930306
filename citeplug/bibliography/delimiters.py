"""Braces and quotes as BibTeX counts them: a backslash hides none, and a quote counts outside of braces alone."""

import re

BRACES = re.compile(r"[{}]")
_QUOTE_OR_BRACES = re.compile(r"[{}\"]")


def after_brace(text: str, start: int) -> int | None:
    """The position behind the partner of the brace at `start`; None if it has none."""
    depth = 0
    for match in BRACES.finditer(text, start):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return match.end()
    return None


def after_quote(text: str, start: int) -> int | None:
    """The position behind the quote that closes the one at `start`; None if a brace in between has no partner."""
    depth = 0
    for match in _QUOTE_OR_BRACES.finditer(text, start + 1):
        if match[0] == '"' and depth == 0:
            return match.end()
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth < 0:
            return None
    return None


def brace_too_many(text: str, start: int) -> int | None:
    """The closing brace without partner behind the quote at `start`; None if the quote is closed before."""
    depth = 0
    for match in _QUOTE_OR_BRACES.finditer(text, start + 1):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth < 0:
            return match.start()
        if match[0] == '"' and depth == 0:
            return None
    return None

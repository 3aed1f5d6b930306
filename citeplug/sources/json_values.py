"""Values out of JSON that somebody else wrote: whatever is there, what comes out has the type that was asked for."""

import html
import re
from typing import Any

from citeplug.text.cleaning import plain

_LONGEST = 4000  # characters of one value that count
_MOST_TEXT = 20_000  # of an abstract
_TAG = re.compile(r"<(/?)([A-Za-z][\w.-]*(?::[\w.-]+)?)(\s[^<>]*)?/?>")
# Publishers deposit HTML, JATS and MathML in titles. Other words in angle brackets are the title's own.
_MARKUP = frozenset(
    """a alternatives annotation b bold br em font formula i img inf inline-formula italic math mfenced mfrac mi mn mo
    monospace mover mrow mspace msqrt mstyle msub msubsup msup mtext munder ovl p roman sc scp semantics small span
    strike strong sub sup tex-math title tt u underline""".split()
)
_BREAKS = frozenset(("br", "p", "title", "mspace"))
# Each says the formula once more.
_TWICE = re.compile(r"<(?:mml:)?(annotation|tex-math)\b[^<>]*>[^<]*</(?:mml:)?\1>", re.IGNORECASE)
_YEARS = range(1400, 2200)


def mapping(value: Any) -> dict[str, Any]:
    """`value` if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def sequence(value: Any) -> list[Any]:
    """`value` if it is an array; a single value as an array of one, null as none."""
    if isinstance(value, list):
        return value
    return [] if value is None else [value]


def line(value: Any, most: int = _LONGEST) -> str:
    """One line of plain text without markup, entities and controls; "" for what is no text."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    text = str(value) if isinstance(value, str) or abs(value) < 10**18 else ""
    text = text[:most]
    for _ in range(2):  # some deposits are escaped twice
        if "<" in text:
            if "math" in text:
                text = _TWICE.sub("", text)
            text = _TAG.sub(_said, text)
        if "&" not in text:
            break
        text = html.unescape(text)
    return plain(_TAG.sub(_said, text))


def long_text(value: Any) -> str:
    """An abstract as plain text in one line, as `line` but longer; "" for what is no text."""
    return line(value, _MOST_TEXT)


def first_line(value: Any) -> str:
    """The first text that is not empty of an array, or `value` itself."""
    return next((text for item in sequence(value) if (text := line(item))), "")


def year(value: Any) -> int | None:
    """A year, from a number or from digits."""
    text = line(value)
    return int(text) if re.fullmatch(r"[0-9]{4}", text) and int(text) in _YEARS else None


def _said(tag: re.Match[str]) -> str:
    name = tag[2].lower()
    local = name.rpartition(":")[2]
    if ":" not in name and local not in _MARKUP:
        return tag[0]
    return " " if local in _BREAKS else ""

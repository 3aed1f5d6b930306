"""Signs in the text of a field that LaTeX takes for commands."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from citeplug.text.scanning import replace_ranges, replace_spans

# Commands whose argument is no text: addresses, verbatim, keys, names of files.
_VERBATIM = re.compile(
    r"\\(?:url|path|nolinkurl|burl|doi|eprint|arxiv|arXiv|detokenize|[A-Za-z]{0,40}cite[A-Za-z]{0,40}\*?|ref|eqref|autoref|cref"
    r"|label|bibinfo|hyperlink|includegraphics|input|gls|lstinline|href|hyperref|mhchem|ce|SI|si|num|qty|unit)"
    r"\s*(?:\[[^\]]{0,400}\])?\s*(?=\{)"
)
_VERB = re.compile(r"\\(?:verb|lstinline)\*?([^A-Za-z\s{])(?:(?!\1).)*\1")
_MATH = re.compile(
    r"\\(?P<sign>[(\[])|(?<!\\)(?:\\\\)*(?P<dollars>\$\$?)(?:\\.|[^$\\])*(?P=dollars)"
    r"|\\begin\{(?P<env>equation|align|math|displaymath|tabular|array)\*?\}",
    re.DOTALL,
)
_ENSURE = re.compile(r"\\(?:ensuremath|text(?:sub|super)scriptmath)\s*(?=\{)")
_BRACES = re.compile(r"\\.|[{}]", re.DOTALL)
_SIGN = re.compile(r"\\.|([%&#_^$])", re.DOTALL)
_ENTITY = re.compile(r"&(amp|lt|gt|quot|apos|nbsp|#\d+|#x[0-9a-fA-F]+);")
_ADDRESS = re.compile(r"(?:https?://|ftp://|www\.)[^\s{}]*")
ANY = re.compile(r"[%&#_^$]")


@dataclass(frozen=True, slots=True)
class Raw:
    """A sign at the offset `at`; `entity` is the whole of an HTML entity that begins with it.

    `in_address` says that it is in a raw address, which wants to be a `\\url` as a whole.
    """

    sign: str
    at: int
    entity: str | None = None
    in_address: bool = False


def raw_signs(value: str) -> Iterator[Raw]:
    """The signs of `value` that LaTeX would not print: raw `% & # _ ^` outside math and addresses, a lone `$`."""
    if ANY.search(value) is None:
        return
    blank = _without_verbatim(value)
    addresses = [match.span() for match in _ADDRESS.finditer(blank)]
    starts = [start for start, _ in addresses]
    for match in _SIGN.finditer(blank):
        if match[1] is not None:
            at = match.start(1)
            entity = _ENTITY.match(value, at)
            number = bisect_right(starts, at) - 1
            inside = number >= 0 and at < addresses[number][1]
            yield Raw(match[1], at, entity[0] if entity else None, inside)


def _without_verbatim(value: str) -> str:
    """`value` with spaces in place of what is not text, of the same length."""
    value = _VERB.sub(lambda match: _spaces(match[0]), value)
    for pattern in (_VERBATIM, _ENSURE):
        value = replace_ranges(value, _arguments(value, pattern), _spaces)
    return replace_spans(value, _MATH, _math_end, _spaces)


def _spaces(text: str) -> str:
    return " " * len(text)


def _arguments(value: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    position = 0
    while match := pattern.search(value, position):
        position = _closing(value, match.end())
        yield match.end(), position


def _math_end(match: re.Match[str]) -> re.Pattern[str] | None:
    if match["sign"]:
        return re.compile(r"\\\)" if match["sign"] == "(" else r"\\\]")
    return re.compile(rf"\\end\{{{match['env']}\*?\}}") if match["env"] else None


def _closing(value: str, start: int) -> int:
    depth = 0
    for match in _BRACES.finditer(value, start):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth == 0:
            return match.end()
    return len(value)

"""Signs in the text of a field that LaTeX takes for commands."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

# Commands whose argument is no text: addresses, verbatim, keys, names of files.
_VERBATIM = re.compile(
    r"\\(?:url|path|nolinkurl|burl|doi|eprint|arxiv|arXiv|detokenize|[A-Za-z]*cite[A-Za-z]*\*?|ref|eqref|autoref|cref"
    r"|label|bibinfo|hyperlink|includegraphics|input|gls|lstinline|href|hyperref|mhchem|ce|SI|si|num|qty|unit)"
    r"\s*(?:\[[^\]]*\])?\s*(?=\{)"
)
_VERB = re.compile(r"\\(?:verb|lstinline)\*?([^A-Za-z\s{])(?:(?!\1).)*\1")
_MATH = re.compile(
    r"\\\(.*?\\\)|\\\[.*?\\\]|(?<!\\)((?:\\\\)*)(\$\$?)(?:\\.|[^$\\])*\2"
    r"|\\begin\{(equation|align|math|displaymath|tabular|array)\*?\}.*?\\end\{\3\*?\}",
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

    `in_address` says that it stands in a raw address, which wants to be a `\\url` as a whole.
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
    for match in _SIGN.finditer(blank):
        if match[1] is not None:
            at = match.start(1)
            entity = _ENTITY.match(value, at)
            inside = any(start <= at < end for start, end in addresses)
            yield Raw(match[1], at, entity[0] if entity else None, inside)


def _without_verbatim(value: str) -> str:
    """`value` with spaces in place of what is not text, of the same length."""
    value = _VERB.sub(_blank, value)
    for pattern in (_VERBATIM, _ENSURE):
        position = 0
        while match := pattern.search(value, position):
            position = _closing(value, match.end())
            value = value[: match.end()] + " " * (position - match.end()) + value[position:]
    return _MATH.sub(_blank, value)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _closing(value: str, start: int) -> int:
    depth = 0
    for match in _BRACES.finditer(value, start):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth == 0:
            return match.end()
    return len(value)

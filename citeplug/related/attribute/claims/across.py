"""Numbers of a sentence in another language than its sources', which write them otherwise."""

import re
from collections.abc import Iterator, Sequence

from citeplug.related.attribute.claims.evidence import Doubt
from citeplug.related.attribute.claims.numbers import numbers_of

_DIGITS = re.compile(r"\d+(?:[.,\u00a0\u202f]\d+)*")


def unknown_digits(text: str, sources: Sequence[str]) -> Iterator[Doubt]:
    """Doubts on numbers in digits that no source has, in either way of writing decimals."""
    given = {number.value for source in sources for number in numbers_of(source, in_names=True)}
    given |= {value for source in sources for match in _DIGITS.finditer(source) for value in _readings(match[0])}
    for match in _DIGITS.finditer(text):
        if re.search(r"[^\W\d_][-–/]?$", text[: match.start()]) or re.match(r"[^\W\d_]", text[match.end() :]):
            continue  # part of a name
        if not _readings(match[0]) & given:
            yield Doubt("number", f"the number {match[0]} is not in the source")


def _readings(text: str) -> set[float]:
    """The values that a number in digits may have: 1.234 is 1234 or 1.234."""
    plain = re.sub(r"[\u00a0\u202f]", "", text)
    found: set[float] = set()
    for decimal, group in ((".", ","), (",", ".")):
        if re.fullmatch(
            rf"\d{{1,3}}(?:{re.escape(group)}\d{{3}})*(?:{re.escape(decimal)}\d+)?|\d+(?:{re.escape(decimal)}\d+)?",
            plain,
        ):
            found.add(float(plain.replace(group, "").replace(decimal, ".")))
    return found

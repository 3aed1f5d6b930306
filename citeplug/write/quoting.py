"""Set in quotation marks what is taken over word for word."""

import re

from citeplug.write.attribution import WORD, copied_runs
from citeplug.write.lexicon import AUXILIARIES, PREPOSITIONS, VERBS

_LONGEST = 20
# A quotation begins with a noun phrase, and ends with one.
_NOT_FIRST = PREPOSITIONS | AUXILIARIES | VERBS | {"than", "both", "not", "also", "then", "but", "if"}
_NOT_LAST = (
    PREPOSITIONS | AUXILIARIES | {"a", "an", "the", "their", "its", "that", "which", "than", "not", "also", "be"}
)


def quote(text: str, source: str, n: int = 8) -> str | None:
    """`text` with quotation marks around its run of `n` or more words of `source`; unchanged if it has none.

    The marks are drawn in so that what is quoted begins and ends well; fewer than `n` words of the run stay
    outside them. None if there are several runs, if one is too long to be quoted, or if it does not make a quotation.
    """
    runs = copied_runs(text, source, n)
    if not runs:
        return text
    if len(runs) > 1 or "“" in text:
        return None
    start, end = _grown(text, *runs[0])
    tokens = list(re.finditer(r"\S+", text[start:end]))
    first, last = 0, len(tokens) - 1
    while first < last and _bare(tokens[first].group()) in _NOT_FIRST and first < 3:
        first += 1
    while last > first and _bare(tokens[last].group()) in _NOT_LAST:
        last -= 1
    quoted = text[start + tokens[first].start() : start + tokens[last].end()].rstrip(",;:")
    count = len(WORD.findall(quoted))
    if not 5 <= count <= _LONGEST or _bare(tokens[first].group()) in _NOT_FIRST or quoted not in _spaced(source):
        return None
    begin = start + tokens[first].start()
    return f"{text[:begin]}“{quoted}”{text[begin + len(quoted) :]}"


def _spaced(source: str) -> str:
    return " ".join(source.split())


def _bare(token: str) -> str:
    return token.strip(",;:“”\"'").lower()


def _grown(text: str, start: int, end: int) -> tuple[int, int]:
    """The stretch, grown so that it ends neither inside a formula nor inside a compound."""
    while start > 0 and (text[:start].count("$") % 2 or text[start - 1] not in " “("):
        start -= 1
    while end < len(text) and (text[:end].count("$") % 2 or text[end] not in " ,.;:)”"):
        end += 1
    return start, end

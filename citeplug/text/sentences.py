"""Split an abstract into its sentences, with their places."""

import re
from collections.abc import Iterator

# After these a full stop does not end a sentence.
_ABBREVIATIONS = frozenset(
    """e.g i.e cf etc al fig figs eq eqs eqn eqns ref refs sec sect secs vs resp approx viz no nos vol pp ca dr mr
    mrs ms prof st jr sr inc ltd co dept univ thm thms prop lem cor def ex chap ch app w.r.t w.l.o.g i.i.d a.k.a
    a.s a.e s.t r.v u.s u.k e.u p.a phys rev lett nucl math j proc conf int trans acad sci ser ann inst comm
    jan feb mar apr jun jul aug sep sept oct nov dec ph.d m.sc b.sc""".split()
)
# These may well end one: then the next word decides.
_MAY_END = frozenset(["etc", "al", "inc", "ltd", "co", "no", "u.s", "u.k", "i.i.d", "ph.d", "app", "ex"])

_STARTERS = frozenset(
    """the a an we our in this these those it its however moreover furthermore finally here to for by as on at with
    using based while when if although since such they there then thus hence therefore both one two some most many
    first second experiments experimental results numerical simulation under from unlike given additionally also
    i my that their""".split()
)
_END = re.compile(r"[.!?]+[\"'”’)\]}]*(?=\s|$)|(?<=[a-z)\]}$])\.(?=[A-Z][a-z]+\s)")
_LAST_WORD = re.compile(r"[^\s(\[{\"'“‘]+$")


def split_sentences(text: str) -> list[tuple[int, int]]:
    """The places of the sentences of `text`, whose white space must be collapsed.

    Code points, half-open, in order, without the spaces between them; together they cover the text.
    Full stops in math, abbreviations, initials, decimals, addresses and short parentheses end nothing.
    """
    places: list[tuple[int, int]] = []
    start = 0
    for end in _ends(text):
        if text[start:end].strip():
            places.append((start, end))
            start = end + len(text[end:]) - len(text[end:].lstrip())
    if text[start:].strip():
        places.append((start, len(text.rstrip())))
    return places


def _ends(text: str) -> Iterator[int]:
    shielded = _shielded(text)
    for match in _END.finditer(text):
        if any(begin < match.start() < finish for begin, finish in shielded):
            continue
        after = text[match.end() :].lstrip()
        if (
            not after
            or (match.group()[0] in "!?" and not after[0].islower())
            or (match.group().startswith(".") and _ends_sentence(text[: match.start()], after))
        ):
            yield match.end()


def _ends_sentence(before: str, after: str) -> bool:
    if after[0].islower() or after[0] in ",;:)]":
        return False
    found = _LAST_WORD.search(before)
    last = found.group().lower().lstrip("~") if found else ""
    next_word = after.split()[0].strip("\"'“‘(,.:").lower()
    if last in _ABBREVIATIONS:
        return last in _MAY_END and next_word in _STARTERS
    if len(last) == 1 and last.isalpha():  # an initial, or a symbol at the end of a sentence
        return next_word in _STARTERS
    return True


def _shielded(text: str) -> list[tuple[int, int]]:
    """Math and short parentheses: what lies in them belongs to one sentence."""
    math = [(m.start(), m.end()) for m in re.finditer(r"\$[^$]{1,400}\$|\\\(.{1,400}?\\\)|\\\[.{1,400}?\\\]", text)]
    round_ones = [(m.start(), m.end()) for m in re.finditer(r"\((?:[^()]|\([^()]{0,100}\)){1,300}\)", text)]
    return math + round_ones

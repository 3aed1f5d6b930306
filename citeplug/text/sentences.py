"""Sentences of a text, plain or LaTeX, with their places.

No library does it better on abstracts, with their math, initials, journals and "et al." On 200 of them, with 1,093
ends, every difference was read: pysbd 0.3.4 was wrong in 22 of 23, syntok 1.4.4 in 15 of 16, blingfire 0.1.8 in 10 of
10. nltk's Punkt needs data that have to be fetched; pysbd and blingfire have had no release since 2021.
"""

import re

from citeplug.text.stop_words import STOPWORDS
from citeplug.text.tables import Tables

_ABBREVIATIONS = Tables(__name__).words("abbreviations")
# These may well end one: then the next word decides.
_MAY_END = frozenset(["etc", "al", "inc", "ltd", "co", "no", "u.s", "u.k", "i.i.d", "ph.d", "app", "ex"])
# Capitalised in the middle of a sentence, May and Will are names.
_STARTERS = (STOPWORDS - frozenset("can may might must shall will".split())) | frozenset(
    "finally additionally experiments experimental results numerical simulation".split()
)
_END = re.compile(r"[.!?]+[\"'”’)\]}]*(?=\s|$)|(?<=[a-z)\]}$])\.(?=[A-Z][a-z]+\s)")
_BLANK = re.compile(r"\n\n+")
_LAST_WORD = re.compile(r"[^\s~(\[{\"'“‘]+$")
_NEXT_WORD = re.compile(r"\s*(\S{0,40})")
_LONGEST_WORD = 40
# What is in math or in a short parenthesis belongs to one sentence.
_WHOLE = re.compile(
    r"\$[^$]{1,400}\$|\\\(.{1,400}?\\\)|\\\[.{1,400}?\\\]|\((?:[^()]|\([^()]{0,100}\)){1,300}\)", re.DOTALL
)
_ROW = re.compile(r"Table(?: [\w.]{1,8})? \| ")  # as citeplug.text.table_rows writes them
_STOPS = str.maketrans(".!?", "   ")


def split_sentences(text: str) -> list[tuple[int, int]]:
    """Places of the sentences of `text`.

    Code points, half-open, in order, without the white space between them; together they cover the text.
    Full stops in math, abbreviations, initials, decimals, addresses and short parentheses end nothing.
    """
    places: list[tuple[int, int]] = []
    start = 0
    for match in _END.finditer(_WHOLE.sub(_without_stops, text)):
        if ends_sentence(text, *match.span()):
            start = _add(places, text, start, match.end())
    _add(places, text, start, len(text))
    return places


def sentences_of_paragraphs(text: str) -> list[tuple[int, int]]:
    """As `split_sentences`, of each paragraph by itself: a heading without a stop ends where its paragraph does.

    The row of a table is whole.
    """
    places: list[tuple[int, int]] = []
    start = 0
    for end, after in [*(gap.span() for gap in _BLANK.finditer(text)), (len(text), len(text))]:
        own = [(0, end - start)] if _ROW.match(text, start, end) else split_sentences(text[start:end])
        places += [(start + begin, start + stop) for begin, stop in own]
        start = after
    return places


def ends_sentence(text: str, start: int, end: int) -> bool:
    """True if a sentence ends with the stops at `start`, which quotes and brackets may close up to `end`.

    The words on either side decide; where they leave it open, no sentence ends.
    """
    following = _NEXT_WORD.match(text, end)
    after = following[1] if following else ""
    if not after:
        return True
    if after[0].islower():
        return False
    if text[start] != ".":
        return True
    match = _LAST_WORD.search(text[max(0, start - _LONGEST_WORD) : start])
    last = match[0] if match else ""
    starts = after.strip("\"'“‘(,.:").lower() in _STARTERS
    if len(last) > 2 and last.isalpha() and last.isupper():  # an acronym, whatever it is in small letters
        return after[0] not in ",;:)]"
    if last.lower() in _ABBREVIATIONS:
        return last.lower() in _MAY_END and starts
    if len(last) == 1 and last.isalpha():  # an initial, or a symbol at the end of a sentence
        return starts
    return after[0] not in ",;:)]"


def _without_stops(match: re.Match[str]) -> str:
    """As many code points, those of a parenthesis that is a sentence, or several, as they are."""
    text, start = match.string, match.start()
    before = len(text[max(0, start - 3) : start].rstrip()) + max(0, start - 3)
    if match[0][0] == "(" and before and text[before - 1] in ".!?" and ends_sentence(text, before - 1, before):
        return match[0]
    return match[0].translate(_STOPS)


def _add(places: list[tuple[int, int]], text: str, start: int, end: int) -> int:
    """Add the stretch without the white space around it, if anything is left; return where the next one starts."""
    stretch = text[start:end]
    if not stretch.strip():
        return start
    places.append((start + len(stretch) - len(stretch.lstrip()), start + len(stretch.rstrip())))
    return end

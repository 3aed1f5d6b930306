"""Journal, volume, pages and year from arXiv's `journal_ref`, where they can be read with certainty.

Authors write that field freely. Only a journal with its volume, pages and year, in one of the customary orders and
with nothing else beside it, is taken; proceedings, books and several references in one are not.
"""

import re
from dataclasses import dataclass

from citeplug.records.paper import Paper
from citeplug.text.cleaning import plain

_JOURNAL = r"(?P<journal>[A-Z][A-Za-z.&' -]*?[A-Za-z.])"
_VOLUME = r"(?P<volume>(?:(?<![A-Za-z])(?-i:[A-L])\s?)?\d{1,4})"
_NUMBER = r"(?P<number>\d{1,4}(?:[-/]\d{1,4})?)"
_PAGES = r"(?P<pages>[A-Z]?\d{1,7}(?:\s*[-–]{1,3}\s*[A-Z]?\d{1,7})?)"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_MONTH = r"(?:(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.?,?\s+)?"
_FORMS = [
    re.compile(rf"{_JOURNAL}{form}", re.IGNORECASE)
    for form in (
        # Phys. Rev. D 54, 1234-1240 (1996); Nature 521(7553), 436-444 (2015); Phys.Lett. B380: 286, (1996)
        rf",?\s*{_VOLUME}(?:\s*\(\s*{_NUMBER}\s*\))?\s*[,:]\s*(?:pp?\.\s*|pages\s+)?{_PAGES}\s*,?\s*\(\s*{_MONTH}{_YEAR}\s*\)",
        # Nucl.Phys. B477 (1996) 327-333; J. Stat. Phys. 12 (1998), no. 3, 45-60
        rf",?\s*{_VOLUME}\s*\(\s*{_YEAR}\s*\)\s*[,:]?\s*(?:no\.?\s*{_NUMBER}\s*,\s*)?(?:pp?\.?\s*|pages\s+)?{_PAGES}",
        # Journal of Machine Learning Research 15(56):1929-1958, 2014; Phys.Rev.D54:1234-1240,1996
        rf",?\s*{_VOLUME}(?:\s*\(\s*{_NUMBER}\s*\))?\s*[:,]\s*{_PAGES}\s*,\s*{_YEAR}",
        # Physical Review Letters, vol. 98, no. 14, pp. 146401-146404, April 2007
        rf",?\s*vol(?:ume|\.)?\s*{_VOLUME}\s*,\s*(?:(?:no\.?|number|issue|iss\.)\s*{_NUMBER}\s*,\s*)?"
        rf"(?:pp?\.?|pages)\s*{_PAGES}\s*,\s*\(?{_MONTH}{_YEAR}\)?",
    )
]
# These number their volumes in another way than a journal, or are none.
_NO_JOURNAL = re.compile(
    r"proc|conf|workshop|symp|lecture|lect\.|notes|lncs|book|chapter|ed\.|eds|arxiv|thesis|report|submitted|to appear"
    r"|accepted|press|erratum|vol|supp",
    re.IGNORECASE,
)
_LONGEST = 200  # characters
_EARLIER, _LATER = 10, 6  # years around the versions at arXiv


@dataclass(frozen=True, slots=True)
class JournalRef:
    """An article's place in a journal, as plain text; `pages` with one hyphen."""

    journal: str
    volume: str
    pages: str
    year: int
    number: str | None = None


def read_journal_ref(paper: Paper) -> JournalRef | None:
    """The place that the record's `journal_ref` gives; None if it gives none, or not for sure."""
    text = plain(paper.journal_ref).rstrip(". ")
    if not 0 < len(text) <= _LONGEST:
        return None
    for form in _FORMS:
        match = form.fullmatch(text)
        if match is not None:
            return _read(match, paper)
    return None


def _read(match: re.Match[str], paper: Paper) -> JournalRef | None:
    journal, volume, year = match["journal"].strip(" ,"), match["volume"], int(match["year"])
    if _NO_JOURNAL.search(journal) or not paper.published.year - _EARLIER <= year <= paper.updated.year + _LATER:
        return None
    letter = re.match(r"([A-Z])\s?(?=\d)", volume)
    if letter:  # Phys. Rev. has a volume 54 in each of its sections
        journal, volume = f"{journal} {letter[1]}", volume[letter.end() :]
    pages = re.sub(r"\s*[-–]+\s*", "-", match["pages"])
    return JournalRef(journal, volume, pages, year, match["number"])

"""Comparison of titles, and the year and DOI of entries and records.

rapidfuzz says how far two titles are apart, and not whether they differ by a misprint or by the number of a part.
"""

import re
from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches
from functools import lru_cache
from itertools import zip_longest
from typing import Literal

from citeplug.records.draft import BibEntry
from citeplug.records.paper import Paper
from citeplug.text.folding import fold_title
from citeplug.text.identifiers import clean_doi
from citeplug.text.tex_text import decode_tex

Degree = Literal["same", "close", "other"]

_SUBTITLE = re.compile(r"\s*(?::|\s[-–—]+\s|---?|\.\s|\?|—)\s*")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_LEFT_OUT_OF_TITLES = frozenset(
    "a an the of for in on at to from by with and or via using towards toward into is are its as new some".split()
)
_PART = re.compile(r"(?:[ivx]+|\d+|part|revisited|extended|erratum|addendum|corrigendum|reply|comment|version)$")
# What a title adds that tells which form of the paper it is, and not which paper.
_FORM = (
    r"(?:the |an? )?(?:(?:(?:full|extended|expanded|long|short|complete|journal|conference|workshop|preliminary|arxiv|"
    r"updated|revised|final|draft)(?: (?:version|paper|report|abstract|edition|draft))%s)|tech(?:nical|\.)? report|"
    r"working paper|preprint|invited (?:paper|talk)|with (?:an )?appendi(?:x|ces)|poster|demo)"
)
_FORM_BEHIND = re.compile(
    rf"\s*(?:[(\[]\s*{_FORM % '?'}\s*[)\]]|(?:[:,.]|\s[-–—]+|---?|—)\s*{_FORM % ''})[\s.]*$", re.IGNORECASE
)
_FORM_BEFORE = re.compile(rf"^\s*{_FORM % ''}\s*(?::|\s[-–—]+\s|—)\s*(?=\S)", re.IGNORECASE)
_SAYS_FORM = re.compile(_FORM % "?", re.IGNORECASE)
_WRONG_WORD = 0.75  # two spellings of one word share so much of their letters
_CLOSE_TITLE = 0.85
_SUBTITLE_WORDS, _SUBTITLE_LETTERS = 2, 10  # a shorter part of a title may belong to anything
_SHORT_LETTERS = 2  # unless the authors are the same


def compare_titles(entered: str, recorded: str, *, same_authors: bool = False) -> Degree:
    """`same`: equal when folded, or one lacks the other's subtitle; `close`: a few letters or words apart.

    What a title says of the paper's form, such as "(extended version)", does not count. With `same_authors` a main
    title of one word is enough: "Algorand" and "Algorand: A Fast Ledger".
    """
    entered, recorded = _without_form(entered), _without_form(recorded)
    ours, theirs = _squeezed(entered), _squeezed(recorded)
    if not ours or not theirs:
        return "same" if entered.strip() == recorded.strip() else "other"
    if ours == theirs or ours in _main_titles(recorded, same_authors) or theirs in _main_titles(entered, same_authors):
        return "same"
    words = SequenceMatcher(None, fold_title(entered).split(), fold_title(recorded).split(), autojunk=False).ratio()
    letters = SequenceMatcher(None, ours, theirs, autojunk=False)
    if words >= _CLOSE_TITLE or (letters.quick_ratio() >= _CLOSE_TITLE and letters.ratio() >= _CLOSE_TITLE):
        return "close"
    return "other"


def share_of_words(entered: str, recorded: str) -> float:
    """0 to 1: how many of the shorter title's words, those of grammar aside, the other one has too."""
    ours, theirs = (
        {word for word in fold_title(text).split() if word not in _LEFT_OUT_OF_TITLES} for text in (entered, recorded)
    )
    return len(ours & theirs) / min(len(ours), len(theirs)) if ours and theirs else 0.0


def misspelt(entered: str, recorded: str, *, word_by_word: bool) -> bool:
    """True if two close titles are one, mangled, and not those of two papers of the same people.

    Parts, numbers and the like tell two papers apart. With `word_by_word` each word that differs has to have
    its counterpart, spelt alike.
    """
    ours, theirs = fold_title(entered).split(), fold_title(recorded).split()
    for what, a, b, c, d in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if what == "equal":
            continue
        if any(_PART.match(word) for word in (*ours[a:b], *theirs[c:d])):
            return False
        if word_by_word and not all(_alike_words(*pair) for pair in zip_longest(ours[a:b], theirs[c:d], fillvalue="")):
            return False
    return True


def other_part(entered: str, recorded: str) -> bool:
    """True if two titles differ in nothing but the number of a part, or in being a comment, a reply, ..."""
    ours, theirs = (set(fold_title(_without_form(title)).split()) for title in (entered, recorded))
    apart = ours ^ theirs
    return bool(apart) and all(_PART.match(word) for word in apart)


def _alike_words(one: str, other: str) -> bool:
    if not one or not other:
        return (one or other) in _LEFT_OUT_OF_TITLES
    return SequenceMatcher(None, one, other).ratio() >= _WRONG_WORD


@lru_cache(8192)
def _without_form(title: str) -> str:
    """The title without "(Full)", "[extended version]", ": technical report" and the like, if that leaves any."""
    if not _SAYS_FORM.search(title):
        return title
    bare = _FORM_BEFORE.sub("", _FORM_BEHIND.sub("", decode_tex(title, keep_math=True)))
    return bare if fold_title(bare) else title


def core_of_title(title: str) -> str:
    """The letters and digits of a title, folded, without what it says of the paper's form."""
    return _squeezed(_without_form(title))


def title_names(title: str) -> set[str]:
    """Index terms of a title: titles that compare as the same share one of them."""
    bare = _without_form(title)
    return {_squeezed(bare), *_main_titles(bare, same_authors=False)} - {""}


@lru_cache(8192)
def _squeezed(title: str) -> str:
    """Folded, without spaces, and without letters that ASCII cannot show: an entry for BibTeX lost those."""
    folded = fold_title(title).replace(" ", "")
    return "".join(letter for letter in folded if letter.isascii()) or folded


def _main_titles(title: str, same_authors: bool) -> set[str]:
    """The title without its subtitle, where that is long enough to name a paper."""
    words, letters = (1, _SHORT_LETTERS) if same_authors else (_SUBTITLE_WORDS, _SUBTITLE_LETTERS)
    mains = set()
    for match in _SUBTITLE.finditer(title):
        main = title[: match.start()]
        if len(fold_title(main).split()) >= words and len(_squeezed(main)) >= letters:
            mains.add(_squeezed(main))
    return mains


def years_in(text: str | None) -> list[int]:
    """Years from 1900 to 2099 that are words of their own in `text`."""
    return [int(year) for year in _YEAR.findall(text or "")]


def entry_title(entry: BibEntry) -> str:
    """The entry's title, with its subtitle where that is a field of its own."""
    return ": ".join(filter(None, (entry.fields.get(name, "").strip() for name in ("title", "subtitle"))))


def entry_year(entry: BibEntry) -> int | None:
    """The year of an entry's `year` or `date`."""
    return next(iter(years_in(entry.fields.get("year") or entry.fields.get("date"))), None)


def paper_year(paper: Paper, entry: BibEntry | None = None) -> int | None:
    """The year by which a paper is known: that of the author's entry, else of its record; None if neither has one."""
    first = paper.published.year
    return (entry_year(entry) if entry is not None else None) or (first if first > 1 else None)


def entry_doi(entry: BibEntry) -> str | None:
    """The entry's DOI in lower case; arXiv's own DOIs count as none."""
    return clean_doi(entry.doi or entry.fields.get("doi"))


def record_dois(record: Paper) -> list[str]:
    """The DOIs of a record, which may give several (arxiv-api.md, 18), in their order."""
    pieces = re.split(r"[\s,;]+(?=10\.|doi|http)", record.doi or "")
    return list(dict.fromkeys(doi for doi in map(clean_doi, pieces) if doi))


def most_like(word: str, others: Iterable[str], least: float = 0.6) -> str | None:
    """The one of `others` that was probably meant by a mistyped word; `least` is of difflib's ratio, 0 to 1."""
    return next(iter(get_close_matches(word, list(others), 1, least)), None)

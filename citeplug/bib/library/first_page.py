"""The arXiv id, DOI and abstract on the first pages of a paper, as far as they are clear."""

import re

from citeplug.text.cleaning import plain
from citeplug.text.folding import fold
from citeplug.text.identifiers import as_arxiv_id, clean_doi

_LEAST = 150  # characters; less is a heading, or a column cut in two
_MOST = 4_000
_STAMP = re.compile(r"\barXiv:\s*([a-z-]+(?:\.[A-Z]{2})?/\d{7}|\d{4}\.\d{4,5})(?:v\d+)?\b")
_DOI = re.compile(r"(?:doi\.org/|\bdoi\s*[:=]?\s*)(10\.\d{4,9}/\S+)", re.IGNORECASE)
_HEADING = re.compile(r"^[ \t]*(?:abstract|summary)\b[ \t]*[.:—–-]*[ \t]*", re.IGNORECASE | re.MULTILINE)
# What follows an abstract, at the beginning of a line.
_END = re.compile(
    r"^[ \t]*(?:(?:\d+|I)?[ \t]*[.:]?[ \t]*introduction\b|(?:key[ \t-]?words|index terms|ccs concepts|categories and "
    r"subject|acm reference|general terms|jel\b|msc\b|contents\b|1[ \t.]+[A-Z])|(?:19|20)\d\d mathematics subject)",
    re.IGNORECASE | re.MULTILINE,
)
# Signs that TeX's old fonts print beside the letter that they belong to.
_LOOSE_ACCENT = re.compile(r"\s?[\u00a8\u00b4\u0060\u02c6\u02dc\u00af\u02d8\u02c7\u02dd\u00b8\u02da]\s?")
_HYPHEN = re.compile(r"(?<=[a-z])-[ \t]*\n[ \t]*(?=[a-z])")
_LIGATURES = str.maketrans({"ﬁ": "fi", "ﬂ": "fl", "ﬀ": "ff", "ﬃ": "ffi", "ﬄ": "ffl"})


def find_stamp(text: str) -> str | None:
    """The id that arXiv prints into the margin of a first page, without version; only where one alone is named."""
    found = {as_arxiv_id(match[1]) for match in _STAMP.finditer(text)} - {None}
    return found.pop() if len(found) == 1 else None


def find_printed_doi(text: str) -> str | None:
    """The DOI that the first page prints as such; only where one alone is named."""
    found = {doi for match in _DOI.finditer(text) if (doi := clean_doi(match[1]))}
    return found.pop() if len(found) == 1 else None


def find_abstract(text: str) -> str:
    """The paragraph under the heading of the abstract, words joined over line ends; empty if its end is not plain."""
    heading = _HEADING.search(text)
    if heading is None:
        return ""
    rest = text[heading.end() : heading.end() + 2 * _MOST]
    end = _END.search(rest)
    if end is None:
        return ""
    abstract = tidy(rest[: end.start()])
    return abstract if _LEAST <= len(abstract) <= _MOST else ""


def tidy(text: str) -> str:
    """Text of a page as one line: words joined over line ends, ligatures as letters."""
    return plain(_HYPHEN.sub("", text.translate(_LIGATURES)))


def words_of_page(text: str) -> str:
    """Lower-case ASCII words with one space between, to look for titles and names in."""
    bare = _LOOSE_ACCENT.sub("", tidy(text)).replace("\u0131", "i")
    return " ".join(re.findall(r"[^\W_]+", fold(bare.lower())))

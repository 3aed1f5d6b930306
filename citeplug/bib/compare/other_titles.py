"""Titles that arXiv's comment says a paper has, or had, beside the record's own."""

import re
from collections.abc import Iterator
from itertools import islice

from citeplug.text.folding import fold_title

_LONGEST = 2_000  # characters of a comment that are read
_NAMED = r"(?:titled?|entitled|called|known\s+as|named|under|as)"
# How authors introduce it. A companion, a sequel or an earlier "paper" is another one: a "version" is not.
_CUES = tuple(
    re.compile(rf"\b{cue}", re.IGNORECASE)
    for cue in (
        r"(?:formerly|previous(?:ly)?|original(?:ly)?|initial(?:ly)?|earlier|old(?:er)?|former|first|prior|preliminary|v\d+)"
        r"\s+(?:(?:arxiv\s+)?(?:version|draft|preprint|manuscript)s?\s+)?(?:(?:of\s+this\s+(?:paper|work)|v?\d+|was|were|"
        rf"had|appeared|published|posted|circulated|the)\s+){{0,4}}{_NAMED}\b",
        r"(?:published|publishes|appear(?:ed|s|ing)?|accepted|printed|presented|posted|circulated|submitted)\s+"
        r"(?:as|under|with)\b",
        r"under\s+(?:(?:the|an?|another|different|new|old|slightly)\s+){0,3}(?:title|name)\b",
        r"(?:title\s+(?:was\s+|has\s+been\s+)?changed|changed\s+(?:the\s+)?title|retitled|renamed)\s+from\b",
        r"(?:published|journal|final|new)\s+(?:version\s+)?(?:has\s+the\s+|is\s+)?(?:title|(?:en)?titled)\b",
        r"(?:full|extended|expanded|long(?:er)?|journal|complete|short(?:er)?)\s+version\s+of\s+(?=[^\"'“‘`]{0,60}[\"'“‘`])"
        r"[^\"'“‘`]{0,60}",
    )
)
# What is between; an article only before one of these words, since a title may begin with one.
_WORDS = r"(?:different|another|new|slightly|name|titled?|entitled)"
_FILLERS = re.compile(
    rf"(?:[\s:,]*\b(?:was|is|as|under|with|of|this\s+paper|(?:the|an?)\s+(?={_WORDS}\b)|{_WORDS})\b)*[\s:,\"'“”‘`]*",
    re.IGNORECASE,
)
_END = re.compile(r"[\"”]|['’]{2}|['’](?=\W|$)|[.;,](?=\s|$)|\s(?=(?:in|to|at|by)\s)|\s*\(")
_LONGEST_TITLE = 300
_MOST_ENDS, _MOST = 12, 60


def other_titles(comment: str | None) -> list[str]:
    """Possible titles in a comment: after words that introduce one, up to each place where a title may end."""
    titles: list[str] = []
    for whole in _introduced((comment or "")[:_LONGEST]):
        titles += [whole, *(whole[: end.start()] for end in islice(_END.finditer(whole), _MOST_ENDS))]
    return [title for title in dict.fromkeys(titles[:_MOST]) if len(fold_title(title)) > 5]


def _introduced(comment: str) -> Iterator[str]:
    for cue in _CUES:
        for match in cue.finditer(comment):
            filler = _FILLERS.match(comment, match.end())
            start = filler.end() if filler else match.end()
            yield comment[start : start + _LONGEST_TITLE]

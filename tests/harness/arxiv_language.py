"""arXiv's query language as its server reads it; for the test server."""

import re
from collections.abc import Callable
from datetime import date

from citeplug.records.paper import Paper


class BadQuery(Exception):
    """The server would answer 400."""


Matcher = Callable[[Paper], int]
_TOKEN = re.compile(
    r'\s*(?:(\()|(\))|submittedDate:\[(\d{8,14})\s+TO\s+(\d{8,14})\]|(?:([A-Za-z]+):)?(?:"([^"]*)"|([^\s()"]+)))'
)


class QueryReader:
    """arXiv's query language: how many of a query's terms a paper has, 0 if it does not match."""

    def __init__(self, query: str) -> None:
        if "\\" in query or "^" in query or not query.isascii():
            raise BadQuery
        self._tokens: list[re.Match[str]] = []
        at = 0
        while at < len(query.rstrip()):
            found = _TOKEN.match(query, at)
            if found is None:
                raise BadQuery
            self._tokens.append(found)
            if re.search("[()]", found[6] or ""):  # it counts parentheses without a look at quotes
                raise BadQuery
            at = found.end()
        self._next = 0

    def read(self) -> Matcher:
        matcher = self._expression()
        if self._next < len(self._tokens):
            raise BadQuery
        return matcher

    def _expression(self) -> Matcher:
        """Right-associative, without precedence; no operator between two terms is OR."""
        left = self._term()
        if self._next >= len(self._tokens) or self._tokens[self._next][2]:
            return left
        operator = self._tokens[self._next][7]
        if operator in ("AND", "OR", "ANDNOT"):
            self._next += 1
        else:
            operator = "OR"
        right = self._expression()
        if operator == "AND":
            return lambda p: left(p) + right(p) if left(p) and right(p) else 0
        if operator == "ANDNOT":
            return lambda p: 0 if right(p) else left(p)
        return lambda p: left(p) + right(p)

    def _term(self) -> Matcher:
        if self._next >= len(self._tokens):
            raise BadQuery
        token = self._tokens[self._next]
        self._next += 1
        if token[1]:
            inner = self._expression()
            if self._next >= len(self._tokens) or not self._tokens[self._next][2]:
                raise BadQuery
            self._next += 1
            return inner
        if token[2] or token[7] in ("AND", "OR", "ANDNOT"):
            raise BadQuery
        if token[3]:
            first, last = _day(token[3]), _day(token[4])
            return lambda p: int(first <= p.published <= last)
        return _field_matcher(token[5] or "all", token[6] if token[6] is not None else token[7])


def _day(stamp: str) -> date:
    try:
        return date(int(stamp[:4]), int(stamp[4:6]), int(stamp[6:8]))
    except ValueError:
        raise BadQuery from None


def _field_matcher(name: str, wanted: str) -> Matcher:
    fields: dict[str, Callable[[Paper], str]] = {
        "ti": lambda p: p.title,
        "abs": lambda p: p.abstract,
        "au": lambda p: " ; ".join(p.authors),
        "co": lambda p: p.comment or "",
        "jr": lambda p: p.journal_ref or "",
        "cat": lambda p: " ; ".join(p.categories),
        "id": lambda p: p.id.value,
        "rn": lambda p: "",
        "all": lambda p: " ; ".join((p.title, p.abstract, *p.authors, p.comment or "", *p.categories)),
    }
    if name == "doi":  # a keyword: compared whole, letter by letter
        return lambda p: int(p.doi == wanted)
    if name not in fields:
        raise BadQuery
    words = re.findall(r"\w+", wanted.lower())
    pattern = re.compile(r"(?<!\w)" + r"\W+".join(map(re.escape, words)) + r"(?!\w)")
    return lambda p: int(bool(words) and pattern.search(fields[name](p).lower()) is not None)

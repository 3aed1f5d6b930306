"""Set in quotation marks what is taken over word for word."""

import re

from citeplug.text.cited_text import WORD, copied_runs
from citeplug.text.inflection import base_of_third
from citeplug.text.lexicon import AUXILIARIES, PREPOSITIONS, VERBS

_LONGEST = 20
_SHORTEST = 6
_NOT_FIRST = (
    PREPOSITIONS | AUXILIARIES | VERBS | {"than", "both", "not", "also", "then", "but", "if", "be", "been", "once"}
)
_NOT_LAST = (
    PREPOSITIONS
    | AUXILIARIES
    | {"a", "an", "the", "their", "its", "than", "not", "also", "be", "being", "instead", "one", "only"}
)
# A quotation begins behind one of these, a verb of the authors or the citation, and ends before one or at a stop.
_BEFORE_FIRST = (PREPOSITIONS - {"at", "as", "to"}) | {"is", "are", "was", "were", "that", "how", "whether"}
_AFTER_LAST = PREPOSITIONS | {"is", "are", "has", "have", "can"}


def quote(text: str, source: str, verb: str = "", n: int = 8) -> str | None:
    """`text` with quotation marks around what it takes over from `source`; unchanged if it has no run of `n` words.

    A quotation is a phrase of the sentence, so fewer than `n` words of the run may stay outside the marks. None
    if there are several runs, if one is too long to be quoted, or if none of it makes a quotation. `verb` is the
    authors' verb as it stands in the text.
    """
    runs = copied_runs(text, source, n)
    if not runs:
        return text
    if len(runs) > 1 or "“" in text:
        return None
    start, end = runs[0]
    tokens = list(re.finditer(r"\{\{[^}]*\}\}|(?:\$[^$]*\$|[^\s$])+", text))
    inside = [i for i, token in enumerate(tokens) if token.start() >= start and token.end() <= end + 1]
    if not inside:
        return None
    for first in inside:
        before = tokens[first - 1].group() if first else ""
        if _is_no_start(tokens[first].group()) or not _opens(before, verb):
            continue
        for last in reversed(inside):
            after = tokens[last + 1].group() if last + 1 < len(tokens) else ""
            token = tokens[last].group()
            if _bare(token).endswith("ed") and after and not token.endswith((",", ";", ":")):
                continue
            if (
                last < first
                or _bare(token) in _NOT_LAST
                or not (token.endswith((",", ";", ":")) or after == "" or _bare(after) in _AFTER_LAST)
            ):
                continue
            quoted = text[tokens[first].start() : tokens[last].end()].rstrip(",;:")
            left = (
                len(WORD.findall(text[start : tokens[first].start()])),
                len(WORD.findall(text[tokens[last].end() : end])),
            )
            if _SHORTEST <= len(WORD.findall(quoted)) <= _LONGEST and max(left) < n and quoted in source:
                begin = tokens[first].start()
                return f"{text[:begin]}“{quoted}”{text[begin + len(quoted) :]}"
    return None


def _opens(before: str, verb: str) -> bool:
    return (
        before == ""
        or before.endswith((",", "}}"))
        or _bare(before) in _BEFORE_FIRST
        or _bare(before) == verb.split(" ")[-1]
    )


def _is_no_start(token: str) -> bool:
    word = _bare(token)
    return word in _NOT_FIRST or base_of_third(word) in VERBS or word.endswith(("ed", "ly"))


def _bare(token: str) -> str:
    return token.strip(",;:“”\"'").lower()

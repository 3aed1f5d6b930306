"""The sentence around each citation: what the draft cites a paper for."""

import re
from bisect import bisect_right
from collections import Counter
from dataclasses import replace

from citeplug.records.draft import Cite
from citeplug.tex.parse import Facts
from citeplug.tex.plain import plain
from citeplug.text.sentences import split_sentences

_BEFORE, _AFTER = 400, 250  # code points of the source that a sentence is looked for in
_LONGEST = 300  # characters of a context
_MOST = 2  # contexts of one key
_MARK, _SHOWN = "citedhere", "[*]"


def in_context(facts: Facts) -> tuple[Cite, ...]:
    """The citations, those that cite a key for the first or second time with their contexts."""
    headings = sorted(facts.headings, key=lambda heading: heading.start)
    starts = [heading.start for heading in headings]
    times: Counter[str] = Counter()
    found = []
    for cite, (start, end) in zip(facts.cites, facts.places, strict=True):
        if any(times[key] < _MOST for key in cite.keys):
            times.update(cite.keys)
            row = bisect_right(starts, start) - 1
            title = plain(facts.string[headings[row].inner : headings[row].end - 1]) if row >= 0 else ""
            said = _sentence(facts.string, start, end, headings[row].end if row >= 0 else 0)
            cite = replace(cite, context=f"{' '.join(title.split())}: {said}" if title else said)
        found.append(cite)
    return tuple(found)


def _sentence(string: str, start: int, end: int, first: int) -> str:
    """The sentence around a citation, plain; nothing before `first` is a part of it."""
    before = string[max(first, start - _BEFORE) : start]
    after = string[end : end + _AFTER]
    # Whole words of the same paragraph.
    if start - _BEFORE > first:
        before = before.partition(" ")[2]
    if len(after) == _AFTER:
        after = after.rpartition(" ")[0]
    before, after = before.rpartition("\n\n")[2], after.partition("\n\n")[0]
    text = " ".join(plain(f"{before} {_MARK} {after}").split())
    sentence = next((text[a:b] for a, b in split_sentences(text) if _MARK in text[a:b]), "")
    at = sentence.find(_MARK)
    if at > 2 * _LONGEST // 3:
        sentence = sentence[at - 2 * _LONGEST // 3 :].partition(" ")[2]
    return re.sub(rf" {_MARK} (?=[.,;:)])", f" {_SHOWN}", sentence[:_LONGEST]).replace(_MARK, _SHOWN)

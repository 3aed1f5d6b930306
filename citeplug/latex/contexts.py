"""The sentence around each citation: what the draft cites a paper for."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from citeplug.latex.parse import Facts, Heading
from citeplug.latex.plain import plain
from citeplug.records.draft import Cite
from citeplug.records.passage import Mention
from citeplug.text.sentences import split_sentences

_BEFORE, _AFTER = 500, 400  # code points of the source that a sentence is looked for in
_LONGEST, _LONGEST_MENTION = 450, 300  # characters of a sentence of the draft, and of one that is stored
_MOST = 2  # contexts of one key
_MOST_MENTIONS = 5_000  # of one paper; a long survey has 2,000
_MARK, _SHOWN = "citedhere", "[*]"
# Without a sign of the others a sentence loses its subjects: "have defined the hardness, and [*] have conjectured".
_OTHER, _OTHER_CITATION = "[...]", re.compile(r"[\s~]*\\[a-zA-Z]*cite[a-zA-Z]*\*?(?:\s*\[[^\]]*\])*\s*\{[^{}]*\}")


def in_context(facts: Facts) -> tuple[Cite, ...]:
    """The citations, those that cite a key for the first or second time with their contexts."""
    headings = sorted(facts.headings, key=lambda heading: heading.start)
    starts = [heading.start for heading in headings]
    times: Counter[str] = Counter()
    contexts = []
    for cite, (start, end) in zip(facts.cites, facts.places, strict=True):
        if any(times[key] < _MOST for key in cite.keys):
            times.update(cite.keys)
            title, sentence = _around(facts, headings, starts, start, end, _LONGEST)
            cite = replace(cite, context=f"{title}: {sentence}" if title else sentence)
        contexts.append(cite)
    return tuple(contexts)


def mentions_in(facts: Facts) -> tuple[Mention, ...]:
    """Every citation in its sentence and section; at most `_MOST_MENTIONS`."""
    headings = sorted(facts.headings, key=lambda heading: heading.start)
    starts = [heading.start for heading in headings]
    mentions = []
    for cite, (start, end) in islice(zip(facts.cites, facts.places, strict=True), _MOST_MENTIONS):
        if cite.keys and not cite.command.startswith("nocite"):
            title, sentence = _around(facts, headings, starts, start, end, _LONGEST_MENTION)
            mentions.append(Mention(cite.keys, title, sentence))
    return tuple(mentions)


def _around(
    facts: Facts, headings: Sequence[Heading], starts: Sequence[int], start: int, end: int, longest: int
) -> tuple[str, str]:
    """The title of the section that a citation is in, and the sentence around it."""
    row = bisect_right(starts, start) - 1
    title = plain(facts.string[headings[row].inner : headings[row].end - 1]) if row >= 0 else ""
    return " ".join(title.split()), _sentence(facts.string, start, end, headings[row].end if row >= 0 else 0, longest)


def _sentence(string: str, start: int, end: int, first: int, longest: int) -> str:
    """The sentence around a citation, plain; nothing before `first` is a part of it."""
    before = string[max(first, start - _BEFORE) : start]
    after = string[end : end + _AFTER]
    # Whole words of the same paragraph.
    if start - _BEFORE > first:
        before = before.partition(" ")[2]
    if len(after) == _AFTER:
        after = after.rpartition(" ")[0]
    before, after = before.rpartition("\n\n")[2], after.partition("\n\n")[0]
    before, after = (_OTHER_CITATION.sub(f" {_OTHER}", text) for text in (before, after))
    text = " ".join(plain(f"{before} {_MARK} {after}").split())
    sentence = next((text[a:b] for a, b in split_sentences(text) if _MARK in text[a:b]), "")
    at = sentence.find(_MARK)
    if at > 2 * longest // 3:
        sentence = sentence[at - 2 * longest // 3 :].partition(" ")[2]
    if len(sentence) > longest:
        sentence = f"{sentence[:longest].rpartition(' ')[0]} ..."
    return re.sub(rf" {_MARK} (?=[.,;:)])", f" {_SHOWN}", sentence).replace(_MARK, _SHOWN)

"""How close a recorded sentence is to its sources, in the three steps by which an author decides what to do with it.

The score of `attribution` counts every word, so that a faithful sentence pays for its lead-in and a copied one gets all.
Here the lead-in, the verb that follows an author, names and titles need no source, and copying is named as such.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from citeplug.records.paper import Paper
from citeplug.related.section.accept import Recorded
from citeplug.text.cited_text import MARKER, WORD, copied_runs, words
from citeplug.text.stems import content_stems, stem
from citeplug.text.stop_words import STOPWORDS

Support = Literal["verbatim", "close", "weak"]
CLOSE = 2 / 3  # of the content words
_RUN = 4  # words in a row
_JOINED = 3  # words in a row that are marked with the function words at their ends
_LEAD_IN = re.compile(r"^(?:In|On|For) [^,.;]{1,100}, (?=\{\{author:)|(?<=\}\}) \w+")


def support_of(sentence: Recorded, papers: Sequence[Paper]) -> Support | None:
    """Return how close a sentence is to its sources; None for one that only opens a paragraph or lists works.

    `papers` are the cited ones. "verbatim": what the sentence says stands in a source, word for word. "weak": a third
    of the words is in no source, or a model or a check doubts the sentence.
    """
    if sentence.attribution is None:
        return None
    text = _LEAD_IN.sub(" ", sentence.words)
    quotes = [source.quote for source in sentence.sources]
    named = content_stems(*(text for paper in papers for text in (paper.title, *paper.authors)))
    runs = [run for quote in quotes for run in copied_runs(text, quote, _RUN)]
    outside = text
    for start, end in runs:
        outside = outside[:start] + " " * (end - start) + outside[end:]
    doubted = bool(sentence.doubt)
    if runs and not doubted and content_stems(outside) <= named:
        return "verbatim"
    content = [stem(word) for word in words(text) if word not in STOPWORDS]
    sourced = content_stems(*quotes) | named
    share = sum(word in sourced for word in content) / len(content) if content else 1.0
    return "weak" if doubted or share < CLOSE else "close"


def matching(text: str, others: Iterable[str]) -> list[tuple[str, bool]]:
    """Return a text in stretches, with True for those whose content words, by their stems, `others` have, too.

    Function words between two such words belong to the stretch, and all of three or more words that stand there in a
    row. A single word is a stretch only where there is no longer one.
    """
    others = list(others)
    shared = content_stems(*others)
    spans: list[tuple[int, int, int]] = []  # with the number of content words
    joins = False
    for match in WORD.finditer(MARKER.sub(lambda marker: " " * len(marker[0]), text)):
        word = match[0].lower()
        if word in STOPWORDS:
            continue
        if stem(word) not in shared:
            joins = False
            continue
        start, count = (spans.pop()[::2]) if joins else (match.start(), 0)
        spans.append((start, match.end(), count + 1))
        joins = True
    longer = [(start, stop) for start, stop, count in spans if count > 1]
    longer = longer or [(start, stop) for start, stop, _ in spans]
    runs = [run for other in others for run in copied_runs(text, other, _JOINED)]
    whole = [run for run in runs if any(run[0] < stop and start < run[1] for start, stop in longer)]
    stretches, end = [], 0
    for start, stop in _united([*longer, *whole]):
        stretches += [(text[end:start], False), (text[start:stop], True)]
        end = stop
    return [stretch for stretch in [*stretches, (text[end:], False)] if stretch[0]]


def _united(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    united: list[tuple[int, int]] = []
    for start, stop in sorted(spans):
        if united and start <= united[-1][1]:
            united[-1] = united[-1][0], max(stop, united[-1][1])
        else:
            united.append((start, stop))
    return united

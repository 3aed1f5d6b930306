"""Text of a section with citation markers, `{{cite:ID}}` and `{{author:ID}}`: its words, and its length."""

import re
from collections.abc import Sequence

from citeplug.records.section import Sentence

MARKER = re.compile(r"\{\{(?:cite|author):[^{}]*\}\}")
WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def words(text: str) -> list[str]:
    """The words of a text in lower case; citation markers do not count, a hyphenated compound is several."""
    return [match.group().lower() for match in WORD.finditer(MARKER.sub(" ", text))]


def bare(text: str) -> str:
    """A sentence without its citations."""
    return re.sub(r"\s+([.,;])", r"\1", " ".join(MARKER.sub(" ", text).split()))


def length(sentences: Sequence[Sentence]) -> int:
    """Words as they are counted on paper, citations left out."""
    return sum(len([word for word in bare(s.text).split() if re.search(r"\w", word)]) for s in sentences)

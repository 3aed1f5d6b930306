"""Comparison of a sentence with its sources by rules, without a model.

Numbers with their units and names are compared in code and refused where no source has them; the rest of what words
can give away is a suspicion, for the judge.
"""

import re
from collections.abc import Iterator, Sequence

from citeplug.related.attribute.claims.evidence import Doubt
from citeplug.related.attribute.claims.names import unknown_names
from citeplug.related.attribute.claims.numbers import unknown_digits, unknown_numbers
from citeplug.related.attribute.claims.suspicions import suspicions
from citeplug.text.tex_text import decode_tex

__all__ = ["Doubt", "suspicions", "unsourced"]

_AI = re.compile(r"\bAI\b|\bartificial intelligence\b", re.IGNORECASE)


def unsourced(
    text: str, sources: Sequence[str], own: str = "", language: str = "English", papers: int = 1
) -> Iterator[Doubt]:
    """Hard doubts: numbers that none of `sources` has, and names that neither they nor the author's `own` text has.

    `text` is a sentence in `language` without its citations, the sources are in English (or in the draft's language
    where they are the draft's); `papers` is how many papers the sentence cites.
    """
    given = [decode_tex(source) for source in sources]
    if language == "English":
        yield from unknown_numbers(text, given, papers)
        yield from unknown_names(text, [*given, own])
        return
    yield from unknown_digits(text, given)
    translated = "KI IA" if any(_AI.search(source) for source in given) else ""
    yield from unknown_names(text, [*given, own, translated], capitals=False)

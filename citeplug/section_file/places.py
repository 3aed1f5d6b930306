"""Places of generated sentences in the section's file, whatever its layout."""

import re
from collections.abc import Sequence

from citeplug.section_file.grammar import RelatedBlock


def places_of(text: str, sentences: Sequence[tuple[RelatedBlock, str]]) -> list[tuple[int, int] | None]:
    """The code points, half-open, of each sentence (its block, its LaTeX), in their order; None for one not there.

    Of equal sentences each has a place of its own, as far as there are as many.
    """
    found: list[tuple[int, int] | None] = []
    after: dict[str, int] = {}
    for block, tex in sentences:
        words = " ".join(line for line in tex.splitlines() if not line.lstrip().startswith("%")).split()
        pattern = re.compile(r"\s+".join(map(re.escape, words)))
        start = after.get(block.id, block.start)
        match = (
            (pattern.search(text, start, block.end) or pattern.search(text, block.start, block.end)) if words else None
        )
        if match is not None and words:
            after[block.id] = match.end()
        found.append(match.span() if match is not None and words else None)
    return found

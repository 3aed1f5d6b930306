"""Read the text of a `.bib` file again, as BibTeX would."""

from pathlib import Path

from citeplug.bibliography.blocks import entries_of
from citeplug.bibliography.syntax import read_blocks
from citeplug.records.draft import BibEntry

# BibTeX stops at a comma too many or too few, and yet what was meant is plain.
_PLAIN = frozenset({"extra_comma", "missing_comma"})


def parse_bib(text: str, file: Path = Path("related.bib")) -> list[BibEntry]:
    """The entries of `text` in order, also those whose key occurs twice; those that cannot be read are passed over.

    Spans are code points of the whole entry, from its `@` to its closing delimiter.
    """
    readable = [block for block in read_blocks(text) if {stumble.code for stumble in block.stumbles} <= _PLAIN]
    return [entry for entry in entries_of(text, readable, file) if entry.key]

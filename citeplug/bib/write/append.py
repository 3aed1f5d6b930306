"""New entries behind the last one of a .bib file, in its own layout."""

import re
from collections.abc import Sequence

from citeplug.bib.write.layout import Layout, layout_of_file, newline_of
from citeplug.bibtex.places import locate_entry
from citeplug.records.draft import BibEntry

_ENDS_BLANK = re.compile(r"(?:\A|\n)[ \t]*\n[ \t]*\Z")
_HEAD = re.compile(r"@\s*[A-Za-z]+\s*[{(]")
_BRACES = re.compile(r"[{}]")
_MOST_READ = 200  # entries; the layout of a long file shows in its last ones


def usual_layout(text: str, entries: Sequence[BibEntry]) -> Layout:
    """The layout of the file's entries; that of new files where there is none to see."""
    places = [locate_entry(text, (entry.span.start, entry.span.end)) for entry in entries[-_MOST_READ:]]
    return layout_of_file(text, [place for place in places if place is not None])


def ends_within_a_block(text: str) -> bool:
    """True if the last entry, macro or comment of the file is not closed: what follows would be a part of it."""
    heads = list(_HEAD.finditer(text))
    if not heads:
        return False
    depth = 0
    for match in _BRACES.finditer(text, heads[-1].end() - 1):
        depth += 1 if match[0] == "{" else -1
        if depth <= 0:
            return False
    return depth > 0


def append_entries(text: str, entries: Sequence[str]) -> str:
    """`text` with the entries behind it: a blank line between, a line end at the end only if there was one."""
    newline = newline_of(text)
    ends = text.endswith(("\n", "\r")) or not text
    tail = text[-200:].replace("\r\n", "\n").replace("\r", "\n")
    between = newline if ends else newline * 2
    gap = "" if not text or _ENDS_BLANK.search(tail) else between
    return text + gap + (newline * 2).join(entries) + (newline if ends else "")

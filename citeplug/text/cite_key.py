"""Keys of entries that a citation command can name; BibTeX takes many more.

Tried with pdfLaTeX, BibTeX and Biber: `tests/typeset/test_keys.py`.
"""

import re

# White space and commas part keys; the rest acts in a document, or leaves it as something else than in the .bib.
_ACTS = re.compile(r"[\s,{}\\%#~\x00-\x1f\x7f-\x9f\ud800-\udfff]|\^\^")
# Biber does not read an entry whose key has one of these.
_BIBER = re.compile(r"[\"'()=]")


def unfit_for_cite(key: str, *, biber: bool = False) -> str | None:
    """The reason why LaTeX cannot cite an entry by this key, as a message to its author; None if it can."""
    if not key:
        return "it is empty"
    if key == "*":
        return "it stands for all entries"
    found = _ACTS.search(key) or (_BIBER.search(key) if biber else None)
    if found is None:
        return None
    return f"it has “{found[0]}”" if found[0].isprintable() else f"it has the character U+{ord(found[0]):04X}"

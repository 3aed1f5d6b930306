"""Cleaning of text that others wrote, before it becomes part of a record."""

import re

# Escape sequences of terminals, whole: CSI, OSC and the like with their text, then any other pair.
_ESCAPES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"
    r"|\x1b[ -/]*[0-~]"
)
# Controls, and the marks that make text run the other way and so show what is not there.
_CONTROLS = re.compile(
    r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]"
)


def collapsed(text: str) -> str:
    """Text with each stretch of white space as one space, and none at its ends."""
    return " ".join(text.split())


def encodable(text: str) -> str:
    """Text with "?" for each half of a surrogate pair, which no file, index or service takes."""
    return text.encode("utf-8", "replace").decode("utf-8")


def plain(text: str | None) -> str:
    """One line of plain text: white space collapsed, no control characters, no terminal escapes.

    LaTeX, Unicode and everything else that can be read stays. None gives "".
    """
    if not text:
        return ""
    return collapsed(_CONTROLS.sub("", _ESCAPES.sub("", text)))

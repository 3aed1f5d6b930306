"""Single characters: accents put on their letters, and the commands that stand for one."""

import re
import unicodedata

from citeplug.latex.vocabulary import LAYOUT
from citeplug.text.tex_letters import ACCENTS, meaning

_AFTER_A_WORD = re.compile(r"\s*(?:\{\s*\\?([A-Za-z])\s*\}|\s([A-Za-z])|(?<=[^A-Za-z])([A-Za-z]))")
_AFTER_A_SIGN = re.compile(r"\s*(?:\{\s*(\\[A-Za-z]+|[^\W\d_])?\s*\}|(\\[ij](?![A-Za-z]))\s*|([^\W\d_]))")


def accented(text: str, position: int, accent: str) -> tuple[str, int] | None:
    """The letter at `position` with the accent of `\\accent`, and where it ends; None if there is no letter."""
    pattern = _AFTER_A_WORD if accent.isalpha() else _AFTER_A_SIGN
    match = pattern.match(text, position)
    if match is None:
        return None
    base = match[1] or match[2] or match[3] or ""
    base = {"\\i": "i", "\\j": "j"}.get(base, base)
    if base.startswith("\\"):
        base = meaning(base[1:]) or ""
    return unicodedata.normalize("NFC", base + ACCENTS[accent]) if base else "", match.end()


def symbol(name: str) -> str | None:
    """The characters that the command `\\name` without arguments stands for; None if it stands for none."""
    return LAYOUT.get(name) or meaning(name)

"""Single characters: accents on their letters, commands that stand for one, and marks for what was dropped from a text.

The marks stay until all of the text is there and tells what space is left.
"""

import re
import unicodedata

from citeplug.latex.vocabulary import LAYOUT
from citeplug.text.tex_text import ACCENTS, meaning

_AFTER_A_WORD = re.compile(r"\s*(?:\{\s*\\?([A-Za-z])\s*\}|\s([A-Za-z])|(?<=[^A-Za-z])([A-Za-z]))")
_AFTER_A_SIGN = re.compile(r"\s*(?:\{\s*(\\[A-Za-z]+|[^\W\d_])?\s*\}|(\\[ij](?![A-Za-z]))\s*|([^\W\d_]))")
GONE, XSPACE = "\x00", "\x01"
# Repetitions are bounded, so that long runs of what was dropped take linear time.
_CLOSING = (
    (re.compile(r"\x00(?:[ \t]?\x00)+"), GONE),
    # "(see \cite{a})" leaves nothing to say in brackets.
    (re.compile(r" ?[(\[](?:see|see also|cf\.?|e\.g\.,?|i\.e\.,?|and|[\s,;:\x00]){0,8}\x00[\s,;.\x00]{0,40}[)\]]"), ""),
    (re.compile(r" ?\x00[\x00 ,]{0,40}(?=[.,;:!?)\]])"), ""),
    (re.compile(r"\x00"), ""),
    (re.compile(r"\x01(?=[^\s.,;:!?/)\-'’”\]}~–—])"), " "),
    (re.compile(r"\x01"), ""),
)


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


def close_gaps(text: str) -> str:
    """`text` without its marks: no space before a full stop, no brackets around nothing."""
    for pattern, replacement in _CLOSING:
        text = pattern.sub(replacement, text)
    return text

"""Marks for what was dropped from a text, until all of it is there and tells what space is left."""

import re

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


def close_gaps(text: str) -> str:
    """`text` without its marks: no space before a full stop, no brackets around nothing."""
    for pattern, replacement in _CLOSING:
        text = pattern.sub(replacement, text)
    return text

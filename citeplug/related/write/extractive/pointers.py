"""Words of a sentence that mean nothing without the text around it."""

import re

PAPER_NOUN = (
    r"(?:paper|work|article|letter|note|study|report|thesis|survey|chapter|manuscript|contribution|review|research|"
    r"project|book|document|dissertation|communication|investigation|talk|tutorial|essay|monograph|technical report)"
)
_POINTER = re.compile(
    r"\bth(?:is|ese)\b|\bthose(?! (?:(?:[\w-]+ )?(?:that|who|which|whose)|of|for|in|with|from|obtained|used)\b)|"
    r"\bsuch(?! (?:as|that)\b)|\baforementioned\b|\b(?:by|for|from|in|of|on|to|with) that (?!of\b|which\b|is\b)[a-z]",
    re.IGNORECASE,
)


def leans_outside(text: str) -> bool:
    """True if `text` says "this", "these", "those" or "such" of something that it does not name.

    Other definite words were tried, "the problem", "it", "both": of the sentences that they refused two thirds could be
    read by themselves.
    """
    return _POINTER.search(text) is not None

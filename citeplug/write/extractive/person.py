"""Turn what authors say of themselves into what is said of them, and notice words that point out of the sentence."""

import re

from citeplug.text.plaintext import HOLE

PAPER_NOUN = (
    r"(?:paper|work|article|letter|note|study|report|thesis|survey|chapter|manuscript|contribution|review|research|"
    r"project|book|document|dissertation|communication|investigation|talk|tutorial|essay|monograph|technical report)"
)
_IN_THIS_PAPER = re.compile(
    rf",?\s*\b(?:[Ii]n|[Tt]hroughout|[Ww]ithin) (?:this|the present|our|the current) (?:\w+ )?{PAPER_NOUN}\b,?"
)
_CALLED = re.compile(
    r",?\s*\b(?:which|that|what) (?:we|I) (?:call|term|name|dub|refer to as|denote as|have called)\b(?: as)?"
)
_ALLOWS_US = re.compile(r"\b(allow|enable|permit|help|lead|force|motivate)(s|ed|ing)? us to\b")
_ANY_FIRST = re.compile(r"\b(?:[Ww]e|[Oo]urs?|[Uu]s|[Oo]urselves|I|[Mm]y|[Mm]e|[Mm]ine|[Ll]et's)\b(?!-)")
_OWN_PAPER = re.compile(rf"\b(?:[Tt]his|[Tt]hese|[Tt]he present|[Tt]he current) (?:\w+ )?{PAPER_NOUN}s?\b")

# "Their" speaks of others, not of the authors, and of what the text does not name unless a plural stands before it.
_OTHERS = re.compile(r"\b(?:[Tt]heirs?|[Tt]hey|[Tt]hem(?:selves)?)\b")
_SEVERAL = re.compile(r"\b[\w-]{2,}(?<![sui])s\b|\b(?:and|people|data|two|both|which|that|each other)\b|\$")
_POINTING = re.compile(r"\b(?:it|its|itself|(?:there|both|one)(?= ?[,.]|$))\b", re.IGNORECASE)
_ALWAYS_POINTING = re.compile(
    r"\b(?:[Tt]his|[Tt]hese|[Tt]hose(?! (?:that|who|which|of|for|in|with)\b)|[Ss]uch(?! (?:as|that)\b)|latter|former|"
    r"(?:described|mentioned|discussed|presented|given|defined|introduced|listed) (?:above|earlier|before|previously|there)|"
    r"previously (?:described|mentioned|defined|introduced)|aforementioned|afore-mentioned|above-mentioned|mentioned above|the above|as above|above-|below|"
    r"[Ss]ection \d|[Ff]ig(?:ure|\.)? ?\d|[Tt]able \d|[Pp]art I+|the following|as follows|previous section|"
    r"(?:companion|earlier|previous) paper|appendix|herein|hereafter|the rest|"
    r"the other (?:one|two|hand)|the (?:first|second) one|that end|(?:doing|do) so|the answer)\b"
)


def third_person_text(text: str) -> str:
    """`text` with "we" and "our" turned to "they" and "their", a `HOLE` where that cannot be done.

    "In this paper" goes; "which we call" becomes "called". What speaks of the paper in another way, or in
    the singular ("my"), is a hole.
    """
    text = _IN_THIS_PAPER.sub("", text)
    text = _OTHERS.sub(lambda m: m.group() if _SEVERAL.search(text, 0, m.start()) else HOLE, text)
    text = _CALLED.sub(" called", text)
    text = _ALLOWS_US.sub(_without_us, text)
    text = _OWN_PAPER.sub(HOLE, text)
    text = re.sub(r"\bour(s?)\b", r"their\1", text)
    text = re.sub(r"\bthe (?:newly )?proposed (?!by\b)(?=[a-z])", "their ", text)
    text = re.sub(r"\bwe\b(?= (?:also |then |further |first )?[a-z])", "they", text)
    text = re.sub(r"\bhere\b(?=$|,)", "", text)
    return " ".join(_ANY_FIRST.sub(HOLE, text).split())


def has_first_person(text: str) -> bool:
    """Whether the text still speaks as its authors would."""
    return bool(_ANY_FIRST.search(text) or _OWN_PAPER.search(text))


def points_outside(text: str, before: int = 5) -> bool:
    """Whether the text needs what was said before it: "this problem", "it", "the latter".

    "It" with `before` or more words in front of it is taken to refer to them; "their" to the authors.
    """
    if _ALWAYS_POINTING.search(text):
        return True
    return any(len(text[: match.start()].split()) < before for match in _POINTING.finditer(text))


def _without_us(match: re.Match[str]) -> str:
    verb, ending = match.group(1), match.group(2) or ""
    if verb not in ("allow", "enable", "permit"):
        return f"{verb}{ending} them to"
    form = {"": "make", "s": "makes", "ed": "made", "ing": "making"}[ending]
    return f"{form} it possible to"

"""Turn what authors say of themselves into what is said of them, and notice words that point out of the sentence."""

import re

PAPER_NOUN = (
    r"(?:paper|work|article|letter|note|study|report|thesis|survey|chapter|manuscript|contribution|review|research|"
    r"project|book|document|dissertation|communication|investigation|talk|tutorial|essay|monograph|technical report)"
)
_IN_THIS_PAPER = re.compile(
    r",?\s*\b(?:[Ii]n|[Tt]hroughout|[Ww]ithin) (?:this|the present|our|the current) (?:\w+ )?" + PAPER_NOUN + r"\b,?",
)
_CALLED = re.compile(
    r",?\s*\b(?:which|that|what) (?:we|I) (?:call|term|name|dub|refer to as|denote as|have called)\b(?: as)?"
)
_ALLOWS_US = re.compile(r"\b(allow|enable|permit|help|lead|force|motivate)(s|ed|ing)? us to\b")
_MAKES_POSSIBLE = {"allow": "make it possible", "enable": "make it possible", "permit": "make it possible"}
_ANY_FIRST = re.compile(r"\b(?:[Ww]e|[Oo]urs?|[Uu]s|[Oo]urselves|I|[Mm]y|[Mm]e|[Mm]ine|[Ll]et's)\b(?!-)")
_OWN_PAPER = re.compile(r"\b(?:[Tt]his|[Tt]hese|[Tt]he present|[Tt]he current) (?:\w+ )?" + PAPER_NOUN + r"s?\b")

_POINTING = re.compile(
    r"\b(?:this|these|those|it|its|itself|they|them|their|such(?! as\b)|there(?= ?[,.]|$)|both(?= ?[,.]|$)|one(?= ?[,.]|$))\b",
    re.IGNORECASE,
)
_ALWAYS_POINTING = re.compile(
    r"\b(?:latter|former(?!ly)|aforementioned|above-mentioned|afore-mentioned|mentioned above|the above|as above|"
    r"said (?:method|model)|[Ss]ection \d|[Ff]ig(?:ure|\.)? ?\d|[Tt]able \d|the following|as follows|respectively before|"
    r"previous section|companion paper|[Pp]art I+|earlier paper|our previous|previous paper|appendix|herein|hereafter|"
    r"one of (?:these|them)|the rest|the other (?:one|two|hand)|the second one|the first one|that end|doing so|the answer|"
    r"do so|above-|below)\b"
)


def third_person_text(text: str) -> str | None:
    """`text` with "we" and "our" turned to "they" and "their"; None if it cannot be done with confidence.

    "In this paper" goes; "which we call" becomes "called". What speaks of the paper in another way, or in
    the singular ("my"), is given up.
    """
    text = _IN_THIS_PAPER.sub("", text)
    text = _CALLED.sub(" called", text)
    text = _ALLOWS_US.sub(_without_us, text)
    if _OWN_PAPER.search(text):
        return None
    text = re.sub(r"\bour(s?)\b", r"their\1", text)
    text = (
        re.sub(r"\b([Tt])he (?:newly )?proposed (?!by\b)(?=[a-z])", r"\1heir ", text)
        if "the proposed" in text
        else text
    )
    text = text.replace("Their ", "their ")
    text = re.sub(r"\bwe\b(?= (?:also |then |further |first )?[a-z])", "they", text)
    text = re.sub(r"(?<=\b(?:at|in) hand), here\b|\bhere\b(?=$|,)", "", text)
    return None if _ANY_FIRST.search(text) else " ".join(text.split())


def has_first_person(text: str) -> bool:
    """Whether the text still speaks as its authors would."""
    return bool(_ANY_FIRST.search(text) or _OWN_PAPER.search(text))


def points_outside(text: str, before: int = 5) -> bool:
    """Whether the text needs what was said before it: "this problem", "it", "the latter".

    A pronoun with `before` or more words in front of it is taken to refer to them.
    """
    if _ALWAYS_POINTING.search(text):
        return True
    return any(
        len(text[: match.start()].split()) < before and not _is_relative_their(match.group())
        for match in _POINTING.finditer(text)
    )


def _is_relative_their(word: str) -> bool:
    # "their" and "they" were put in by third_person_text, and mean the authors.
    return word.lower() in ("their", "they", "them")


def _without_us(match: re.Match[str]) -> str:
    verb, ending = match.group(1), match.group(2) or ""
    if verb not in _MAKES_POSSIBLE:
        return f"{verb}{ending} them to"
    form = {"": "make", "s": "makes", "ed": "made", "ing": "making"}[ending]
    return f"{form} it possible to"

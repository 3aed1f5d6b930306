"""Sentences that say what others did, in English, as far as their words say so plainly."""

import re

from citeplug.text.tables import Tables

_LEAST, _MOST = 40, 600  # characters of a sentence's words

_TABLES = Tables(__name__)
_PEOPLE = _TABLES.pattern("people")
_OTHERS = (
    r"(?:(?:previous|prior|earlier|existing|recent|related|past|several|many|most|some|other|various|numerous|extensive"
    r"|considerable|different|few|multiple|much|early|further|subsequent|a\s+(?:large\s+|growing\s+|great\s+)?"
    r"(?:number|body|variety|lot|wealth|range)\s+of|a\s+few)\s+(?:of\s+(?:the\s+|these\s+)?)?(?:[\w-]+\s+){0,2}?"
    + _PEOPLE
    + r")"
)
_DID = _TABLES.pattern("did")
_NAMED = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_OTHERS}\b[^.;:]{{0,80}}?\b(?:(?:has|have|had)\s+(?:also\s+|been\s+|recently\s+)*|also\s+|often\s+|typically\s+)?{_DID}\b",
        r"\b[A-Z][\w-]+\s+et\s+al\b",
        r"\b(?:state[\s-]of[\s-]the[\s-]art|best)\s+(?:[\w-]+\s+){0,3}(?:achiev\w+|reach\w*|report\w*|obtain\w*)\b",
    )
]
_IMPERSONAL = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:has|have)\s+(?:also\s+|recently\s+|often\s+|already\s+|previously\s+|long\s+|widely\s+|extensively\s+)*been\s+"
        r"(?:also\s+|recently\s+|widely\s+|extensively\s+|well\s+|successfully\s+|much\s+|largely\s+)*"
        r"(?:shown|proposed|studied|investigated|demonstrated|proven|proved|reported|explored|developed|observed|suggested"
        r"|introduced|applied|used|examined|analy[sz]ed|addressed|considered|argued|established|devoted|published)\b",
        r"\bit\s+(?:is|was)\s+(?:well[\s-]+)?(?:known|shown|established|proved|proven|reported|demonstrated|argued)\s+that\b",
    )
]
# About the paper itself, about what it does not name, or about what was said before.
_OWN = re.compile(
    r"\b(?:we|our|ours|us|I|my|(?:in\s+)?this\s+(?:paper|work|article|section|study|thesis|chapter|survey|review)|here"
    r"|below|above|section|table|figure|fig|appendix|to\s+the\s+best\s+of|future|the\s+present|the\s+authors?|unlike"
    r"|no\s+(?:previous|prior|existing|other|such|study|work|research)|none|(?<!a\s)(?:few|little)|in\s+contrast)\b",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"(?:(?:however|moreover|furthermore|also|thus|hence|yet|besides|in\s+addition|for\s+example|again|here|there)\W+)?"
    r"(?:they|these|those|such|this|it(?!\s+(?:is|was|has)\b)|the\s+(?:former|latter|same|method|approach|authors?|idea"
    r"|algorithm|model|work)|both|all\s+(?:of\s+)?(?:these|those)|neither|either|his|her|their|its)\b",
    re.IGNORECASE,
)


def is_claim_about_others(words: str, *, impersonal: bool = True) -> bool:
    """Return True if a plain sentence says what others did, and not what its own text or one beside it names.

    With `impersonal` also one that says that something has been done or is known, and not by whom.
    """
    if not _LEAST <= len(words) <= _MOST or _OWN.search(words) or _BACK.match(words):
        return False
    return any(pattern.search(words) for pattern in (*_NAMED, *(_IMPERSONAL if impersonal else ())))

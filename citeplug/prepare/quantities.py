"""Questions for a quantity, and answers that give different ones."""

import re
from collections.abc import Sequence

from citeplug.related.attribute.numbers import Quantity
from citeplug.text.stems import telling_stems
from citeplug.text.stop_words import STOPWORDS

_ASKED = re.compile(
    r"\bhow (?:many|much|large|fast|long|often|big|small|short|high|low|far|old|tall|wide|deep|heavy|expensive)\b"
    r"|\b(?:what|which) (?:\w+ ){0,3}?(?P<noun>percentage|percent|share|fraction|number|proportion|accuracy|rate|temperature"
    r"|exponent|exponents|dimension|limit|value|mass|throughput|probability|size|distance|cost|fees|time|dose|interval"
    r"|error|strength|barrier|flux|intercept|bound|year|speed|energy|length)\b",
    re.IGNORECASE,
)
_QUANTITY = re.compile(
    r"(?<![^\W\d_])(?<![^\W\d_]-)\d|\b(?:zero|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred"
    r"|thousand|million|billion|half|twice|third|quarter)\b",
    re.IGNORECASE,
)


def asks_for_quantity(question: str) -> bool:
    """True for a question whose answer has a number, as "how many"; "which rate control" asks for a control."""
    for match in _ASKED.finditer(question):
        after = re.match(r"\W*(\w*)", question[match.end() :])
        if match["noun"] is None or after is None or not after[1] or after[1].lower() in STOPWORDS:
            return True
    return False


def has_quantity(text: str) -> bool:
    """True if a text has a number, in digits or in letters."""
    return bool(_QUANTITY.search(text))


def differ(question: str, one: Sequence[Quantity], other: Sequence[Quantity]) -> bool:
    """True if two sentences give different numbers for the quantity that is asked, and share none.

    The numbers have one unit and are among the same words, of which the question has some.
    """
    asked = telling_stems(question)
    if {quantity.value for quantity in one} & {quantity.value for quantity in other}:
        return False
    return any(_of_one_quantity(a, b, asked) for a in one for b in other)


def _of_one_quantity(one: Quantity, other: Quantity, asked: frozenset[str]) -> bool:
    shared = one.near & other.near
    same_unit = one.percent == other.percent and (bool(one.percent) or one.following == other.following)
    return same_unit and len(shared) >= 2 and bool(shared & asked)

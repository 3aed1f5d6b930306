"""Numbers of a German sentence: digits with a decimal comma, and words up to billions."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from citeplug.attribute.claims.across import readings
from citeplug.attribute.claims.evidence import Doubt, Evidence
from citeplug.attribute.claims.numbers import bound_before, numbers_of

_ONES = {word: n for n, word in enumerate(
    "null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn".split()
)} | {"eins": 1, "eine": 1, "einer": 1, "einem": 1, "einen": 1, "zwo": 2, "fuenf": 5, "zwoelf": 12}  # fmt: skip
_TENS = {"zwanzig": 20, "dreißig": 30, "dreissig": 30, "vierzig": 40, "fünfzig": 50, "sechzig": 60, "siebzig": 70,
         "achtzig": 80, "neunzig": 90}  # fmt: skip
# The German billion is a thousand English ones.
_POWERS = {"million": 10**6, "millionen": 10**6, "mio": 10**6, "milliarde": 10**9, "milliarden": 10**9, "mrd": 10**9,
           "billion": 10**12, "billionen": 10**12, "tausend": 10**3, "hundert": 10**2}  # fmt: skip
_SUFFIX = re.compile(
    r"(?:fach|mal|stufig|dimensional|teilig|schichtig|lagig|gliedrig|stellig|seitig|wertig|sprachig|jährig|monatig|tägig)"
    r"(?:e[rsnm]?)?$|(?:er|en)$"
)
_DIGITS = re.compile(r"\d{1,3}(?:[\u00a0\u202f]\d{3})+(?:,\d+)?|\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+(?:[.,]\d+)*")
_WORD = re.compile(r"[^\W\d_]+")
_TOKEN = re.compile(rf"{_DIGITS.pattern}|{_WORD.pattern}")
_BOUNDS = {
    "at most": re.compile(r"\b(?:bis zu|höchstens|maximal|weniger als|unter|nicht mehr als)\s+(?:\w{3,6}\s+)?$", re.I),
    "at least": re.compile(r"\b(?:mindestens|wenigstens|mehr als|über|nicht weniger als)\s+(?:\w{3,6}\s+)?$", re.I),
    "about": re.compile(
        r"\b(?:etwa|rund|ungefähr|circa|ca\.|fast|nahezu|knapp|annähernd|beinahe)\s+(?:\w{3,6}\s+)?$", re.I
    ),
}
_MULTIPLES = (
    (re.compile(r"\b(?:ver)?doppel\w*|\bzwei(?:mal|fach)\w*", re.I), {"double", "doubles", "doubled", "doubling", "twice", "twofold"}, {2.0, 100.0}),
    (re.compile(r"\bhälfte\b|\bhalbier\w*|\bhalb(?:e[rsnm]?)?\b", re.I), {"half", "halves", "halved", "halving"}, {0.5, 50.0, 2.0}),
    (re.compile(r"\bverdreifach\w*", re.I), {"triple", "triples", "tripled", "threefold", "thrice"}, {3.0}),
    (re.compile(r"\b(?:ein |zwei )?drittel\w*", re.I), {"third", "thirds"}, {33.0, 67.0}),
    (re.compile(r"\b(?:ein |drei )?viertel\w*", re.I), {"quarter", "quarters", "fourth"}, {25.0, 75.0}),
    (re.compile(r"\bdutzend\w*", re.I), {"dozen", "dozens"}, {12.0}),
    (re.compile(r"\bhunderte[rn]?\b", re.I), {"hundreds"}, {100.0}),
    (re.compile(r"\btausende[rn]?\b", re.I), {"thousands"}, {1000.0}),
)  # fmt: skip
_PAPERS = re.compile(
    r"\s*(?:\w+e[rn]?\s+)?(?:Arbeiten|Ansätzen?|Verfahren|Methoden|Studien|Beiträgen?|Vorschlägen?|Techniken|Artikeln?"
    r"|Publikationen|Richtungen)\b|\s*[,;]"
)


@dataclass(frozen=True, slots=True)
class _Number:
    shown: str
    values: frozenset[float]
    percent: bool
    bound: str
    start: int
    end: int


def unknown_numbers(segment: str, evidence: Evidence) -> Iterator[Doubt]:
    """Numbers, in digits or in words, that the quotations and titles do not have, with the same unit and bounds.

    What they count is not compared.
    """
    if evidence.of_draft:
        given = [(n.values, n.percent, n.bound) for n in german_numbers(evidence.said)]
    else:
        given = [(frozenset({n.value}), n.percent, n.bound) for n in numbers_of(evidence.said)]
    for number in german_numbers(segment):
        if evidence.papers in number.values and _PAPERS.match(segment[number.end :]):
            continue
        same = [g for g in given if g[0] & number.values]
        if not same:
            yield Doubt("number", f"the number {number.shown} is not in the quotation")
        elif not any(percent == number.percent for _, percent, _ in same):
            yield Doubt("number", f"{number.shown} has another unit in the quotation")
        elif all(bound and bound != number.bound for _, _, bound in same):
            yield Doubt("number", f"the quotation says “{same[0][2]}” or the like before {number.shown}")
    have = set(re.findall(r"[a-zäöüß]+", evidence.said.lower()))
    values = {value for values, _, _ in given for value in values}
    for german, english, alike in _MULTIPLES:
        found = german.search(segment)
        if found and not english & have and not alike & values and not german.search(evidence.said):
            yield Doubt("number", f"“{found[0]}” is not in the quotation")


def german_numbers(text: str) -> list[_Number]:
    """The numbers of a text, save those that are part of a name and a bare "ein"."""
    found: list[_Number] = []
    tokens = list(_TOKEN.finditer(text))
    for index, token in enumerate(tokens):
        values = _values(token[0], text, token)
        if not values or (found and token.start() < found[-1].end):
            continue
        end = token.end()
        following = tokens[index + 1] if index + 1 < len(tokens) else None
        if following is not None and following[0].lower() in _POWERS and text[end : following.start()].strip() == "":
            values = {value * _POWERS[following[0].lower()] for value in values}
            end = following.end()
        elif values == {1.0} and not token[0][0].isdigit():
            continue
        percent = bool(re.match(r"[\s\u00a0\u202f-]*(?:\\?%|Prozent)", text[end:]))
        before = text[: token.start()]
        bound = next((name for name, rule in _BOUNDS.items() if rule.search(before)), "") or bound_before(before)
        found.append(_Number(text[token.start() : end], frozenset(values), percent, bound, token.start(), end))
    return found


def _values(token: str, text: str, place: re.Match[str]) -> set[float]:
    if token[0].isdigit():
        joined = re.search(r"[A-ZÄÖÜ][^\W_]*[-–/]?$", text[: place.start()]) or re.match(
            r"(?![xX×]\b)[^\W\d_]", text[place.end() :]
        )
        if joined:
            return set()
        both = readings(token)
        # A point before three digits groups thousands here; anywhere else it is another language's decimal point.
        german = (
            float(re.sub(r"[.\u00a0\u202f]", "", token).replace(",", "."))
            if re.fullmatch(r"\d{1,3}(?:[.\u00a0\u202f]\d{3})+(?:,\d+)?", token)
            else None
        )
        return {german} if german is not None else both
    value = _spelled(token.lower())
    if value is None:
        bare = _SUFFIX.sub("", token.lower())
        value = _spelled(bare) if bare not in ("ein", "eins", token.lower()) else None
    return set() if value is None else {float(value)}


def _spelled(word: str) -> int | None:
    """The value of a numeral in one word, as German writes all below a million."""
    if word in _ONES or word in _TENS:
        return _ONES.get(word, _TENS.get(word, 0))
    for power, size in (("tausend", 1_000), ("hundert", 100)):
        before, found, after = word.partition(power)
        if found:
            many = 1 if not before else _spelled(before)
            rest = 0 if not after else _spelled(after.removeprefix("und"))
            return None if many is None or rest is None else many * size + rest
    one, joined, ten = word.partition("und")
    if joined and ten in _TENS and 0 < _ONES.get(one, 0) < 10:
        return _ONES[one] + _TENS[ten]
    return None

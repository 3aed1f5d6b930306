"""Numbers: each must be the source's, of the same things, with the same bounds."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from citeplug.attribute.claims.evidence import Doubt, Evidence, Word, words_of

_UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
_ONES = {word: n for n, word in enumerate(f"{_UNITS} seventeen eighteen nineteen".split())}
_TENS = {
    word: 10 * n for n, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)
}
_POWERS = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000, "trillion": 10**12}
# Words that say a number or a share without naming it; each group says the same.
_MULTIPLES = ({"double", "doubles", "doubled", "doubling", "twice", "twofold"}, {"half", "halves", "halved", "halving"},
              {"triple", "triples", "tripled", "thrice", "threefold"}, {"dozen", "dozens"}, {"quarter", "quarters"},
              {"hundreds"}, {"thousands"}, {"millions"}, {"billions"}, {"third", "thirds"})  # fmt: skip
_PAPER_NOUNS = frozenset(
    """paper papers work works study studies approach approaches method methods line lines direction directions group
    groups proposal proposals contribution contributions strand strands technique techniques""".split()
)
_AT_MOST = r"(?:up to|at most|no more than|less than|fewer than|under|below|within)"
_AT_LEAST = r"(?:at least|more than|over|above|exceeding|greater than|no fewer than|no less than)"
_ABOUT = r"(?:about|around|roughly|approximately|nearly|almost|close to|some|circa|approx\.?)"
_BOUNDS = {name: re.compile(rf"\b{words}\s+(?:an?\s+|the\s+)?[~$]?$", re.IGNORECASE)
           for name, words in (("at most", _AT_MOST), ("at least", _AT_LEAST), ("about", _ABOUT))}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Number:
    """A number in a text. `percent`: it is a share of a hundred; `bound`: the words before it, such as "at least".

    `near` are the stems of the words that tell what it counts, `wide` those somewhat further off.
    """

    shown: str
    value: float
    percent: bool
    bound: str
    near: frozenset[str]
    wide: frozenset[str]
    following: str


def unknown_numbers(segment: str, evidence: Evidence) -> Iterator[Doubt]:
    """Numbers, written in digits or in words, that the quotations and titles do not have in this sense."""
    given = numbers_of(evidence.said)
    for number in numbers_of(segment):
        if _counts_papers(number, evidence):
            continue
        same = [g for g in given if g.value == number.value]
        if not same:
            yield Doubt("number", f"the number {number.shown} is not in the quotation")
        elif not any(g.percent == number.percent for g in same):
            yield Doubt("number", f"{number.shown} has another unit in the quotation")
        elif number.near and not any(number.near & g.wide for g in same):
            yield Doubt("number", f"{number.shown} counts something else in the quotation")
        elif all(g.bound and g.bound != number.bound for g in same):
            yield Doubt("number", f"the quotation says “{same[0].bound}” or the like before {number.shown}")
    said = {word.lower for word in words_of(segment)}
    have = {word.lower for word in words_of(evidence.said)}
    for group in _MULTIPLES:
        if said & group and not have & group:
            yield Doubt("number", f"“{min(said & group)}” is not in the quotation")


def numbers_of(text: str) -> list[Number]:
    """The numbers of a text, save those that are part of a name (GPT-4) and a bare "one"."""
    found: list[Number] = []
    words = words_of(text)
    index = 0
    while index < len(words):
        value, length = _read(words, index)
        if value is None or _in_name(text, words[index], words[index + length - 1]):
            index += 1
            continue
        start, end = words[index].start, words[index + length - 1].end
        percent = bool(re.match(r"\s*(?:\\?%|percent\b|per cent\b|percentage points?\b|pp\b)", text[end:]))
        bound = bound_before(text[:start])
        after = [word for word in words[index + length : index + length + 4] if word.is_word or word.text in ",;."]
        found.append(
            Number(
                text[start:end],
                value,
                percent,
                bound,
                _near(words, index, length, 2, 2),
                _near(words, index, length, 5, 5),
                after[0].lower if after else "",
            )
        )
        index += length
    return found


def bound_before(text: str) -> str:
    """Bound that the words before a number set: "at most", "at least", "about", or nothing."""
    return next((name for name, rule in _BOUNDS.items() if rule.search(text)), "")


def _read(words: Sequence[Word], index: int) -> tuple[float | None, int]:
    """The number that begins at `index`, and how many words it takes."""
    word = words[index]
    if word.text[0].isdigit():
        if not re.fullmatch(r"\d+(?:[.,]\d+)*", word.text):
            return None, 1
        value, length = _digits(word.text), 1
    elif word.lower in _ONES or word.lower in _TENS:
        value, length = float(_ONES.get(word.lower, _TENS.get(word.lower, 0))), 1
        if word.lower in _TENS and index + 1 < len(words) and 0 < _ONES.get(words[index + 1].lower, 0) < 10:
            value, length = value + _ONES[words[index + 1].lower], 2
    elif word.lower in _POWERS:
        value, length = float(_POWERS[word.lower]), 1
    else:
        return None, 1
    alone = length == 1
    while index + length < len(words) and words[index + length].lower in _POWERS:
        value, length, alone = value * _POWERS[words[index + length].lower], length + 1, False
    if alone and word.lower in ("one", "zero"):
        return None, 1  # a pronoun, and part of "zero-shot"
    return value, length


def _digits(text: str) -> float:
    grouped = re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", text)
    plain = text.replace(",", "") if grouped else text.replace(",", ".")
    try:
        return float(plain)
    except ValueError:  # 1.2.3: a version
        return float(plain.replace(".", "") or 0)


def _in_name(text: str, first: Word, last: Word) -> bool:
    """True for a number that is joined to letters: GPT-4, ResNet-50, 3D, H2."""
    if not first.text[0].isdigit():
        return False
    before, after = text[: first.start], text[last.end :]
    return bool(re.search(r"[A-Z][^\W_]*[-–/]?$", before) or re.match(r"(?![xX×]\b)[^\W\d_]", after))


def _near(words: Sequence[Word], index: int, length: int, before: int, after: int) -> frozenset[str]:
    left = [word.stem for word in words[:index] if word.tells][-before:]
    right = [word.stem for word in words[index + length :] if word.tells][:after]
    return frozenset(left + right)


def _counts_papers(number: Number, evidence: Evidence) -> bool:
    """ "Two approaches", where two papers are cited."""
    return number.value == evidence.papers and bool({number.following} & (_PAPER_NOUNS | {",", ";"}))

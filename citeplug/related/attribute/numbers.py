"""Numbers: each must be a source's, with its unit, and of the same thing where the source has numbers of several.

A sentence in another language than its sources' may write their numbers otherwise.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from citeplug.related.attribute.evidence import Doubt, Word, words_of
from citeplug.text.stems import stem

_UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
_ONES = {word: n for n, word in enumerate(f"{_UNITS} seventeen eighteen nineteen".split())}
_TENS = {
    word: 10 * n for n, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)
}
_POWERS = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000, "trillion": 10**12}
_SUFFIXES = {"k": 1_000, "m": 1_000_000, "b": 1_000_000_000}
_PAPER_NOUNS = frozenset(
    stem(noun)
    for noun in "paper work study approach method line direction group proposal contribution strand technique , ;".split()
)
_ABOUT = re.compile(
    r"\b(?:about|around|roughly|approximately|nearly|almost|close to|some|circa|over|more than|under|less than)"
    r"\s+(?:an?\s+|the\s+)?[~$]?$",
    re.IGNORECASE,
)
_PERCENT = re.compile(r"\s*(?:\\?%|percent\b|per cent\b|percentage points?\b|pp\b)")
_RANGE = re.compile(r"\s*(?:-{1,2}|–|to|and|or)\s*\d+(?:\.\d+)?\s*(?:\\?%|percent\b|per cent\b)")
_JOINS = re.compile(r"\s*(?:-{1,2}|–|to|and|or|%|x|×|/|out of|of)\s*")
_COUNTABLE = 12  # up to here the parts of a list may have been counted by the writer
_NEAR = 3  # words on either side that tell what a number is of
_STOPS = frozenset(", ; : . ! ? ( ) and or but while whereas".split())
_DIGITS = re.compile(r"\d+(?:[.,\u00a0\u202f]\d+)*")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in a text.

    `percent`: it is a share of a hundred; None where it may be, as the 5 in "5-10%". `near` are the stems and the
    numbers around it, in the same clause, `following` the word behind it. `spelled`: it is in letters; `about`: it is
    said to be no more than near.
    """

    shown: str
    value: float
    percent: bool | None
    near: frozenset[str]
    following: str
    spelled: bool
    about: bool


def unknown_numbers(text: str, sources: Sequence[str], papers: int = 1) -> Iterator[Doubt]:
    """Doubts on numbers of an English text, in digits or in letters, that no source has in this sense.

    `number_of`: a source has the number, and of other words than another number that is nearer to these; `number_unit`:
    it has the number as a share where this is none, or the other way round.
    """
    source_numbers = [number for source in sources for number in numbers_of(source, in_names=True)]
    for number in numbers_of(text):
        if number.value == papers and number.following in _PAPER_NOUNS:
            continue  # "two approaches", where two papers are cited
        same = [g for g in source_numbers if _is_same(number, g)]
        others = [g for g in source_numbers if g not in same and _units_agree(g, number)]
        closest = max(others, key=lambda g: len(g.near & number.near), default=None)
        alike = len(closest.near & number.near) if closest is not None else 0
        if not same:
            counted = number.spelled and (number.value <= _COUNTABLE or number.about)
            if not counted or any(
                g.following == number.following and number.following in number.near for g in source_numbers
            ):
                other = f", which has {closest.shown}" if closest is not None and alike else ""
                yield Doubt("number", f"the number {number.shown} is not in the source{other}")
        elif not any(_units_agree(g, number) for g in same):
            yield Doubt("number_unit", f"{number.shown} has another unit in the source")
        elif closest is not None and alike >= 2 and alike > max(len(g.near & number.near) for g in same):
            yield Doubt("number_of", f"the source has {closest.shown} here, and {number.shown} of something else")


def numbers_of(text: str, *, in_names: bool = False) -> list[Quantity]:
    """The numbers of a text, save a bare "one" and those that are part of a name (GPT-4), unless `in_names`."""
    numbers: list[Quantity] = []
    spans: list[tuple[int, int]] = []
    words = words_of(text)
    index = 0
    while index < len(words):
        value, length = _read(words, index)
        last = words[min(index + length, len(words)) - 1]
        if value is not None and (suffix := _suffix(words, index + length, last)) > 1:
            value, length = value * suffix, length + 1
            last = words[index + length - 1]
        if value is None or (not in_names and _in_name(text, words[index], last)):
            index += 1
            continue
        start, end = words[index].start, last.end
        percent = True if _PERCENT.match(text, end) else None if _RANGE.match(text, end) else False
        after = [word for word in words[index + length : index + length + 4] if word.is_word or word.text in ",;."]
        numbers.append(
            Quantity(
                text[start:end],
                value,
                percent,
                _around(words, index, length),
                after[0].stem if after else "",
                not words[index].text[0].isdigit(),
                bool(_ABOUT.search(text[:start])),
            )
        )
        spans.append((start, end))
        index += length
    return _joined(text, numbers, spans)


def _joined(text: str, numbers: list[Quantity], spans: Sequence[tuple[int, int]]) -> list[Quantity]:
    """With the words around both, for the two numbers of "5-10%" or "two and three"."""
    for index in range(len(numbers) - 1):
        if _JOINS.fullmatch(text[spans[index][1] : spans[index + 1][0]]):
            near = numbers[index].near | numbers[index + 1].near
            numbers[index : index + 2] = [replace(number, near=near) for number in numbers[index : index + 2]]
    return numbers


def _is_same(own: Quantity, other: Quantity) -> bool:
    """True if the numbers are equal, or `own` is the other one rounded: 493 for 492.9, "about 430" for 427."""
    if own.value == other.value:
        return True
    digits = len(f"{own.value:.15g}".replace(".", "").strip("0").split("e")[0])
    return (digits >= 3 or own.about) and float(f"{other.value:.{digits}g}") == own.value


def _units_agree(one: Quantity, other: Quantity) -> bool:
    return one.percent is None or other.percent is None or one.percent == other.percent


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


def _suffix(words: Sequence[Word], index: int, last: Word) -> int:
    """What a letter right behind the digits multiplies them by: 108K, 7B; 1 for none."""
    if index >= len(words) or words[index].start != last.end or not last.text[0].isdigit():
        return 1
    return _SUFFIXES.get(words[index].lower, 1)


def _digits(text: str) -> float:
    grouped = re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", text)
    plain = text.replace(",", "") if grouped else text.replace(",", ".")
    try:
        return float(plain)
    except ValueError:  # 1.2.3: a version
        return float(plain.replace(".", "") or 0)


def _in_name(text: str, first: Word, last: Word) -> bool:
    """True for a number that is joined to letters: GPT-4, ResNet-50, 3D, H2; not 12th, 2x, 108K."""
    if not first.text[0].isdigit():
        return False
    before, after = text[: first.start], text[last.end :]
    joined = re.match(r"(?!(?:[xX×]|st|nd|rd|th|fold)\b)[^\W\d_]", after) and last.text[0].isdigit()
    return bool(re.search(r"[A-Z][^\W_]*[-–/]?$", before) or joined)


def _around(words: Sequence[Word], index: int, length: int) -> frozenset[str]:
    return frozenset([*_tokens(reversed(words[:index])), *_tokens(iter(words[index + length :]))])


def _tokens(words: Iterator[Word]) -> Iterator[str]:
    """The nearest telling words, up to a stop or to another number, which has words of its own; "12th of 19" is one."""
    left, before = _NEAR, ""
    for word in words:
        numeric = word.text[0].isdigit() or word.lower in _ONES or word.lower in _TENS
        if word.lower in _STOPS or not left or (numeric and before != "of"):
            return
        if word.tells or numeric:
            yield word.stem
            left -= 1
        before = word.lower


def unknown_digits(text: str, sources: Sequence[str]) -> Iterator[Doubt]:
    """Doubts on numbers in digits that no source has, in either way of writing decimals."""
    source_values = {number.value for source in sources for number in numbers_of(source, in_names=True)}
    source_values |= {
        value for source in sources for match in _DIGITS.finditer(source) for value in _readings(match[0])
    }
    for match in _DIGITS.finditer(text):
        if re.search(r"[^\W\d_][-–/]?$", text[: match.start()]) or re.match(r"[^\W\d_]", text[match.end() :]):
            continue  # part of a name
        if not _readings(match[0]) & source_values:
            yield Doubt("number", f"the number {match[0]} is not in the source")


def _readings(text: str) -> set[float]:
    """The values that a number in digits may have: 1.234 is 1234 or 1.234."""
    plain = re.sub(r"[\u00a0\u202f]", "", text)
    readings: set[float] = set()
    for decimal, group in ((".", ","), (",", ".")):
        if re.fullmatch(
            rf"\d{{1,3}}(?:{re.escape(group)}\d{{3}})*(?:{re.escape(decimal)}\d+)?|\d+(?:{re.escape(decimal)}\d+)?",
            plain,
        ):
            readings.add(float(plain.replace(group, "").replace(decimal, ".")))
    return readings

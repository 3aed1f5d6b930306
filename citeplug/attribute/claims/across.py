"""Comparison of a sentence with quotations in another language, whichever it is."""

import re
from collections.abc import Iterator, Mapping

from citeplug.attribute.claims.evidence import Doubt, Evidence, words_of
from citeplug.attribute.claims.names import COMPOUND, PART, Known
from citeplug.attribute.claims.numbers import numbers_of

_FOLDED = str.maketrans({"ä": "a", "ö": "o", "ü": "u", "ß": "s", "é": "e", "è": "e", "ê": "e", "á": "a", "à": "a", "ó": "o",
                         "í": "i", "ú": "u", "ñ": "n", "ç": "c", "k": "c", "z": "c", "y": "i"})  # fmt: skip
_LENGTH = 6  # letters by which two words are taken to be one
_DIGITS = re.compile(r"\d+(?:[.,\u00a0\u202f]\d+)*")


def unknown_names(segment: str, evidence: Evidence) -> Iterator[Doubt]:
    """Acronyms, and terms with digits or inner capitals, that neither quotation, title nor author has.

    A single capital says nothing: many languages write other words with one.
    """
    known = Known(f"{evidence.said} . {evidence.granted}")
    for match in COMPOUND.finditer(segment):
        named = [part for part in PART.findall(match[0]) if _is_name(part)]
        if named and not known.has(match[0]) and not all(known.has(part) or _translated(part, known) for part in named):
            yield Doubt("name", f"“{match[0]}” is not in the quotation or the title")


def unknown_digits(segment: str, evidence: Evidence) -> Iterator[Doubt]:
    """Numbers in digits that no quotation or title has, in either way of writing decimals."""
    given = {number.value for number in numbers_of(evidence.said)}
    given |= {value for match in _DIGITS.finditer(evidence.said) for value in readings(match[0])}
    for match in _DIGITS.finditer(segment):
        if re.search(r"[^\W\d_][-–/]?$", segment[: match.start()]) or re.match(r"[^\W\d_]", segment[match.end() :]):
            continue  # part of a name
        if not readings(match[0]) & given:
            yield Doubt("number", f"the number {match[0]} is not in the quotation")


def readings(text: str) -> set[float]:
    """The values that a number in digits may have: 1.234 is 1234 or 1.234."""
    plain = re.sub(r"[\u00a0\u202f]", "", text)
    found: set[float] = set()
    for decimal, group in ((".", ","), (",", ".")):
        if re.fullmatch(
            rf"\d{{1,3}}(?:{re.escape(group)}\d{{3}})*(?:{re.escape(decimal)}\d+)?|\d+(?:{re.escape(decimal)}\d+)?",
            plain,
        ):
            found.add(float(plain.replace(group, "").replace(decimal, ".")))
    return found


def key_of(word: str) -> str:
    """A word in the form in which German and English ones are alike: "Netzwerke" and "networks", "Grafen", "graphs"."""
    return word.lower().replace("ph", "f").translate(_FOLDED)[:_LENGTH]


def anchors(text: str) -> set[str]:
    """The keys of a text's words of four letters and more."""
    return {key_of(word.text) for word in words_of(text) if word.is_word and len(word.text) >= 4}


def is_anchored(segment: str, said: str, glossary: Mapping[str, str]) -> bool:
    """True if the segment shares a number or a word with what is said: alike in both languages, or by a glossary.

    `glossary` has a pattern for each English stem.
    """
    flat = " ".join(word.text.lower().replace("ph", "f").translate(_FOLDED) for word in words_of(segment))
    low = segment.lower()
    for word in words_of(said):
        if not word.tells:
            continue
        if len(word.text) >= 4 and key_of(word.text)[:5] in flat:
            return True
        if word.stem in glossary and re.search(glossary[word.stem], low):
            return True
    return bool({n.value for n in numbers_of(segment)} & {n.value for n in numbers_of(said)})


def _is_name(part: str) -> bool:
    if any(letter.isupper() for letter in part[1:]):
        return True
    mixed = any(letter.isalpha() for letter in part) and any(letter.isdigit() for letter in part)
    return mixed and not re.fullmatch(r"\d+(?:er|fach|mal|x|D|d)", part)


def _translated(part: str, known: Known) -> bool:
    return part in ("KI", "IA") and (known.has("AI") or known.has("Artificial"))

"""Quotations that the author typed, and their words in what they cite."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from citeplug.records.prose import ProseParagraph
from citeplug.text.cited_text import words
from citeplug.text.quotation import find_quote
from citeplug.text.sentences import split_sentences

FEWEST_WORDS = 6  # of a quotation; fewer are a term, or a word that the author keeps at a distance
MOST = 200  # quotations of a draft
_FEWEST_OF_PART = 5  # words between two omissions
_MOST_LACKING = 3
_DENIALS = frozenset("not no never cannot nor neither without hardly only".split())
_LONGEST = 2_000  # characters
# A straight mark opens in front of a word and closes behind one, so that a stray one pairs with nothing.
_QUOTED = re.compile(
    r"“([^“”\"]{20,2000})[”\"]|(?<![\w.,])\"(?!\s)([^\"“”]{20,2000})(?<!\s)\"|[«„]([^«»„“”]{20,2000})[»“”]"
)
_INITIAL = re.compile(r"\[([A-Za-z])\](?=[a-z])")
_OMISSION = re.compile(r"\s*(?:\[[^\[\]]*\]|\(\s*(?:\.{3}|…)\s*\)|\.\s?\.\s?\.\s?\.?|…)\s*")
_NUMBERS = re.compile(r"\[\s*\d[\d\s,;–-]*\]")  # citations in a printed text


@dataclass(frozen=True, slots=True)
class Quotation:
    """Quoted words in a sentence, or in a paragraph of their own, that cites works.

    `parts` are its stretches between omissions; `line` is that of the sentence; `keys` in small letters.
    """

    text: str
    parts: tuple[str, ...]
    sentence: str
    keys: tuple[str, ...]
    file: Path
    line: int


def read_quotations(prose: Sequence[ProseParagraph]) -> list[Quotation]:
    """Return the quotations of six words or more in sentences that cite; at most `MOST`."""
    found: list[Quotation] = []
    before: ProseParagraph | None = None
    for paragraph in prose:
        found += _displayed(paragraph, before) if paragraph.quotation else _inline(paragraph)
        before = paragraph
    return found[:MOST]


def _inline(paragraph: ProseParagraph) -> Iterator[Quotation]:
    ends, position = [], 0
    for sentence in paragraph.sentences:
        position += len(sentence.text) + 1
        ends.append(position)
    for match in _QUOTED.finditer(paragraph.text):
        quoted = match[match.lastindex or 0].strip()
        # A quotation of several sentences is in all of them.
        inside = [
            sentence
            for sentence, end in zip(paragraph.sentences, ends, strict=True)
            if end > match.start() and end - len(sentence.text) - 1 < match.end()
        ]
        keys = tuple(dict.fromkeys(key.lower() for sentence in inside for key in sentence.keys))
        parts = _parts([quoted])
        if keys and parts and len(words(quoted)) >= FEWEST_WORDS:
            said = " ".join(sentence.text for sentence in inside)
            yield Quotation(quoted, parts, said, keys, paragraph.file, inside[0].line)


def _displayed(paragraph: ProseParagraph, before: ProseParagraph | None) -> Iterator[Quotation]:
    """Yield the quotation that a paragraph in a quote environment is; the sentence in front may cite its source."""
    keys, text = paragraph.keys, paragraph.text[:_LONGEST]
    if not keys and before is not None and before.file == paragraph.file and before.text.rstrip().endswith(":"):
        keys = before.sentences[-1].keys
    sentences = [text[start:end].strip(" “”\"«»„'`") for start, end in split_sentences(text)]
    parts = _parts([each for each in sentences if len(words(each)) >= FEWEST_WORDS])
    if keys and parts:
        keys = tuple(dict.fromkeys(key.lower() for key in keys))
        yield Quotation(text, parts, text, keys, paragraph.file, paragraph.line)


def _parts(quoted: Sequence[str]) -> tuple[str, ...]:
    parts = [part for each in quoted for part in _OMISSION.split(_INITIAL.sub(r"\1", each))]
    return tuple(part for part in parts if len(words(part)) >= _FEWEST_OF_PART)


def missing_part(quotation: Quotation, texts: Sequence[str]) -> str | None:
    """Return the first part that is in none of the texts, word for word; None if all are there.

    As for `find_quote`; punctuation does not count, nor do a few words of the text that the part lacks: what a macro of
    the author's stands for is not read here.
    """
    said = [f" {' '.join(words(_NUMBERS.sub(' ', text)))} " for text in texts]
    for part in quotation.parts:
        wanted = f" {' '.join(words(part))} "
        if any(wanted in each for each in said) or any(find_quote(part, text) for text in texts):
            continue
        if not _lacks_little(words(part), words(nearest_sentence(part, texts)[0])):
            return part
    return None


def _lacks_little(part: Sequence[str], sentence: Sequence[str]) -> bool:
    """True if the sentence has the words in their order, and between them at most three others, none a denial."""
    rest = iter(enumerate(sentence))
    places = [next((place for place, each in rest if each == word), None) for word in part]
    first, last = (places[0], places[-1]) if places else (None, None)
    if first is None or last is None or None in places:
        return False
    between = [word for place, word in enumerate(sentence) if first < place < last and place not in places]
    return len(between) <= _MOST_LACKING and _DENIALS.isdisjoint(between)


def nearest_sentence(part: str, texts: Sequence[str]) -> tuple[str, float]:
    """Return the sentence of the texts that has the largest share of the words of `part`, and that share."""
    wanted = set(words(part))
    best, most = "", 0.0
    for text in texts:
        for start, end in split_sentences(text):
            share = len(wanted.intersection(words(text[start:end]))) / max(1, len(wanted))
            if share > most:
                best, most = text[start:end], share
    return best, most

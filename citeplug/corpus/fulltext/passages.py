"""Cutting of a text into passages of some 200 words, at the borders of paragraphs, else of sentences.

The words by which passages are found are in lower case, without accents and stop words, stemmed.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from citeplug.corpus.lexical.schema import analyzer
from citeplug.records.passage import PaperText, Passage, TextSection, TextSource
from citeplug.text.cleaning import encodable
from citeplug.text.sentences import split_sentences

WORDS = 200  # of a passage, about
_MOST = 280  # words of a paragraph that stays whole, and of paragraphs taken together
_ENOUGH = 170  # words after which the next paragraph begins a passage of its own
_WORD = re.compile(r"\S+")
_BLANK = re.compile(r"\n\n+")


def placed_passages(text: PaperText) -> list[tuple[int, Passage]]:
    """The passages of all sections in order, numbered from 1, each with the number of its section, from 0.

    Captions follow their section's own.
    """
    numbered: list[tuple[int, Passage]] = []
    for at, section in enumerate(text.sections):
        for start, end in cut(section):
            page = next((page for place, page in reversed(section.pages) if place <= start), None)
            words, number = section.text[start:end], len(numbered) + 1
            place = place_in(section, start, end, text.source)
            made = Passage(text.paper, text.version, section.title, page, number, start, end, words, text.source, place)
            numbered.append((at, made))
    return numbered


def place_in(section: TextSection, start: int, end: int, source: TextSource) -> str:
    """The place of a stretch of a section that a citation can name, as in `Passage`."""
    if section.place or source != "pdf" or not section.pages:  # a file of the author's own may begin on any page
        return section.place
    first = max((page for place, page in section.pages if place <= start), default=section.pages[0][1])
    last = max((page for place, page in section.pages if place < end), default=first)
    return f"p. {first}" if first >= last else f"pp. {first}-{last}"


def cut(section: TextSection) -> list[tuple[int, int]]:
    """Places of a section's passages: code points, half-open, in order."""
    prose: list[tuple[int, int]] = []
    captions: list[tuple[int, int]] = []
    for start, end in _paragraphs(section.text):
        (captions if start >= section.captions else prose).append((start, end))
    return [*_joined(section.text, prose), *captions]


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for gap in _BLANK.finditer(text):
        if start < gap.start():
            yield start, gap.start()
        start = gap.end()
    if start < len(text):
        yield start, len(text)


def _joined(text: str, paragraphs: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Paragraphs taken together while they are short, and cut where they are long."""
    here: tuple[int, int] | None = None
    held = 0
    for start, end in paragraphs:
        count = len(_WORD.findall(text, start, end))
        if here is not None and (held >= _ENOUGH or held + count > _MOST):
            yield here
            here, held = None, 0
        if count > _MOST:
            yield from _cut_paragraph(text, start, end, count)
        else:
            here = (start if here is None else here[0], end)
            held += count
    if here is not None:
        yield here


def _cut_paragraph(text: str, start: int, end: int, count: int) -> Iterator[tuple[int, int]]:
    """Parts of like length that begin with a sentence, or in the middle of one that is too long itself."""
    borders = [start + begin for begin, _ in split_sentences(text[start:end])]
    places: list[int] = []
    for sentence, after in pairwise([*borders, end]):
        words = [match.start() for match in _WORD.finditer(text, sentence, after)]
        places.append(sentence)
        places += words[_MOST::_MOST]
    wanted = count / max(1, round(count / WORDS))
    begin, held = start, 0
    for place, after in pairwise([*places, end]):
        words_here = len(_WORD.findall(text, place, after))
        if held and held + words_here / 2 > wanted:
            yield begin, begin + len(text[begin:place].rstrip())
            begin, held = place, 0
        held += words_here
    yield begin, end


def words_of(text: str) -> list[str]:
    """The words of a text in order. Any text is valid; words of more than 60 letters are left out."""
    # By the analyzer of the index of abstracts: SQLite's own has neither stop words nor this stemmer.
    return [str(word) for word in analyzer().analyze(encodable(text))]

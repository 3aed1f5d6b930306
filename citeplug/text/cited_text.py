"""Text with citation markers, `{{cite:ID}}` and `{{author:ID}}`: its words, length, and runs of copied words."""

import re
from collections.abc import Iterable, Iterator, Sequence

from citeplug.records.finding import Finding
from citeplug.records.section import Sentence

MARKER = re.compile(r"\{\{(?:cite|author):[^{}]*\}\}")
QUOTED = re.compile(r"“[^”]*”|``.*?''|\"[^\"]*\"", re.DOTALL)
WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def words(text: str) -> list[str]:
    """The words of a text in lower case; citation markers do not count, a hyphenated compound is several."""
    return [_lower(match) for match in WORD.finditer(MARKER.sub(" ", text))]


def bare(text: str) -> str:
    """A sentence without its citations."""
    return re.sub(r"\s+([.,;])", r"\1", " ".join(MARKER.sub(" ", text).split()))


def length(sentences: Sequence[Sentence]) -> int:
    """Words as they are counted on paper, citations left out."""
    return sum(len([word for word in bare(s.text).split() if re.search(r"\w", word)]) for s in sentences)


def close_source(sentence: Sentence) -> str | None:
    """Return the paper whose text the sentence shares for eight or more words in a row, outside of quotation marks.

    The draft's own words are not close to anybody's.
    """
    if not sentence.quoted:
        return None
    outside = QUOTED.split(sentence.text)
    for source in sentence.sources:
        if source.arxiv_id and (len(outside) == 1 or any(copied_runs(piece, source.text) for piece in outside)):
            return source.arxiv_id
    return None


def close_wording(sentences: Iterable[Sentence]) -> Iterator[Finding]:
    """A finding on each sentence with a `close_source`."""
    for sentence in sentences:
        if close_source(sentence):
            yield Finding(
                "close_wording",
                "info",
                f"eight or more words in a row are the source's: {bare(sentence.text)[:160]}",
                fix="say it in your own words, or leave it in quotation marks",
            )


def copied_runs(sentence: str, source: str, n: int = 8) -> list[tuple[int, int]]:
    """Stretches of `sentence` with `n` or more words in a row that `source` has too.

    Returns (start, end) code points, half-open, from the first word's start to the last word's end, longest
    possible, in order, without overlap. Case, punctuation and white space are ignored; a citation marker
    ends a run, as the author's name will be there.
    """
    source_words = words(source)
    at: dict[str, list[int]] = {}
    for index, word in enumerate(source_words):
        at.setdefault(word, []).append(index)

    runs: list[tuple[int, int]] = []
    for piece_start, piece in _between_markers(sentence):
        piece_words = list(WORD.finditer(piece))
        index = 0
        while index + n <= len(piece_words):
            longest = max(
                (_common(piece_words, index, source_words, start) for start in at.get(_lower(piece_words[index]), [])),
                default=0,
            )
            if longest >= n:
                last = piece_words[index + longest - 1]
                runs.append((piece_start + piece_words[index].start(), piece_start + last.end()))
                index += longest
            else:
                index += 1
    return runs


def _between_markers(sentence: str) -> list[tuple[int, str]]:
    pieces, position = [], 0
    for marker in MARKER.finditer(sentence):
        pieces.append((position, sentence[position : marker.start()]))
        position = marker.end()
    pieces.append((position, sentence[position:]))
    return pieces


def _common(piece_words: list[re.Match[str]], index: int, source_words: list[str], start: int) -> int:
    length = 0
    while (
        index + length < len(piece_words)
        and start + length < len(source_words)
        and _lower(piece_words[index + length]) == source_words[start + length]
    ):
        length += 1
    return length


def _lower(word: re.Match[str]) -> str:
    return word[0].lower().replace("’", "'")

"""Sentences of a draft that cite, with the texts of what they cite."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from citeplug.records.audit import CitedPassage
from citeplug.records.prose import ProseParagraph, ProseSentence
from citeplug.records.section import SourceText
from citeplug.text.cited_text import words
from citeplug.text.cleaning import plain
from citeplug.text.plaintext import plain_text
from citeplug.text.sentences import split_sentences
from citeplug.text.stems import stem
from citeplug.text.stop_words import STOPWORDS

MOST = 300  # sentences of a draft that are compared
LONGEST = 300  # characters of a sentence or a passage that are shown
_MOST_PASSAGES = 60  # of a work
_LONGEST_TEXT = 4_000  # characters of an abstract


@dataclass(frozen=True, slots=True)
class CitedWork:
    """A reference of the draft: `authors` and `years` as in record and entry; `passages` of it, the title first.

    `authors` is empty where not all of them are known.
    """

    key: str
    title: str
    authors: tuple[str, ...] = ()
    abstract: str = ""
    passages: tuple[CitedPassage, ...] = ()
    years: frozenset[int] = frozenset()

    @property
    def text(self) -> str:
        return " . ".join(passage.text for passage in self.passages)


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence that cites works; `cites` are the keys of each citation with the text in front of it, back to the
    citation before; what follows the last one belongs to it too.
    """

    file: Path
    sentence: ProseSentence
    cites: tuple[tuple[tuple[str, ...], str], ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys in small letters, each once, in order."""
        return tuple(dict.fromkeys(key for keys, _ in self.cites for key in keys))

    @property
    def text(self) -> str:
        return self.sentence.text

    @property
    def shown(self) -> str:
        """The sentence with its keys in brackets where it cites."""
        return self.sentence.with_citations()


def cited_work(
    key: str,
    title: str,
    authors: Sequence[str] = (),
    abstract: str = "",
    texts: Sequence[str] = (),
    years: Collection[int] = (),
) -> CitedWork:
    """Return the work with its passages: its title, the sentences of the abstract, and of the full text's `texts`."""
    title = shown(title)
    abstract = " ".join(abstract.split())[:_LONGEST_TEXT]
    parts: list[tuple[SourceText, str]] = [("title", title), ("abstract", abstract)]
    parts += [("full text", text) for text in texts]
    passages = (CitedPassage(key, title, sentence, of) for of, text in parts for sentence in _sentences(of, text))
    return CitedWork(key, title, tuple(authors), abstract, tuple(islice(passages, _MOST_PASSAGES)), frozenset(years))


def read_claims(prose: Sequence[ProseParagraph], works: Mapping[str, CitedWork]) -> list[Claim]:
    """Return the sentences that cite one of the works, in order; `works` are by key in small letters."""
    claims = []
    for paragraph in prose:
        for sentence in paragraph.sentences:
            cites = tuple(_segments(sentence))
            if any(key in works for keys, _ in cites for key in keys):
                claims.append(Claim(paragraph.file, sentence, cites))
    return claims[:MOST]


def nearest_passage(text: str, work: CitedWork) -> CitedPassage | None:
    """Return the passage that has the largest share of the sentence's words, of the title only if there is no other."""
    claim_words = telling(text)
    behind = [passage for passage in work.passages if passage.of != "title"] or list(work.passages)
    return max(behind, key=lambda passage: len(claim_words & telling(passage.text)), default=None)


def telling(text: str) -> frozenset[str]:
    """The stems of the words that carry content."""
    return frozenset(stem(word) for word in words(text) if word not in STOPWORDS and len(word) > 1)


def _segments(sentence: ProseSentence) -> Iterator[tuple[tuple[str, ...], str]]:
    before = ""
    for number, cite in enumerate(sentence.cites, 1):
        segment = cite.before.removeprefix(before)
        if number == len(sentence.cites):
            segment += " " + sentence.text[len(cite.before) :]
        before = cite.before
        yield tuple(key.lower() for key in cite.keys), " ".join(segment.split())


def _sentences(of: SourceText, text: str) -> Iterator[str]:
    if of == "title":
        yield text
        return
    for start, end in split_sentences(text):
        if sentence := shown(text[start:end]):
            yield sentence


def shown(text: str) -> str:
    """Plain text of others' LaTeX, without what a terminal would obey."""
    bare = plain(plain_text(text) or text)
    return bare if len(bare) <= LONGEST else re.sub(r"\s\S*$", "", bare[:LONGEST]) + " ..."

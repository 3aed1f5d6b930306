"""A draft's running text: paragraphs of sentences, with their places and what they cite."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ProseCite:
    """A citation in a sentence; `before` is the plain text of the sentence in front of it."""

    keys: tuple[str, ...]
    before: str


@dataclass(frozen=True, slots=True)
class ProseSentence:
    """`text` is plain, without citations; `line` is that of its beginning, from 1; `keys` are those that it cites.

    `cites` are its citations in order, at most ten.
    """

    text: str
    line: int
    keys: tuple[str, ...] = ()
    cites: tuple[ProseCite, ...] = ()


@dataclass(frozen=True, slots=True)
class ProseParagraph:
    """A paragraph in `file`, which is absolute; `heading` is the nearest above it, plain, or empty.

    `quotation`: it is in an environment for quotations.
    """

    file: Path
    heading: str
    sentences: tuple[ProseSentence, ...]
    quotation: bool = False

    @property
    def line(self) -> int:
        return self.sentences[0].line

    @property
    def text(self) -> str:
        return " ".join(sentence.text for sentence in self.sentences)

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that it cites, each once, in order."""
        return tuple(dict.fromkeys(key for sentence in self.sentences for key in sentence.keys))

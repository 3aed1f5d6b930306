"""A draft's running text: paragraphs of sentences, with their places and what they cite."""

from collections.abc import Callable
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

    def with_citations(self, mark: Callable[[tuple[str, ...]], str] = lambda keys: f"[{', '.join(keys)}]") -> str:
        """The text with the mark of each citation, made of its keys, where the citation stands."""
        text = self.text
        for cite in reversed(self.cites):
            at = len(cite.before) if text.startswith(cite.before) else len(text)
            rest = text[at:].lstrip()
            gap = " " if rest[:1].isalnum() else ""
            text = f"{text[:at].rstrip()} {mark(cite.keys)}{gap}{rest}".strip()
        return text


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

r"""Split of a block's text into sentences, comments and citeplug's own lines, with no character left out.

Where a sentence ends does not depend on how the text is broken into lines, so that a reflowed text has the same
sentences as before. What is not surely an end is none: a longer unit is merged as a whole.

Splitters of sentences (pysbd, NLTK) know no LaTeX: for them a dot in `\cite{a.b}` or in math may end one.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from citeplug.text.cleaning import collapsed
from citeplug.text.sentences import ends_sentence

DIRECTIVE = re.compile(r"[ \t]*%+[ \t]*citeplug[ \t]*:[ \t]*(.*?)[ \t]*", re.IGNORECASE)
LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")

_TRAILING = re.compile(r"[ \t]*(?:\r\n|\r|\n)?")
_CLOSERS = re.compile(r"(?:''|[)\]\"'’”])*")
_ALONE = re.compile(
    r"\\((?:sub){0,2}section|(?:sub)?paragraph|chapter|part|label)\*?[ \t]*(?:\[[^\]\r\n]*\][ \t]*)?(?=\{)"
)
_ENVIRONMENT = re.compile(r"\\(begin|end)[ \t]*\{[^{}\r\n]*\}")
# Keys may have any characters, such as full stops.
_CITATION = re.compile(
    r"\\[A-Za-z]*cite[A-Za-z]*\*?[ \t]*(?:\[[^\[\]{}%$\r\n]*\][ \t]*){0,2}\{[^{}%\\\r\n]*\}", re.IGNORECASE
)
_TOKEN = re.compile(r"\\[^\r\n]|[%{}$]|[.!?]+")


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence, comment or directive. `raw` is its text with the white space around it, byte for byte.

    `key` is the text with white space collapsed; of a directive, the part after `citeplug:`.
    """

    kind: Literal["text", "comment", "directive"]
    raw: str
    key: str

    @property
    def lead(self) -> str:
        """White space before the text."""
        return self.raw[: len(self.raw) - len(self.raw.lstrip())]

    @property
    def trail(self) -> str:
        """White space after the text."""
        return self.raw[len(self.raw.rstrip()) :]


def split_units(text: str) -> list[Unit]:
    """Split `text`; the units' `raw` joined give the text again, unless it is only white space."""
    return list(_split(text))


@lru_cache(256)  # a paragraph is split for each view and each edit of its section
def _split(text: str) -> list[Unit]:
    return _Splitter(text).split()


class _Splitter:
    def __init__(self, text: str) -> None:
        self.text = text
        self.units: list[Unit] = []
        self.start = 0
        self.depth = self.environments = 0
        self.math = self.alone = False

    def split(self) -> list[Unit]:
        for match in LINE.finditer(self.text):
            start, end = match.span()
            line = match[0].rstrip("\r\n")
            directive = DIRECTIVE.fullmatch(line)
            if directive is not None:
                self._flush(start)
                self._add("directive", end, collapsed(directive[1]))
            elif not line.strip():
                if not self.environments:
                    self.depth, self.math, self.alone = 0, False, False
                    self._flush(end)
            else:
                self._scan(start, end)
        self._flush(len(self.text))
        return self.units

    def _scan(self, position: int, end: int) -> None:
        while match := _TOKEN.search(self.text, position, end):
            position = match.end()
            token = match[0]
            if token == "%":
                if not self.text[self.start : match.start()].strip():
                    self._add("comment", end)
                return
            if token[0] == "\\":
                position = self._command(match.start(), position)
            elif token == "$":
                self.math = not self.math
            elif token == "{":
                self.depth += 1
            elif token == "}":
                self.depth = max(0, self.depth - 1)
                if self.alone and not self.depth:
                    self._end(position)
            elif not (self.depth or self.environments or self.math):
                position = self._stop(match.start(), position, end)

    def _command(self, start: int, position: int) -> int:
        if (citation := _CITATION.match(self.text, start)) is not None:
            return citation.end()
        environment = _ENVIRONMENT.match(self.text, start)
        if environment is not None:
            opened = environment[1] == "begin"
            self.environments = max(0, self.environments + (1 if opened else -1))
            if not opened and not self.environments and not self.depth:
                self._end(environment.end())
            return environment.end()
        # A heading or a label at the beginning of a unit is a unit of its own.
        if not (self.depth or self.environments or self.math) and not self.text[self.start : start].strip():
            heading = _ALONE.match(self.text, start)
            if heading is not None:
                self.alone = True
                return heading.end()
        return position

    def _stop(self, start: int, position: int, end: int) -> int:
        """Return the position after a full stop, and end the sentence if it is one's end."""
        closers = _CLOSERS.match(self.text, position, end)
        position = closers.end() if closers else position
        if not self.text[position : position + 1].strip() and ends_sentence(self.text, start, position):
            self._end(position)
        return position

    def _end(self, position: int) -> None:
        self.alone = False
        trailing = _TRAILING.match(self.text, position)
        self._flush(trailing.end() if trailing else position)

    def _flush(self, end: int) -> None:
        raw = self.text[self.start : end]
        if raw.strip():
            self._add("text", end)
        elif raw and self.units:
            last = self.units[-1]
            self.units[-1] = Unit(last.kind, last.raw + raw, last.key)
            self.start = end

    def _add(self, kind: Literal["text", "comment", "directive"], end: int, key: str | None = None) -> None:
        raw = self.text[self.start : end]
        self.units.append(Unit(kind, raw, collapsed(raw) if key is None else key))
        self.start = end

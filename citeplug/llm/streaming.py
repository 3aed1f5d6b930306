"""An answer while it comes: what is heard of it, how long it may take, and whether it says the same over and over.

Small models do so until their room is full.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, ClassVar, Literal

from citeplug.llm.completion import Completion, Size, TryAgain
from citeplug.llm.failures import cut_off
from citeplug.llm.known_models import THINKING_TOKENS, Usage
from citeplug.records.dialogue import Heard

_STEP = 200  # characters between two looks at what was said
_TAIL = 4_000  # characters that are looked at
_LONGEST = 40  # characters for each token of room; a server may take no notice of the room
_LEAST = 600  # characters of nothing new
_TIMES = 4
_SAMPLE = 40
# Seconds for a whole answer: a server that says a letter now and then is never silent, and never done.
WHOLE, WHOLE_HERE = 600.0, 1800.0


class Voice:
    """Passes on what is heard of one answer, try by try."""

    def __init__(self, number: int, put: Callable[[Heard], None]) -> None:
        self._number = number
        self._put = put
        self._said = False

    def begin(self) -> Callable[[str], None]:
        """Listener for the next try. The text of the last one is taken back."""
        if self._said:
            self._put(Heard(self._number, state="anew"))
            self._said = False
        return self._hear

    def end(self) -> None:
        self._put(Heard(self._number, state="done"))

    def _hear(self, text: str) -> None:
        if text:
            self._said = True
            self._put(Heard(self._number, text))


def unheard(heard: Heard) -> None:
    """Pass nothing on."""


class StreamedAnswer(ABC):
    """The part of an answer of at most `size` that has come. Nothing is taken on trust: a server may send anything.

    `thought` is whether the model was seen to think beyond its room; `characters` is how many were heard, thoughts
    too; `endless` is whether nothing more of use will come: it says the same over and over, or more than it has room
    for.
    """

    stops: ClassVar[Mapping[str, Literal["max_tokens", "refusal"]]]

    def __init__(self, size: Size) -> None:
        self.size = size
        self.begun = False
        self.thought = False
        self.endless = False
        self.characters = 0
        self.stop: str | None = None
        self._texts: list[str] = []
        self._tail = ""
        self._unseen = 0

    @abstractmethod
    def take(self, event: Any, on_text: Callable[[str], None]) -> None:
        """Take in one event of the stream."""

    @abstractmethod
    def usage(self) -> Usage:
        """Tokens of a complete answer."""

    def most(self) -> Usage:
        """The most that a lost answer can be charged with: more of it was written than ever arrived."""
        return Usage(self.size.tokens_in, self.size.tokens_out)

    def completion(self) -> Completion:
        """Raises TryAgain if the end is missing: a stream may be closed as if all of it had been sent."""
        if not self.begun:
            raise TryAgain("its answer is not a message", tries=2)
        text = "".join(self._texts)
        if self.stop is not None:
            return Completion(text, self.stops.get(self.stop, "end"), self.usage())
        if self.endless:
            return Completion(text, "max_tokens", self.most())
        raise cut_off(self.most())

    def say(self, text: Any, on_text: Callable[[str], None]) -> None:
        """Take in a piece of the text, if it is one."""
        if isinstance(text, str) and text:
            self._texts.append(text)
            on_text(text)
            self.hear(text)

    def hear(self, piece: Any) -> None:
        """Take in a piece of what is said or thought, if it is one."""
        if not isinstance(piece, str):
            return
        self.characters += len(piece)
        self._unseen += len(piece)
        self._tail = (self._tail + piece)[-_TAIL:]
        if self._unseen >= _STEP:
            self._unseen = 0
            room = self.size.tokens_out + (THINKING_TOKENS if self.thought else 0)
            self.endless = self.characters > _LONGEST * room or goes_in_circles(self._tail)


@asynccontextmanager
async def time_limit(answer: StreamedAnswer, silence: float, *, here: bool) -> AsyncIterator[Callable[[], None]]:
    """Bounds the time in which an answer is heard, from the request to its last byte.

    To be called at each event is what it yields. Raises TimeoutError after `silence` seconds without a word, and after
    `WHOLE`, or `WHOLE_HERE` on this machine, in any case.
    """
    clock = asyncio.get_running_loop().time
    end = clock() + (WHOLE_HERE if here else WHOLE)
    heard = 0

    def go_on() -> None:
        nonlocal heard
        if answer.characters > heard:
            heard = answer.characters
            limit.reschedule(min(clock() + silence, end))

    async with asyncio.timeout_at(min(clock() + silence, end)) as limit:
        yield go_on


def goes_in_circles(text: str) -> bool:
    """True if `text` ends in the same words four times over or more, and for 600 characters or more."""
    before = text.rfind(text[-_SAMPLE:], 0, len(text) - 1)
    if before < 0 or len(text) < _LEAST:
        return False
    turn = len(text) - _SAMPLE - before
    times = max(_TIMES, -(-_LEAST // turn))
    return text.endswith(text[-turn:] * times)

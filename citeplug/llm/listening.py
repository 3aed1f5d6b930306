"""What is heard of an answer while it comes, and whether it says the same over and over.

Small models do so until their room is full.
"""

from collections.abc import Callable

from citeplug.records.dialogue import Heard

_STEP = 200  # characters between two looks at what was said
_TAIL = 4_000  # characters that are looked at
_LONGEST = 40  # characters for each token of room; a server may take no notice of the room
_LEAST = 600  # characters of nothing new
_TIMES = 4
_SAMPLE = 40


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


class Ear:
    """Hears an answer piece by piece, thoughts too.

    `endless` is whether nothing more of use will come: it says the same over and over, or more than it has room for.
    `characters` is how many were heard.
    """

    def __init__(self) -> None:
        self.endless = False
        self.characters = 0
        self._tail = ""
        self._unseen = 0

    def hear(self, piece: str, room: int) -> None:
        """`room` is in tokens, for all that is said and thought."""
        self.characters += len(piece)
        self._unseen += len(piece)
        self._tail = (self._tail + piece)[-_TAIL:]
        if self._unseen >= _STEP:
            self._unseen = 0
            self.endless = self.characters > _LONGEST * room or goes_in_circles(self._tail)


def goes_in_circles(text: str) -> bool:
    """True if `text` ends in the same words four times over or more, and for 600 characters or more."""
    before = text.rfind(text[-_SAMPLE:], 0, len(text) - 1)
    if before < 0 or len(text) < _LEAST:
        return False
    turn = len(text) - _SAMPLE - before
    times = max(_TIMES, -(-_LEAST // turn))
    return text.endswith(text[-turn:] * times)

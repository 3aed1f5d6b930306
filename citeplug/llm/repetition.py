"""Telling when a model says the same over and over, as small ones do until their room is full.

Every protocol's adapter hears with the same ear; what is hung up on stops.
"""

_STEP = 200  # characters between two looks at what was said
_TAIL = 4_000  # characters that are looked at
_LONGEST = 40  # characters for each token of room; a server may take no notice of the room
_LEAST = 600  # characters of nothing new
_TIMES = 4
_SAMPLE = 40


def goes_in_circles(text: str) -> bool:
    """True if `text` ends in the same words four times over or more, and for 600 characters or more."""
    before = text.rfind(text[-_SAMPLE:], 0, len(text) - 1)
    if before < 0 or len(text) < _LEAST:
        return False
    turn = len(text) - _SAMPLE - before
    times = max(_TIMES, -(-_LEAST // turn))
    return text.endswith(text[-turn:] * times)


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

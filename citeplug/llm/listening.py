"""What is heard of an answer while it comes."""

from collections.abc import Callable

from citeplug.records.dialogue import Heard


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

"""Telling when a model says the same over and over, as small ones do until their room is full."""

_LEAST = 600  # characters of nothing new
_TIMES = 4
_SAMPLE = 40


def goes_in_circles(text: str) -> bool:
    """Whether `text` ends in the same words four times over or more, and for 600 characters or more."""
    before = text.rfind(text[-_SAMPLE:], 0, len(text) - 1)
    if before < 0 or len(text) < _LEAST:
        return False
    turn = len(text) - _SAMPLE - before
    times = max(_TIMES, -(-_LEAST // turn))
    return text.endswith(text[-turn:] * times)

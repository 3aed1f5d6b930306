"""A budget for the text that macros stand for: ten lines that double each other make more than a machine holds."""

LONGEST_VALUE = 20_000  # code points that macros may stand for in one value, name or list of keys
_AT_LEAST = 10_000_000


class Expansion:
    """The budget for one document or .bib file, or, `within` that, for a part of it.

    `limit` and `left` are in code points.
    """

    def __init__(self, limit: int = _AT_LEAST, within: "Expansion | None" = None) -> None:
        self.limit = self.left = limit
        self._within = within
        self._hit: int | None = None

    def grow(self, size: int) -> None:
        """Allow `size` more: a long document has more uses of what its macros say."""
        self.limit += size
        self.left += size

    def take(self, size: int) -> bool:
        """Count `size` more; False, and nothing counted, where that is too much."""
        if size > self.left:
            self._refuse(self.limit)
            return False
        if self._within is not None and not self._within.take(size):
            return False
        self.left -= size
        return True

    def refused(self) -> int | None:
        """The limit that was in the way, if something was refused since this was asked last."""
        hit, self._hit = self._hit, None
        return hit

    def _refuse(self, limit: int) -> None:
        self._hit = limit
        if self._within is not None:
            self._within._refuse(limit)

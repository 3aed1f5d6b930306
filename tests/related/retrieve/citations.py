"""A citation graph over a dictionary, as `protocols.CitationSource`."""

from collections.abc import Mapping, Sequence

from citeplug.records.passage import Mentioned, Reference


class Citations:
    """`lists` holds what a paper cites, in any order. `asked` are the papers whose lists or citers were asked for."""

    def __init__(
        self, lists: Mapping[str, Sequence[str]], unresolved: Mapping[str, Sequence[Reference]] | None = None
    ) -> None:
        self._lists = lists
        self._unresolved = unresolved or {}
        self.asked: set[str] = set()
        self.said: dict[str, Sequence[Mentioned]] = {}

    def references(self, ids: Sequence[str], most: int) -> Mapping[str, tuple[str, ...]]:
        self.asked |= set(ids)
        return {value: tuple(self._lists[value][:most]) for value in ids if self._lists.get(value)}

    def citers(self, ids: Sequence[str], most: int) -> Mapping[str, tuple[str, ...]]:
        self.asked |= set(ids)
        found = {value: [citing for citing, cited in self._lists.items() if value in cited] for value in ids}
        return {value: tuple(citing[:most]) for value, citing in found.items() if citing}

    def states(self, ids: Sequence[str]) -> Mapping[str, str]:
        return {value: "known" if self._lists[value] else "none" for value in ids if value in self._lists}

    def unresolved(self, ids: Sequence[str]) -> Mapping[str, Sequence[Reference]]:
        return {value: self._unresolved[value] for value in ids if value in self._unresolved}

    def mentions(self, cited: str, most: int) -> Sequence[Mentioned]:
        return self.said.get(cited, ())[:most]

    def stamp(self) -> str:
        return str(len(self._lists) or "")

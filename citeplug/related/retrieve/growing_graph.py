"""The citation graph while a run asks for lists of references that are not known yet, a paper at a time."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from citeplug.errors import SourceUnavailable, StoreBusy
from citeplug.protocols import CitationSource, ListSource
from citeplug.records.paper import Paper
from citeplug.records.passage import Mentioned, Reference

SECONDS = 60.0  # of one run, for all lists together: some 60 of them
_HAD = ("known", "none")  # states of lists that need not be asked for


@dataclass(slots=True)
class GrowingGraph:
    """`graph`, whose unknown lists are asked for from `lists` when they are needed, until `seconds` are over.

    `records` gives papers by id; what it does not know is not asked for. `on_progress` is called with (lists asked for,
    lists wanted). `fetched` lists came, `silent` papers have none anywhere, `left` were not asked for, for want of time
    or after an outage, which is in `outage`.
    """

    graph: CitationSource
    lists: ListSource
    records: Callable[[Sequence[str]], Mapping[str, Paper]]
    on_progress: Callable[[int, int], None] = lambda done, total: None
    seconds: float = SECONDS
    fetched: int = 0
    silent: int = 0
    left: set[str] = field(default_factory=set)
    outage: SourceUnavailable | StoreBusy | None = None
    _asked: set[str] = field(default_factory=set)
    _spent: float = 0.0

    def references(self, ids: Sequence[str], most: int) -> Mapping[str, tuple[str, ...]]:
        self._grow(ids)
        return self.graph.references(ids, most)

    def citers(self, ids: Sequence[str], most: int) -> Mapping[str, tuple[str, ...]]:
        return self.graph.citers(ids, most)

    def mentions(self, cited: str, most: int) -> Sequence[Mentioned]:
        return self.graph.mentions(cited, most)

    def states(self, ids: Sequence[str]) -> Mapping[str, str]:
        self._grow(ids)
        return self.graph.states(ids)

    def unresolved(self, ids: Sequence[str]) -> Mapping[str, Sequence[Reference]]:
        return self.graph.unresolved(ids)

    def stamp(self) -> str:
        return self.graph.stamp()

    def _grow(self, ids: Sequence[str]) -> None:
        states = self.graph.states(ids)
        missing = [v for v in dict.fromkeys(ids) if states.get(v) not in _HAD and v not in self._asked]
        papers = self.records(missing) if missing else {}
        wanted = [papers[value] for value in missing if value in papers and papers[value].id.on_arxiv]
        for number, paper in enumerate(wanted):
            self.on_progress(number, len(wanted))
            value = paper.id.value
            if self.outage is not None or self._spent >= self.seconds:
                self.left.add(value)
                continue
            began = time.monotonic()
            try:
                self.lists.fetch(paper)
            except (SourceUnavailable, StoreBusy) as error:
                self.outage = error
                self.left.add(value)
                continue
            finally:
                self._spent += time.monotonic() - began
            self._asked.add(value)
            self.left.discard(value)
            if self.graph.states([value]).get(value) in _HAD:
                self.fetched += 1
            else:
                self.silent += 1

    @property
    def in_words(self) -> str:
        """What was asked for, and what was not."""
        parts = [f"{self.fetched} asked for now"]
        parts += [f"{self.silent} that nobody has"] * (self.silent > 0)
        why = f"{self.outage}" if self.outage is not None else f"{self.seconds:g} s were over"
        parts += [f"{len(self.left)} left, since {why}"] * bool(self.left)
        return ", ".join(parts)

"""Account of a run's requests to a language model, by stage, and the most that the next could cost."""

import math
import threading
from collections.abc import Mapping
from dataclasses import dataclass

from citeplug.llm.budget import Bill, Left
from citeplug.llm.known_models import Usage, price_of
from citeplug.llm.provider import Provider, Size
from citeplug.records.dialogue import Stage


@dataclass(frozen=True, slots=True)
class Models:
    """The model of each stage: `default`, save where `by_stage` names another."""

    default: str
    by_stage: Mapping[Stage, str]

    def of(self, stage: Stage) -> str:
        return self.by_stage.get(stage, self.default)

    def all(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self.default, *self.by_stage.values())))


@dataclass(frozen=True, slots=True)
class Spent:
    """Usage of one stage so far. `calls` are requests really sent, `kept` answers that were there already; `cost` is
    in US dollars, 0 where it is unknown."""

    calls: int = 0
    kept: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0


class Ledger:
    """Prices requests and keeps the sums. Threads may share it."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider
        self._spent: dict[Stage, Spent] = {}
        self._lock = threading.Lock()

    @property
    def spent(self) -> dict[Stage, Spent]:
        with self._lock:
            return dict(self._spent)

    def note(self, stage: Stage, more: Spent) -> None:
        with self._lock:
            old = self._spent.get(stage, Spent())
            self._spent[stage] = Spent(
                old.calls + more.calls,
                old.kept + more.kept,
                old.tokens_in + more.tokens_in,
                old.tokens_out + more.tokens_out,
                old.cost + more.cost,
            )

    def charge(self, model: str, stage: Stage, usage: Usage, bill: Bill) -> None:
        """Put what one try took on the bill, and to the sums."""
        price = price_of(self._provider.prices(model), usage.tokens_in)
        cost = price.of(usage) if price is not None else 0.0
        bill.cost += cost
        bill.tokens += usage.tokens_in + usage.tokens_out
        self.note(stage, Spent(tokens_in=usage.tokens_in, tokens_out=usage.tokens_out, cost=cost))

    def most(self, model: str, size: Size) -> float:
        """The most that a request of this size can cost, in US dollars; 0 where the price is unknown."""
        price = price_of(self._provider.prices(model), size.tokens_in)
        if price is None:
            return 0.0
        dearest = max(price.tokens_in, price.stored)
        return (size.tokens_in * dearest + size.tokens_out * price.tokens_out) / 1e6

    def room(self, model: str, size: Size, left: Left) -> int:
        """Tokens that an answer may take of what is left, after its request; below 0 if nothing is left."""
        price = price_of(self._provider.prices(model), size.tokens_in)
        room = left.tokens - size.tokens_in
        if price is None or not price.tokens_out:
            return room
        asked = size.tokens_in * max(price.tokens_in, price.stored) / 1e6
        return min(room, math.floor((left.cost - asked) / price.tokens_out * 1e6)) if left.cost < math.inf else room

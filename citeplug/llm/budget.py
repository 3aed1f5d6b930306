"""A bound that is never passed: what a request may cost is set aside before it is sent, and settled after."""

import asyncio
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from citeplug.errors import BudgetReached
from citeplug.llm.daily_limit import DailyLimit, Spent

_ENOUGH = 10**15  # tokens
_SLACK = 1e-9  # dollars: sums of floats


@dataclass(slots=True)
class Bill:
    """The cost of a request; raised by those who ask as they learn it."""

    cost: float = 0.0
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Left:
    """US dollars and tokens that may still be spent; without a bound infinite, or as good as that."""

    cost: float
    tokens: int


class Budget:
    """At most `max_cost` US dollars and `max_tokens` tokens, read and written; None: no bound.

    For one event loop. `cost` and `tokens` are what was spent so far. `daily` bounds what all processes spend in a day.
    """

    def __init__(
        self, max_cost: float | None = None, max_tokens: int | None = None, daily: DailyLimit | None = None
    ) -> None:
        self._daily = daily
        self.max_cost = max_cost
        self.max_tokens = max_tokens
        self.cost = 0.0
        self.tokens = 0
        self._held: list[Bill] = []
        self._waiting: list[asyncio.Future[None]] = []

    @property
    def bounded(self) -> bool:
        return self.max_cost is not None or self.max_tokens is not None or self._daily is not None

    def fits(self, cost: float, tokens: int) -> bool:
        """True if this much could be spent, even if nothing that is under way were charged."""
        today = self._daily is None or self._daily.fits(cost, tokens)
        return today and self._within(self.cost + cost, self.tokens + tokens)

    def is_free(self, cost: float, tokens: int) -> bool:
        """True if this much could be spent beside all that is under way."""
        return self.fits(cost, tokens) and self._free(Bill(cost, tokens))

    @property
    def left(self) -> Left:
        """What could be spent if nothing that is under way were charged."""
        return self._left(0.0, 0, sum(held.cost for held in self._held), sum(held.tokens for held in self._held))

    @property
    def free(self) -> Left:
        """What could be spent beside all that is under way."""
        return self._left(sum(held.cost for held in self._held), sum(held.tokens for held in self._held), 0.0, 0)

    def _left(self, cost: float, tokens: int, cost_today: float, tokens_today: int) -> Left:
        """What is left after `cost` and `tokens`; the day's sums have what is under way already, and get it back."""
        own_cost = math.inf if self.max_cost is None else self.max_cost - self.cost - cost
        own_tokens = _ENOUGH if self.max_tokens is None else self.max_tokens - self.tokens - tokens
        if self._daily is None:
            return Left(own_cost, own_tokens)
        try:
            today = self._daily.left()
        except BudgetReached:
            return Left(0.0, 0)
        return Left(min(own_cost, today.cost + cost_today), min(own_tokens, today.tokens + tokens_today))

    @asynccontextmanager
    async def hold(self, cost: float, tokens: int) -> AsyncIterator[Bill]:
        """Set aside this much, waiting for what is under way; in the end, what the bill says is spent.

        Raises BudgetReached if it could pass the budget though nothing else is under way.
        """
        held = Bill(cost, tokens)
        bill = Bill()
        while not self._take(held):
            freed = asyncio.get_running_loop().create_future()
            self._waiting.append(freed)
            await freed
        self._held.append(held)
        try:
            yield bill
        finally:
            if self._daily is not None:
                self._daily.settle(Spent(cost, tokens), Spent(bill.cost, bill.tokens))
            self._held = [other for other in self._held if other is not held]
            self.cost += bill.cost
            self.tokens += bill.tokens
            self._wake()

    def _take(self, held: Bill) -> bool:
        """True if this much is free now; taken from the day's, if it is. Raises BudgetReached if it never will be."""
        if not self._within(self.cost + held.cost, self.tokens + held.tokens):
            raise BudgetReached(
                self._message(held.cost, held.tokens), "raise --max-cost or --max-tokens, or take a cheaper model"
            )
        if not self._free(held):
            return False
        try:
            if self._daily is not None:
                self._daily.take(held.cost, held.tokens)
        except BudgetReached:
            # What is under way mostly takes less than was set aside for it.
            if not self._held:
                raise
            return False
        return True

    def _wake(self) -> None:
        waiting, self._waiting = self._waiting, []
        for freed in waiting:
            if not freed.done():
                freed.set_result(None)

    def _free(self, wanted: Bill) -> bool:
        cost = self.cost + wanted.cost + sum(held.cost for held in self._held)
        return self._within(cost, self.tokens + wanted.tokens + sum(held.tokens for held in self._held))

    def _within(self, cost: float, tokens: int) -> bool:
        return (self.max_cost is None or cost <= self.max_cost + _SLACK) and (
            self.max_tokens is None or tokens <= self.max_tokens
        )

    def _message(self, cost: float, tokens: int) -> str:
        if self.max_cost is not None and self.cost + cost > self.max_cost + _SLACK:
            return (
                f"the next request could cost ${cost:.4f}, and of ${self.max_cost:g}"
                f" ${max(0.0, self.max_cost - self.cost):.4f} are left"
            )
        return (
            f"the next request could take {tokens} tokens, and of {self.max_tokens}"
            f" {max(0, (self.max_tokens or 0) - self.tokens)} are left"
        )

"""A bound that is never passed: what a request may cost is set aside before it is sent, and settled after."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from citeplug.errors import BudgetReached
from citeplug.llm.daily_limit import Amount, DailyLimit, bound


@dataclass(slots=True)
class Bill:
    """The amount of a request; raised by those who ask as they learn it."""

    amount: Amount = field(default_factory=Amount)


class Budget:
    """At most `max_cost` US dollars and `max_tokens` tokens, read and written; None: no bound.

    For one event loop. `daily` bounds what all processes spend in a day.
    """

    def __init__(
        self, max_cost: float | None = None, max_tokens: int | None = None, daily: DailyLimit | None = None
    ) -> None:
        self._daily = daily
        self._bound = bound(max_cost, max_tokens)
        self._spent = Amount()
        self._held = Amount()
        self._requests = 0  # under way
        self._freed = asyncio.Event()

    def limit(self, max_cost: float) -> None:
        """Spend at most so many dollars, and no more than before."""
        self._bound = self._bound.at_most(bound(max_cost, None))

    @property
    def bounded(self) -> bool:
        return self._daily is not None or self._bound != bound(None, None)

    @property
    def left(self) -> Amount:
        """What could be spent if nothing that is under way were charged."""
        # The day's sums have what is under way already.
        return (self._bound - self._spent).at_most(self._left_today() + self._held)

    @property
    def free(self) -> Amount:
        """What could be spent beside all that is under way."""
        return (self._bound - self._spent - self._held).at_most(self._left_today())

    def _left_today(self) -> Amount:
        try:
            return bound(None, None) if self._daily is None else self._daily.left()
        except BudgetReached:
            return Amount()

    @asynccontextmanager
    async def hold(self, amount: Amount) -> AsyncIterator[Bill]:
        """Set aside this much, waiting for what is under way; in the end, what the bill says is spent.

        Raises BudgetReached if it could pass the budget though nothing else is under way.
        """
        while not self._take(amount):
            self._freed.clear()
            await self._freed.wait()
        bill = Bill()
        self._held += amount
        self._requests += 1
        try:
            yield bill
        finally:
            if self._daily is not None:
                self._daily.settle(amount, bill.amount)
            self._requests -= 1
            self._held = self._held - amount if self._requests else Amount()
            self._spent += bill.amount
            self._freed.set()

    def _take(self, amount: Amount) -> bool:
        """True if this much is free now; taken from the day's, if it is. Raises BudgetReached if it never will be."""
        if not (self._spent + amount).fits(self._bound):
            raise BudgetReached(self._message(amount), "raise --max-cost or --max-tokens, or use a cheaper model")
        if not (self._spent + self._held + amount).fits(self._bound):
            return False
        try:
            if self._daily is not None:
                self._daily.take(amount)
        except BudgetReached:
            # What is under way mostly takes less than was set aside for it.
            if not self._requests:
                raise
            return False
        return True

    def _message(self, amount: Amount) -> str:
        most, left = self._bound, (self._bound - self._spent).at_least(Amount())
        if not Amount(amount.cost).fits(left):
            return f"the next request could cost ${amount.cost:.4f}, and of ${most.cost:g} ${left.cost:.4f} are left"
        return f"the next request could take {amount.tokens} tokens, and of {most.tokens} {left.tokens} are left"

"""Bound on a day's spending, over all processes: kept in a file, set aside before a request and settled after."""

import contextlib
import json
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from citeplug.errors import BudgetReached, CannotWrite
from citeplug.files.atomic import write_atomically

FILE = "spent-today.json"
_SLACK = 1e-9  # dollars: sums of floats
_PATIENCE = 10.0  # seconds for another process that holds the file
_LARGEST = 10_000  # bytes


@dataclass(frozen=True, slots=True)
class Spent:
    """Sums set aside or spent on one day, in US dollars and in tokens read and written."""

    cost: float = 0.0
    tokens: int = 0


class DailyLimit:
    """At most `max_cost` US dollars and `max_tokens` tokens in a day of the user's clock; None: no bound.

    What is set aside stays spent if its process is killed: the service may have charged for it. Where the file cannot
    be read or written, nothing may be spent.
    """

    def __init__(
        self,
        home: Path,
        max_cost: float | None,
        max_tokens: int | None,
        today: Callable[[], date] = date.today,
    ) -> None:
        self._path = home / FILE
        self.max_cost = max_cost
        self.max_tokens = max_tokens
        self._today = today

    def spent(self) -> Spent:
        """Sums spent today so far. Raises BudgetReached if they cannot be read."""
        return self._read()[1]

    def left(self) -> Spent:
        """Sums that may still be spent today; without a bound infinite, or as good as that."""
        spent = self.spent()
        cost = math.inf if self.max_cost is None else max(0.0, self.max_cost - spent.cost)
        tokens = 10**15 if self.max_tokens is None else max(0, self.max_tokens - spent.tokens)
        return Spent(cost, tokens)

    def fits(self, cost: float, tokens: int) -> bool:
        """True if this much could be spent today."""
        try:
            left = self.left()
        except BudgetReached:
            return False
        return cost <= left.cost + _SLACK and tokens <= left.tokens

    def take(self, cost: float, tokens: int) -> None:
        """Set this much aside. Raises BudgetReached if it is more than is left."""
        with self._alone():
            day, spent = self._read()
            if not self.fits(cost, tokens):
                raise BudgetReached(self._message(spent, cost, tokens), "raise the bound in config.toml, or wait a day")
            self._write(day, Spent(spent.cost + cost, spent.tokens + tokens))

    def settle(self, taken: Spent, spent: Spent) -> None:
        """Settle: `taken` came to `spent`. If the file cannot be written, all of it counts as spent."""
        with contextlib.suppress(BudgetReached), self._alone():
            day, so_far = self._read()
            cost = max(0.0, so_far.cost + spent.cost - taken.cost)
            self._write(day, Spent(cost, max(0, so_far.tokens + spent.tokens - taken.tokens)))

    @contextmanager
    def _alone(self) -> Iterator[None]:
        from filelock import FileLock, Timeout

        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with FileLock(f"{self._path}.lock", timeout=_PATIENCE):
                yield
        except (OSError, Timeout, CannotWrite) as error:
            raise BudgetReached(
                f"today's spending cannot be recorded in {self._path}", "make the folder writable, or free some room"
            ) from error

    def _read(self) -> tuple[str, Spent]:
        """The day that counts, and what was spent on it. A clock that was put back does not begin a new day."""
        today = self._today().isoformat()
        try:
            with self._path.open("rb") as stream:
                said = json.loads(stream.read(_LARGEST))
            day, cost, tokens = str(said["day"]), float(said["cost"]), int(said["tokens"])
            date.fromisoformat(day)
            if not (0 <= cost < math.inf and tokens >= 0):
                raise ValueError(cost)
        except FileNotFoundError:
            return today, Spent()
        except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
            raise BudgetReached(
                f"today's spending cannot be read from {self._path}", "remove the file if you are sure"
            ) from error
        return (day, Spent(cost, tokens)) if day >= today else (today, Spent())

    def _write(self, day: str, spent: Spent) -> None:
        said = {"day": day, "cost": round(spent.cost, 9), "tokens": spent.tokens}
        write_atomically(self._path, (json.dumps(said) + "\n").encode())

    def _message(self, spent: Spent, cost: float, tokens: int) -> str:
        if self.max_cost is not None and spent.cost + cost > self.max_cost + _SLACK:
            next_one, bound, so_far = f"${cost:.4f}", f"${self.max_cost:g}", f"${spent.cost:.4f}"
        else:
            next_one, bound, so_far = f"{tokens} tokens", f"{self.max_tokens}", f"{spent.tokens}"
        return f"the next request could take {next_one}, and of today's {bound} {so_far} are spent"

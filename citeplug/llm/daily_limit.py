"""Bound on a day's spending, over all processes: kept in a file, set aside before a request and settled after."""

import contextlib
import json
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

from citeplug.errors import BudgetReached, CannotWrite
from citeplug.files.atomic import write_atomically

FILE = "spent-today.json"
_SLACK = 1e-9  # dollars: sums of floats
_LOCK_TIMEOUT = 10.0  # seconds for another process that holds the file
_LARGEST = 10_000  # bytes


@dataclass(frozen=True, slots=True)
class Amount:
    """US dollars, and tokens read and written; infinite where there is no bound."""

    cost: float = 0.0
    tokens: float = 0

    def __add__(self, other: "Amount") -> "Amount":
        return Amount(self.cost + other.cost, self.tokens + other.tokens)

    def __sub__(self, other: "Amount") -> "Amount":
        return Amount(self.cost - other.cost, self.tokens - other.tokens)

    def fits(self, bound: "Amount") -> bool:
        """True if this is not more than `bound`, of dollars or of tokens."""
        return self.cost <= bound.cost + _SLACK and self.tokens <= bound.tokens

    def at_least(self, other: "Amount") -> "Amount":
        """The larger of both, of dollars and of tokens."""
        return Amount(max(self.cost, other.cost), max(self.tokens, other.tokens))

    def at_most(self, other: "Amount") -> "Amount":
        """The smaller of both, of dollars and of tokens."""
        return Amount(min(self.cost, other.cost), min(self.tokens, other.tokens))


def bound(max_cost: float | None, max_tokens: int | None) -> Amount:
    """The bound on both; None: no bound."""
    return Amount(math.inf if max_cost is None else max_cost, math.inf if max_tokens is None else max_tokens)


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
        self._bound = bound(max_cost, max_tokens)
        self._today = today

    def spent(self) -> Amount:
        """The amount spent today so far. Raises BudgetReached if it cannot be read."""
        return self._read()[1]

    def left(self) -> Amount:
        """The amount that may still be spent today. Raises BudgetReached if it cannot be read."""
        return (self._bound - self.spent()).at_least(Amount())

    def take(self, amount: Amount) -> None:
        """Set this much aside. Raises BudgetReached if it is more than is left."""
        with self._alone():
            day, spent = self._read()
            if not (spent + amount).fits(self._bound):
                raise BudgetReached(self._message(spent, amount), "raise the limit in config.toml, or wait a day")
            self._write(day, spent + amount)

    def settle(self, taken: Amount, spent: Amount) -> None:
        """Settle: `taken` came to `spent`. If the file cannot be written, all of it counts as spent."""
        with contextlib.suppress(BudgetReached), self._alone():
            day, so_far = self._read()
            self._write(day, (so_far + spent - taken).at_least(Amount()))

    @contextmanager
    def _alone(self) -> Iterator[None]:
        from filelock import FileLock, Timeout

        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with FileLock(f"{self._path}.lock", timeout=_LOCK_TIMEOUT):
                yield
        except (OSError, Timeout, CannotWrite) as error:
            raise BudgetReached(
                f"today's spending cannot be recorded in {self._path}", "make the folder writable, or free some space"
            ) from error

    def _read(self) -> tuple[str, Amount]:
        """The day that counts, and what was spent on it. A clock that was put back does not begin a new day."""
        today = self._today().isoformat()
        try:
            with self._path.open("rb") as stream:
                record = json.loads(stream.read(_LARGEST))
            day, cost, tokens = str(record["day"]), float(record["cost"]), int(record["tokens"])
            date.fromisoformat(day)
            if not (0 <= cost < math.inf and tokens >= 0):
                raise ValueError(cost)
        except FileNotFoundError:
            return today, Amount()
        except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
            raise BudgetReached(
                f"today's spending cannot be read from {self._path}", "remove the file if you are sure"
            ) from error
        return (day, Amount(cost, tokens)) if day >= today else (today, Amount())

    def _write(self, day: str, spent: Amount) -> None:
        record = {"day": day, **asdict(spent), "cost": round(spent.cost, 9)}
        write_atomically(self._path, (json.dumps(record) + "\n").encode())

    def _message(self, spent: Amount, amount: Amount) -> str:
        if spent.cost + amount.cost > self._bound.cost + _SLACK:
            next_one, most, so_far = f"${amount.cost:.4f}", f"${self._bound.cost:g}", f"${spent.cost:.4f}"
        else:
            next_one, most, so_far = f"{amount.tokens} tokens", f"{self._bound.tokens}", f"{spent.tokens}"
        return f"the next request could take {next_one}, and of today's {most} {so_far} are spent"

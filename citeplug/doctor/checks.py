"""Running of checks: each by itself, so that a failing one does not stop the others."""

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from citeplug.errors import CiteplugError

State = Literal["ok", "hint", "problem", "skipped"]
LIMIT = 8.0  # seconds for one check


@dataclass(frozen=True, slots=True)
class Result:
    """Result of a check. `message` says what was found; `fix` what to do about a hint or a problem."""

    name: str
    state: State
    message: str
    fix: str = ""


Check = Callable[[], Iterable[Result]]


def ok(name: str, message: str) -> Result:
    return Result(name, "ok", message)


def hint(name: str, message: str, fix: str) -> Result:
    return Result(name, "hint", message, fix)


def problem(name: str, message: str, fix: str) -> Result:
    return Result(name, "problem", message, fix)


def skipped(name: str, message: str) -> Result:
    return Result(name, "skipped", message)


def run_checks(checks: Sequence[tuple[str, Check]], limit: float = LIMIT) -> list[Result]:
    """Run all checks at the same time, each for `limit` seconds; return the results in the order of the checks.

    A check that raises, or does not end in time, gives a problem.
    """
    runs = [_Run(name, check) for name, check in checks]
    for run in runs:
        run.thread.start()
    end = time.monotonic() + limit
    for run in runs:
        run.thread.join(max(0.0, end - time.monotonic()))
    return [result for run in runs for result in run.results(limit)]


class _Run:
    def __init__(self, name: str, check: Check) -> None:
        self.name = name
        self.check = check
        self.found: list[Result] | None = None
        # A daemon, so that a check that hangs does not keep the process alive.
        self.thread = threading.Thread(target=self._run, name=f"citeplug-doctor-{name}", daemon=True)

    def _run(self) -> None:
        try:
            self.found = list(self.check())
        except CiteplugError as error:
            self.found = [problem(self.name, str(error), error.hint)]
        except Exception as error:  # becomes a result: one broken check must not hide the others
            self.found = [problem(self.name, f"{type(error).__name__}: {error}", "please report it")]

    def results(self, limit: float) -> list[Result]:
        if self.found is None:
            return [
                problem(
                    self.name,
                    f"the check did not end within {limit:g} seconds",
                    "try again when the machine is less busy",
                )
            ]
        return self.found

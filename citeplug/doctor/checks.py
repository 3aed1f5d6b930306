"""Running of checks: each by itself, so that a failing one does not stop the others."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from citeplug.errors import CiteplugError

State = Literal["ok", "hint", "problem", "skipped"]
LIMIT = 8.0  # seconds for one check


@dataclass(frozen=True, slots=True)
class Result:
    """What a check found. `fix` says what to do about a hint or a problem; `name` is that of the check."""

    state: State
    message: str
    fix: str = ""
    name: str = ""


# None where there is nothing to check. What a check raises is a problem.
Check = Callable[[], Result | None]


def ok(message: str) -> Result:
    return Result("ok", message)


def hint(message: str, fix: str) -> Result:
    return Result("hint", message, fix)


def problem(message: str, fix: str) -> Result:
    return Result("problem", message, fix)


def skipped(message: str) -> Result:
    return Result("skipped", message)


def run_checks(checks: Sequence[tuple[str, Check]], limit: float = LIMIT) -> list[Result]:
    """Run all checks at the same time, each for `limit` seconds; return the results in the order of the checks.

    A check that raises, or does not end in time, gives a problem.
    """
    late = problem(f"the check did not finish within {limit:g} seconds", "try again when the machine is less busy")
    results: dict[str, Result | None] = dict.fromkeys((name for name, _ in checks), late)

    def run(name: str, check: Check) -> None:
        try:
            results[name] = check()
        except CiteplugError as error:
            results[name] = problem(str(error), error.hint)
        except Exception as error:  # becomes a result: one broken check must not hide the others
            results[name] = problem(f"{type(error).__name__}: {error}", "please report it")

    # Daemons, so that a check that hangs does not keep the process alive.
    threads = [
        threading.Thread(target=run, args=check, name=f"citeplug-doctor-{check[0]}", daemon=True) for check in checks
    ]
    for thread in threads:
        thread.start()
    end = time.monotonic() + limit
    for thread in threads:
        thread.join(max(0.0, end - time.monotonic()))
    return [replace(result, name=name) for name, result in list(results.items()) if result is not None]

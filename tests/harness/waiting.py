"""Waiting in tests: for a condition or the end of a process, with a deadline, and never for a time alone."""

import asyncio
import subprocess
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeVar

Value = TypeVar("Value")
SECONDS = 60  # a busy machine takes its time


def until(condition: Callable[[], Value], what: str = "it did not happen", seconds: float = SECONDS) -> Value:
    """The first true value of `condition`. Fails, and says `what`, if none comes within these seconds."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, what
        time.sleep(0.005)
    return value


async def soon(
    condition: Callable[[], Awaitable[Value]],
    what: Callable[[], str] = lambda: "it did not happen",
    seconds: float = SECONDS,
) -> Value:
    """As `until`, of a condition that is awaited."""
    end = time.monotonic() + seconds
    while not (value := await condition()):
        assert time.monotonic() < end, what()
        await asyncio.sleep(0.025)
    return value


def outlives(process: subprocess.Popen[str] | subprocess.Popen[bytes], seconds: float) -> bool:
    """Wait for the end of a process, at most these seconds; True if it runs on."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
    return process.poll() is None

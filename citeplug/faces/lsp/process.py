"""The process that writes: what it is told, what it tells, and its end, whenever it is not wanted any more."""

import asyncio
import contextlib
import json
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from citeplug.errors import CiteplugError, UsageError

_LONGEST = 50_000_000  # bytes of a line


class WriterFailed(CiteplugError):
    """The process that writes ended without a word."""


@dataclass(frozen=True, slots=True)
class Listener:
    """What is done with what the process tells on its way.

    `report` is given a stage, how much of it is done, and how much there is; `text` a line of what is being written;
    `log` what somebody was asked over the network; `consent` what is about to be sent for the first time: it is sent if
    the answer is yes.
    """

    report: Callable[[str, int, int | None], None]
    text: Callable[[str], None]
    log: Callable[[str], None]
    consent: Callable[[str], Awaitable[bool]]


class Writer:
    """One process of `citeplug.faces.lsp.writer`, from `run` to `ended`."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None

    async def run(self, task: Mapping[str, Any], listener: Listener) -> dict[str, Any]:
        """What the process says at its end. Cancelled, it is killed, and has written nothing but its copy.

        Raises UsageError with what was wrong, WriterFailed if it ended without a word.
        """
        process = self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",  # the current folder is the author's project: nothing is imported from it
            "-m",
            "citeplug.faces.lsp.writer",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=_LONGEST,
        )
        assert process.stdin is not None and process.stdout is not None
        try:
            _tell(process.stdin, dict(task))
            while line := await process.stdout.readline():
                said = json.loads(line)
                if "stage" in said:
                    listener.report(said["stage"], said["done"], said["total"])
                elif "text" in said:
                    listener.text(said["text"])
                elif "log" in said:
                    listener.log(said["log"])
                elif "consent" in said:
                    _tell(process.stdin, {"answer": await listener.consent(said["consent"])})
                elif "error" in said:
                    raise UsageError(said["error"], said["hint"])
                else:
                    return dict(said)
        finally:
            self.kill()
        raise WriterFailed("the section could not be written: the process that writes ended", "run 'citeplug doctor'")

    def kill(self) -> None:
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    async def ended(self) -> None:
        """Wait until the process is no more: only then it writes nothing more, not even into its copy."""
        if self._process is not None:
            await self._process.wait()


def _tell(stream: asyncio.StreamWriter, message: Mapping[str, Any]) -> None:
    with contextlib.suppress(ConnectionError):
        stream.write(json.dumps(message).encode() + b"\n")

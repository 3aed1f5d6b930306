"""Writer process: its task, its messages, and its end, also when the run is cancelled."""

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
    """The writer process ended without a result."""


@dataclass(frozen=True, slots=True)
class Listener:
    """Callbacks for the process's messages.

    `report` gets a stage, the amount done and the whole amount; `text` a line of the text being written; `log` a
    request over the network; `consent` a question before the first request to a service, which is sent if it returns
    True.
    """

    report: Callable[[str, int, int | None], None]
    text: Callable[[str], None]
    log: Callable[[str], None]
    consent: Callable[[str], Awaitable[bool]]


class Writer:
    """One process of `citeplug.editor.writer`, from `run` to `ended`."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None

    async def run(self, task: Mapping[str, Any], listener: Listener) -> dict[str, Any]:
        """Run the process and return its result. If cancelled, the process is killed; it writes only to its copy.

        Raises UsageError with the process's error, WriterFailed if it ended without a result.
        """
        process = self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",  # nothing is imported from the current folder, which is the author's project
            "-m",
            "citeplug.editor.writer",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=_LONGEST,
        )
        assert process.stdin is not None and process.stdout is not None
        try:
            _send(process.stdin, dict(task))
            while line := await process.stdout.readline():
                message = json.loads(line)
                if "stage" in message:
                    listener.report(message["stage"], message["done"], message["total"])
                elif "text" in message:
                    listener.text(message["text"])
                elif "log" in message:
                    listener.log(message["log"])
                elif "consent" in message:
                    _send(process.stdin, {"answer": await listener.consent(message["consent"])})
                elif "error" in message:
                    raise UsageError(message["error"], message["hint"])
                else:
                    return dict(message)
        finally:
            self.kill()
        raise WriterFailed(
            "the section could not be written: the writer process ended unexpectedly", "run 'citeplug doctor'"
        )

    def kill(self) -> None:
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    async def ended(self) -> None:
        """Wait until the process has ended: it may write to its copy until then."""
        if self._process is not None:
            await self._process.wait()


def _send(stream: asyncio.StreamWriter, message: Mapping[str, Any]) -> None:
    with contextlib.suppress(ConnectionError):
        stream.write(json.dumps(message).encode() + b"\n")

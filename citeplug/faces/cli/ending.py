"""The end of a command that runs until it is told to stop."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

import click


class _Terminated(BaseException):
    """The system asked the process to end."""


@contextmanager
def ending_on_request() -> Iterator[None]:
    """End within a second, with 130 after Ctrl-C and 0 where the system asks, whatever is being computed."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise _Terminated

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    except (KeyboardInterrupt, _Terminated) as asked:
        click.echo("citeplug: stopped", err=True)
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        # A model that is at work cannot be interrupted; and every file, stores too, is whole at any moment.
        os._exit(130 if isinstance(asked, KeyboardInterrupt) else 0)
    finally:
        signal.signal(signal.SIGTERM, before)

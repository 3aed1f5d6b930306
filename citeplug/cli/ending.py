"""End of a command that runs until it is stopped."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

import click


class _Terminated(BaseException):
    """The process received SIGTERM."""


@contextmanager
def ending_on_request() -> Iterator[None]:
    """End within a second, whatever is being computed: with 130 after Ctrl-C, with 0 after SIGTERM."""

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
        # A running model cannot be interrupted; and files and databases are complete at any moment.
        os._exit(130 if isinstance(asked, KeyboardInterrupt) else 0)
    finally:
        signal.signal(signal.SIGTERM, before)

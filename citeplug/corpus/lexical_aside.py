"""A process beside this one that brings the lexical index up to date while records are taken in."""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import TracebackType


class LexicalAside:
    """Half of the work of taking in is the lexical index's; a second core does it.

    `catalogue` is the file, `folder` that of the index. It helps where it can: whatever goes wrong in the other process
    is left to who asks the index next, who then does the work, and hears why it cannot be done. To be used with `with`.
    """

    def __init__(self, catalogue: Path, folder: Path) -> None:
        # -P: a package in the folder in which citeplug was started must not stand in for one of ours.
        self._command = [sys.executable, "-P", "-m", "citeplug.corpus.lexical_child", str(catalogue), str(folder)]
        self._process: subprocess.Popen[bytes] | None = None
        self._started = False

    def wish(self) -> bool:
        """Have the index brought up to date, without waiting for it. False if there is no process that does it."""
        if not self._started:
            self._started = True
            self._start()
        if self._process is None or self._process.stdin is None:
            return False
        try:
            self._process.stdin.write(b"\n")
            self._process.stdin.flush()
        except OSError:
            return False
        return self._process.poll() is None

    def _start(self) -> None:
        if (os.cpu_count() or 1) < 2:
            return
        with suppress(OSError):
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )

    def __enter__(self) -> "LexicalAside":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Wait for what it is at; after an error, and at a second interruption, it is stopped."""
        process, self._process = self._process, None
        if process is None:
            return
        try:
            if kind is not None:
                process.kill()
            if process.stdin is not None:
                with suppress(OSError):
                    process.stdin.close()
            process.wait()
        except BaseException:
            process.kill()
            raise

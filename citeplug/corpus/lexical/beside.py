"""Child process that updates the lexical index while records are added."""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import TracebackType


class LexicalAside:
    """Child process for half of the work of adding records, on a second core. A context manager.

    `catalogue` is the file, `folder` that of the index. If the child fails, the next search updates the index, and
    reports the error.
    """

    def __init__(self, catalogue: Path, folder: Path) -> None:
        # -P: packages in the current folder must not replace ours.
        self._command = [sys.executable, "-P", "-m", "citeplug.corpus.lexical.child", str(catalogue), str(folder)]
        self._process: subprocess.Popen[bytes] | None = None
        self._started = False

    def request_update(self) -> bool:
        """Have the index updated, without waiting. False if there is no child process."""
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
        """Wait for the child; after an error, and at a second interruption, it is killed."""
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

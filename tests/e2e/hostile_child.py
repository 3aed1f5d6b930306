"""Runs several commands in one process whose memory is bounded, each in its time; tells what became of them as JSON.

Usage: python -m tests.e2e.hostile_child MEMORY SECONDS < a JSON list of argument lists. A command that takes longer
than SECONDS has the code "late"; one that raises what no command should raise has "Traceback" in its words.
"""

import io
import json
import resource
import signal
import sys
import time
import traceback
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from types import FrameType
from typing import Any


class Late(BaseException):
    """The command took too long."""


def _late(number: int, frame: FrameType | None) -> None:
    raise Late


def _run(arguments: list[str], seconds: int) -> dict[str, Any]:
    from citeplug.cli.main import main

    written = io.BytesIO()
    said = io.TextIOWrapper(written, encoding="utf-8")
    code: object = 0
    began = time.monotonic()
    sys.argv = ["citeplug", *arguments]
    signal.alarm(seconds)
    with redirect_stdout(said), redirect_stderr(said):
        try:
            main()
        except SystemExit as end:
            code = end.code or 0
        except Late:
            code = "late"
        except BaseException:
            traceback.print_exc()
            code = "died"
        finally:
            signal.alarm(0)
        said.flush()
    return {"code": code, "said": written.getvalue().decode(), "seconds": time.monotonic() - began}


def run_all() -> None:
    memory, seconds = int(sys.argv[1]), int(sys.argv[2])
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    signal.signal(signal.SIGALRM, _late)
    done = [_run(arguments, seconds) for arguments in json.load(sys.stdin)]
    print(json.dumps({"done": done, "peak": peak()}))


def peak() -> int:
    """Bytes of memory that this program has had at most. (`ru_maxrss` counts those of the process that started it.)"""
    status = Path("/proc/self/status")
    if not status.exists():
        return 0  # no Linux: the bound on addresses alone holds
    return next(int(line.split()[1]) * 1024 for line in status.read_text("ascii").splitlines() if "VmHWM" in line)


if __name__ == "__main__":
    run_all()

"""One writer at a time."""

import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from citeplug.corpus.locking import exclusive
from citeplug.errors import StoreBroken, StoreBusy

HOLDER = """
import sys
from pathlib import Path
from citeplug.corpus.locking import exclusive
with exclusive(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def hold(lock: Path) -> subprocess.Popen[str]:
    """A process that holds the lock until its standard input is closed."""
    command = [sys.executable, "-c", HOLDER, str(lock)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_another_process_that_holds_the_lock_is_waited_for(tmp_path: Path) -> None:
    process = hold(tmp_path / "folder" / "write.lock")
    ending = threading.Timer(0.3, process.communicate)
    ending.start()
    with exclusive(tmp_path / "folder" / "write.lock", wait=20):
        assert process.stdin is not None and process.stdin.closed
    ending.join(20)


def test_who_waits_too_long_is_told_what_to_do(tmp_path: Path) -> None:
    process = hold(tmp_path / "write.lock")
    began = time.monotonic()
    with pytest.raises(StoreBusy, match="another citeplug") as caught, exclusive(tmp_path / "write.lock", wait=0.2):
        pass
    assert time.monotonic() - began < 20
    assert caught.value.hint
    process.kill()
    process.communicate(timeout=20)


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    process = hold(tmp_path / "write.lock")
    process.kill()
    process.communicate(timeout=20)
    with exclusive(tmp_path / "write.lock", wait=5):
        pass


def test_an_error_inside_releases_the_lock_and_is_not_retold(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="mine"), exclusive(tmp_path / "write.lock"):
        raise OSError("mine")
    with exclusive(tmp_path / "write.lock", wait=0):
        pass


def test_a_place_that_cannot_hold_a_lock_is_a_broken_store(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    with pytest.raises(StoreBroken), exclusive(tmp_path / "file" / "write.lock"):
        pass

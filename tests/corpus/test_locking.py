"""One writer at a time."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from citeplug.corpus.locking import exclusive
from citeplug.errors import StoreBroken, StoreBusy

HOLDER = """
import sys, time
from pathlib import Path
from citeplug.corpus.locking import exclusive
with exclusive(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(float(sys.argv[2]))
"""


def hold(lock: Path, seconds: float) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", HOLDER, str(lock), str(seconds)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_another_process_that_holds_the_lock_is_waited_for(tmp_path: Path) -> None:
    process = hold(tmp_path / "folder" / "write.lock", 0.3)
    with exclusive(tmp_path / "folder" / "write.lock", wait=20):
        pass
    process.communicate(timeout=20)


def test_who_waits_too_long_is_told_what_to_do(tmp_path: Path) -> None:
    process = hold(tmp_path / "write.lock", 30)
    began = time.monotonic()
    with pytest.raises(StoreBusy, match="another citeplug") as caught, exclusive(tmp_path / "write.lock", wait=0.2):
        pass
    assert time.monotonic() - began < 20
    assert caught.value.hint
    process.kill()
    process.communicate(timeout=20)


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    process = hold(tmp_path / "write.lock", 30)
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

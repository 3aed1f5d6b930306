"""One watcher for a project."""

import subprocess
import sys
from pathlib import Path

import pytest

from citeplug.errors import AlreadyWatched
from citeplug.sync.watch.loop import only_watcher

HOLD = """
import sys
from pathlib import Path
from citeplug.sync.watch.loop import only_watcher
with only_watcher(Path(sys.argv[1]), Path(sys.argv[2])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_second_watcher_is_told_of_the_first_until_that_is_killed(tmp_path: Path) -> None:
    root = tmp_path / "main.tex"
    command = [sys.executable, "-c", HOLD, str(tmp_path), str(root)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        try:
            assert other.stdout.readline() == "held\n"
            with pytest.raises(AlreadyWatched, match=str(other.pid)), only_watcher(tmp_path, root):
                pass
            with only_watcher(tmp_path, tmp_path / "another.tex"):
                pass
        finally:
            other.kill()
            other.wait(60)
    with only_watcher(tmp_path, root):
        pass


def test_a_watcher_that_ends_leaves_room_for_the_next(tmp_path: Path) -> None:
    for _ in range(2):
        with only_watcher(tmp_path, tmp_path / "main.tex"):
            pass
    assert not list((tmp_path / "watchers").glob("*.pid"))

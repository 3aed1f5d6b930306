"""A disk that takes no more, at any moment of taking in: a clear word, and an index that can be used."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.corpus.records import make_record, write_snapshot

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit for the size of a file")
RECORDS = 3_000


def no_larger_than(size: int) -> Callable[[], None]:
    """For a process: no file of it may become larger than `size` bytes, as if the disk were full."""

    def limit() -> None:
        import resource
        import signal

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


def run(home: Path, *arguments: object, room: int | None = None) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "citeplug", *map(str, arguments)],
        env={**os.environ, "CITEPLUG_HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=240,
        preexec_fn=None if room is None else no_larger_than(room),
    )


def snapshot(tmp_path: Path, first: int, count: int) -> Path:
    def words(number: int) -> str:
        chance = random.Random(number)  # words of chance, which nothing can make shorter
        return " ".join(f"{chance.getrandbits(40):x}" for _ in range(120))

    records = (make_record(number, abstract=words(number)) for number in range(first, first + count))
    return write_snapshot(tmp_path / f"{first}.jsonl", records)


@pytest.mark.parametrize("room", [20_000, 400_000])
def test_a_full_disk_is_told_and_the_same_command_goes_on_when_there_is_room(room: int, tmp_path: Path) -> None:
    file, home = snapshot(tmp_path, 0, RECORDS), tmp_path / "home"
    full = run(home, "index", "add", file, room=room)
    assert full.returncode == 3, full.stderr
    assert "Traceback" not in full.stderr
    assert "disk" in full.stderr
    done = run(home, "index", "add", file, "--json")
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert (said["added"] + said["unchanged"], said["changed"]) == (RECORDS, 0)
    verified = run(home, "index", "verify", "--no-repair", "--json")
    assert (verified.returncode, json.loads(verified.stdout)["problems"]) == (0, [])


def test_what_is_indexed_is_found_on_a_full_disk(tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert run(home, "index", "add", snapshot(tmp_path, 0, 200)).returncode == 0
    assert run(home, "search", "a problem").returncode == 0  # the model is kept now
    # More records than the index has: the search would bring it up to date, and cannot.
    code = (
        "import sys; from citeplug.corpus.stores import open_corpus, settings\n"
        "from citeplug.sources.snapshot import SnapshotReader; from pathlib import Path\n"
        "with open_corpus(settings()) as corpus: corpus.add_papers(list(SnapshotReader(Path(sys.argv[1]))))"
    )
    more = snapshot(tmp_path, 200, 100)
    environment = {**os.environ, "CITEPLUG_HOME": str(home)}
    subprocess.run([sys.executable, "-c", code, str(more)], check=True, env=environment, timeout=120)
    found = run(home, "search", "On problem number 7", "-k", 3, "--json", room=40_000)
    assert found.returncode == 0, found.stderr
    assert json.loads(found.stdout)[0]["id"] == "1801.00007"
    assert "are not found yet" in found.stderr
    assert run(home, "index", "verify", "--json").returncode == 0

"""`citeplug watch` as a process of its own: its output, its end, and what a kill leaves."""

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import Run
from tests.sync.watch.projects import change

PATIENCE = 60.0  # seconds: a busy machine is slow
ABSTRACT = "learns node representations by attention"


class Process:
    """A watcher with `--json`, and its events."""

    def __init__(self, main: Path, *words: str) -> None:
        command = [sys.executable, "-m", "citeplug", "watch", str(main.parent), "--offline", "--json", *words]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.events: queue.Queue[Any] = queue.Queue()
        self.ready = False
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.events.put(json.loads(line))

    def next(self, *events: str) -> Any:
        while True:
            told = self.events.get(timeout=PATIENCE)
            if told["event"] in events:
                return told

    def settle(self, quiet: float = 1.2) -> list[str]:
        """Wait until it watches, makes nothing, and has told nothing for a while; what it told."""
        told: list[str] = []
        while True:
            rests = self.ready and told[-1:] != ["running"]
            try:
                told.append(self.events.get(timeout=quiet if rests else PATIENCE)["event"])
            except queue.Empty:
                return told
            self.ready = self.ready or told[-1] == "watching"

    def kill(self) -> None:
        """End it without a word, as a crash does."""
        self.process.kill()
        self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        if self.process.stdout is not None:
            self.process.stdout.close()

    def end(self, number: int) -> int:
        """The exit code after this signal."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


@contextmanager
def watcher(main: Path, *words: str) -> Iterator[Process]:
    one = Process(main, *words)
    try:
        yield one
    finally:
        one.kill()


@pytest.mark.skipif(os.name == "nt", reason="Windows has other signals")
def test_it_ends_as_it_is_asked_and_a_second_one_is_told_of_it(run: Run, written: Path) -> None:
    with watcher(written) as one:
        said = one.next("watching")
        assert str(written) in said["files"]
        second = run("watch", written.parent, "--offline")
        assert second.code == 1
        assert str(one.process.pid) in second.err
        assert one.end(signal.SIGTERM) == 0
    with watcher(written) as other:
        other.next("watching")
        assert other.end(signal.SIGINT) == 130


def test_a_kill_in_the_middle_of_a_run_leaves_whole_files_and_the_next_one_does_the_rest(
    run: Run, written: Path
) -> None:
    files = [written.parent / "related.tex", written.parent / "related.bib"]
    before = [file.read_bytes() for file in files]
    with watcher(written) as one:
        one.next("watching")
        change(written, ABSTRACT, "tells the classes of nodes by gates")
        one.next("running")
        one.kill()
    assert [file.read_bytes() for file in files] == before
    assert run("status", written, "--fail-on", "due").code == 1
    done = run("watch", written.parent, "--offline", "--once", "--json")
    assert done.code == 0
    assert [json.loads(line)["event"] for line in done.out.splitlines()] in (
        ["running", "written"],
        ["running", "current"],
    )
    assert run("status", written, "--fail-on", "due").code == 0
    done = run("watch", written.parent, "--offline", "--once", "--json")
    assert [json.loads(line)["event"] for line in done.out.splitlines()] == ["current"]


def test_once_makes_a_section_that_is_not_there_yet_and_says_a_line_for_each_step(
    run: Run, home: Path, project: Path
) -> None:
    done = run("watch", project, "--once", "--offline")
    assert done.code == 0, done.err
    assert (project.parent / "related.tex").exists()
    first, second = done.out.splitlines()[:2]
    assert "running" in first
    assert "there is no section yet" in first
    assert "written" in second


def test_once_leaves_to_the_author_what_is_the_authors_and_says_so_by_its_exit_code(run: Run, written: Path) -> None:
    (written.parent / "related.tex").unlink()
    done = run("watch", written, "--once", "--offline")
    assert done.code == 1
    assert "citeplug related" in done.out


def test_once_ends_like_a_run_that_could_not_be_made(run: Run, project: Path) -> None:
    done = run("watch", project, "--once", "--offline")
    assert done.code == 3
    assert "citeplug start" in done.out

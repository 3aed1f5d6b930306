"""Commands killed at random moments: no file is torn, and the next run goes to the end as if nothing had been."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from unittest.mock import patch

from tests.e2e.test_full_disk import no_larger_than
from tests.harness.waiting import outlives, until
from tests.torture.case import Case, Loss, demand
from tests.torture.judge import restore, state_of, torn
from tests.torture.merging import EXAMPLE, LIBRARY

PATIENCE = 300.0  # seconds: a busy machine is slow
_NEAR = 0.5  # share of the kills that wait for the first byte that is written
_JUST_AFTER = 0.03  # seconds
WRONG = b"""@misc{grover2016node2vec,
  title = {node2vec: Scalable Feature Learning for Networks},
  author = {Grover, Aditya and Leskovec, Jure},
  year = {2011},
  eprint = {1607.00653},
  archivePrefix = {arXiv}
}
"""


@dataclass(frozen=True, slots=True)
class Job:
    """A command, the files that it begins with, those that it ends with, and the seconds that it takes."""

    name: str
    words: tuple[str, ...]
    before: dict[str, bytes]
    after: dict[str, bytes]
    seconds: float


class Kills:
    """Commands in the project `folder`/paper with the data directory of CITEPLUG_HOME."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "paper"
        self._jobs: dict[str, Job] = {}
        main = str(self.folder / "main.tex")
        related = ("related", main, "--offline")
        self._wanted: tuple[tuple[str, tuple[str, ...], Callable[[], dict[str, bytes]]], ...] = (
            ("fix", ("fix", str(self.folder / "wrong.bib"), "--offline"), _drafted),
            ("related --insert", (*related, "--insert"), _drafted),
            ("accept", ("accept", main, "--all"), lambda: self._job(1).after),
            ("related, again", related, lambda: _revised(self._job(1).after)),
            ("watch --once", ("watch", str(self.folder), "--offline", "--once"), lambda: _revised(self._job(1).after)),
            ("related", related, _drafted),
        )
        run_here("index", "add", str(LIBRARY))

    def _job(self, number: int) -> Job:
        """The job, done once to its end in a process of its own, as it is when it is killed."""
        name, words, begin = self._wanted[number % len(self._wanted)]
        if name not in self._jobs:
            before = begin()
            restore(self.folder, before)
            start = time.monotonic()
            done = subprocess.run(command(words), cwd=self.folder, capture_output=True, timeout=PATIENCE, check=False)
            if done.returncode:
                raise Loss(f"{name} ended with {done.returncode}: {done.stderr.decode('utf-8', 'replace')[-2000:]}")
            self._jobs[name] = Job(name, words, before, state_of(self.folder), time.monotonic() - start)
        return self._jobs[name]

    def play(self, case: Case) -> None:
        """One kill. Its moment depends on the machine too: the same case may be killed elsewhere."""
        chance = case.chance
        job = self._job(case.number)
        restore(self.folder, job.before)
        near = chance.random() < _NEAR
        stopped = self._kill(job, chance.uniform(0, _JUST_AFTER if near else job.seconds), after_a_write=near)
        now = state_of(self.folder)
        case.counts[f"{job.name}, {'killed' if stopped else 'done before the kill'}"] += 1
        case.counts["  of these with a part of the files written"] += now not in (job.before, job.after)
        self._go_on(job, "a kill")

    def crowd(self, case: Case) -> None:
        """The same command three times at once: some may be refused, and none undoes what another did."""
        job = self._job(case.number)
        restore(self.folder, job.before)
        at_once = [self._start(job) for _ in range(3)]
        for process in at_once:
            case.counts[f"{job.name}, three at once, ended with {self._end(process)}"] += 1
        self._go_on(job, "a crowd")

    def fill_disk(self, case: Case) -> None:
        """No file may become larger than some bytes, be it of the project or of the data directory."""
        job = self._job(case.number)
        restore(self.folder, job.before)
        room = int(10 ** case.chance.uniform(2, 5))
        code = self._end(self._start(job, no_larger_than(room)))
        case.counts[f"{job.name}, disk full, ended with {code}"] += 1
        self._go_on(job, "a full disk")

    def _go_on(self, job: Job, what: str) -> None:
        """Nothing is torn, and the same command goes to its end."""
        demand(torn(job.before, job.after, state_of(self.folder)))
        code, said = run_here(*job.words)
        if code:
            raise Loss(f"{job.name} after {what} ended with {code}: {said[-2000:]}")
        demand(torn(job.after, job.after, state_of(self.folder)))

    def _start(self, job: Job, limit: Callable[[], None] | None = None) -> "subprocess.Popen[bytes]":
        pipe = subprocess.PIPE
        return subprocess.Popen(command(job.words), cwd=self.folder, stdout=pipe, stderr=pipe, preexec_fn=limit)

    def _end(self, process: "subprocess.Popen[bytes]") -> int:
        """The exit code. Raises Loss for a traceback."""
        said = b"".join(process.communicate(timeout=PATIENCE))
        if b"Traceback" in said or process.returncode < 0:
            raise Loss(f"{process.args!r} ended with {process.returncode}: {said.decode('utf-8', 'replace')[-2000:]}")
        return process.returncode

    def _kill(self, job: Job, pause: float, *, after_a_write: bool) -> bool:
        """Kill the command so many seconds after its begin, or its first write; False if it had ended by then."""
        before = self._marks()
        process = subprocess.Popen(
            command(job.words), cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            if after_a_write:
                until(lambda: process.poll() is not None or self._marks() != before, seconds=PATIENCE)
            outlives(process, pause)
        finally:
            process.kill()
            code = process.wait(PATIENCE)
        return code != 0

    def _marks(self) -> list[tuple[str, int]]:
        """What changes when anything is written: the names, and when each folder and file was changed."""
        marks = []
        for folder in (self.folder, self.folder / ".citeplug"):
            try:
                marks += [(entry.path, entry.stat().st_mtime_ns) for entry in os.scandir(folder)]
            except OSError:  # not there, or a file went while it was looked at
                marks.append((str(folder), 0))
        return sorted(marks)


def command(words: tuple[str, ...]) -> list[str]:
    return [sys.executable, "-m", "citeplug", *words]


def _drafted() -> dict[str, bytes]:
    return {**state_of(EXAMPLE), "wrong.bib": WRONG}


def _revised(written: dict[str, bytes]) -> dict[str, bytes]:
    """A written project in which the author went on: in the abstract, and in a sentence of the section."""
    main, related = written["main.tex"], written["related.tex"]
    main = main.replace(rb"\end{abstract}", b"We also study attention over sampled walks.\n\\end{abstract}", 1)
    at = related.index(b"% citeplug:end")
    return {**written, "main.tex": main, "related.tex": related[:at] + b"Zq1q is missing here.\n" + related[at:]}


def run_here(*words: str) -> tuple[int, str]:
    """Run `citeplug WORDS...` in this process, where its libraries are loaded already: exit code and what it said."""
    from citeplug.cli.main import main

    said = StringIO()
    with patch.object(sys, "argv", ["citeplug", *words]), redirect_stdout(said), redirect_stderr(said):
        try:
            main()
        except SystemExit as end:
            code = end.code
            return (code if isinstance(code, int) else int(code is not None)), said.getvalue()
    return 0, said.getvalue()

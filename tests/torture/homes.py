"""Commands on the user's data directory, killed at random moments: the same command goes on to its end, and nothing in
the directory is damaged."""

import json
import os
import shutil
import subprocess
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tests.corpus.fulltext.sources import paper_tex, tar_gz
from tests.corpus.records import make_record, write_snapshot
from tests.harness.arxiv_server import ArxivServer, Fault
from tests.torture.case import Case, Loss
from tests.torture.kills import PATIENCE, command, run_here

_RECORDS, _TEXTS = 600, 12
_IDS = tuple(f"1801.{number:05d}" for number in range(_TEXTS))


@dataclass(frozen=True, slots=True)
class _Job:
    """A command, which of its numbers make up `total` when all is done, and the seconds that it takes."""

    words: tuple[str, ...]
    done: tuple[str, ...]
    total: int


class Homes:
    """A directory with a catalogue of a few papers, and arXiv on loopback with their texts. To be closed."""

    def __init__(self, folder: Path) -> None:
        self.home, self.begun = folder / "home", folder / "begun"
        few = write_snapshot(folder / "few.jsonl", [make_record(number) for number in range(_TEXTS)])
        many = write_snapshot(folder / "many.jsonl", [make_record(number) for number in range(_RECORDS)])
        self._jobs = {
            "index add": _Job(("index", "add", str(many), "--json"), ("added", "updated", "unchanged"), _RECORDS),
            "fetch": _Job(("fetch", *_IDS, "--online", "--json"), ("kept", "fetched"), _TEXTS),
            "prepare": _Job(("prepare", *_IDS, "--json"), ("kept", "made"), _TEXTS),
        }
        server = ArxivServer()
        for number, each in enumerate(_IDS):
            server.put_source(f"{each}v1", tar_gz({"main.tex": paper_tex(f"On problem number {number}")}))
        server.replay(lambda asked: Fault.slow(0.02))
        with ExitStack() as stack:
            stack.enter_context(server.serve())
            own = {"CITEPLUG_HOME": str(self.home), "CITEPLUG_ARXIV_URL": server.url, "CITEPLUG_ARXIV_DELAY": "0"}
            own |= {"CITEPLUG_EPRINT_URL": server.eprint_url, "CITEPLUG_PDF_URL": server.pdf_url}
            stack.enter_context(patch.dict(os.environ, own))
            os.environ.pop("CITEPLUG_OFFLINE", None)
            self._demand("index", "add", str(few))
            shutil.copytree(self.home, self.begun)
            self._open = stack.pop_all()
        self._seconds: dict[str, float] = {}

    def close(self) -> None:
        self._open.close()

    def play(self, case: Case) -> None:
        """One kill; its moment depends on the machine too."""
        name, job = list(self._jobs.items())[case.number % len(self._jobs)]
        if name not in self._seconds:
            self._begin()
            start = time.monotonic()
            self._run(job, None)
            self._seconds[name] = time.monotonic() - start
        self._begin()
        killed = self._run(job, case.chance.uniform(0.2, 1) * self._seconds[name])
        case.counts[f"{name}, {'killed' if killed else 'done before the kill'}"] += 1
        said: dict[str, Any] = json.loads(self._demand(*job.words))
        if sum(said.get(key, 0) for key in job.done) != job.total:
            raise Loss(f"{name} after a kill has not all {job.total}: {said}")
        self._demand("index", "verify", "--no-repair")

    def _begin(self) -> None:
        shutil.rmtree(self.home)
        shutil.copytree(self.begun, self.home)

    def _run(self, job: _Job, pause: float | None) -> bool:
        """True if the command was killed so many seconds after its begin."""
        with subprocess.Popen(command(job.words), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                process.wait(PATIENCE if pause is None else pause)
            except subprocess.TimeoutExpired:
                process.kill()
        return process.returncode < 0

    def _demand(self, *words: str) -> str:
        code, said = run_here(*words)
        if code:
            raise Loss(f"{' '.join(words[:2])} ended with {code}: {said[-2000:]}")
        return said

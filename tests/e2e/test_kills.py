"""Taking in, updating and embedding, killed at random: nothing lost, nothing doubled, and the next one goes on."""

import json
import os
import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.corpus.records import make_record, write_snapshot
from tests.harness.arxiv_server import Fault, paper
from tests.harness.oai_server import OaiServer
from tests.harness.waiting import outlives

# CITEPLUG_LONG is the number of kills of a long run.
KILLS = int(os.environ.get("CITEPLUG_LONG") or 3)
RECORDS = 6_000
TODAY = datetime.now(UTC).date()
JOBS = ("add", "update", "embed")


@pytest.fixture
def oai() -> Iterator[OaiServer]:
    server = OaiServer(today=TODAY, page=50)
    server.replay(lambda asked: Fault.slow(0.02))
    with server.serve():
        yield server


class Home:
    """A user's data directory, worked on by processes that may be killed."""

    def __init__(self, folder: Path, oai: OaiServer) -> None:
        self.folder = folder
        self.oai = oai
        self.snapshot = folder / "snapshot.jsonl"
        self.touched = 0
        self.wanted: dict[str, str] = {}

    def new_texts(self, number: int, chance: random.Random) -> None:
        """What arXiv has changes: some titles of the snapshot, and some papers that only an update brings."""
        changed = set(chance.sample(range(RECORDS), RECORDS // 20))
        day = (TODAY - timedelta(days=1)).isoformat()
        records = []
        for each in range(RECORDS):
            value = f"18{each // 3000 + 1:02d}.{each % 3000:05d}"
            if value not in self.wanted or each in changed:
                self.wanted[value] = f"On problem {each} in form {number}"
            title = self.wanted[value]
            records.append(make_record(each, id=value, title=title, abstract=f"{title}, solved.", update_date=day))
        write_snapshot(self.snapshot, records)
        fresh = [f"2610.{self.touched + each:05d}" for each in range(1, 121)]
        self.touched += len(fresh)
        self.wanted |= {value: f"On news {value}" for value in fresh}
        self.oai.touch(TODAY - timedelta(days=1), *(paper(value, self.wanted[value]) for value in fresh))

    def command(self, job: str) -> list[str]:
        since = (TODAY - timedelta(days=1)).isoformat()
        rest = {
            "add": ["add", str(self.snapshot)],
            "update": ["update", "--since", since],
            "embed": ["embed", "--count", "150", "--json"],
            "info": ["info", "--json"],
            "mend": ["verify", "--json"],
            "verify": ["verify", "--no-repair", "--json"],
        }
        return [sys.executable, "-m", "citeplug", "index", *rest[job]]

    @property
    def environment(self) -> dict[str, str]:
        own = {"CITEPLUG_HOME": str(self.folder / "home"), "CITEPLUG_OAI_URL": self.oai.url}
        return {**os.environ, **own, "CITEPLUG_PROGRESS": "json"}

    def finish(self, job: str) -> str:
        """The job, to its end."""
        done = subprocess.run(self.command(job), env=self.environment, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, f"{job}: {done.stdout[-2000:]} {done.stderr[-2000:]}"
        assert "Traceback" not in done.stderr
        return done.stdout

    def kill(self, job: str, chance: random.Random) -> bool:
        """Begin the job, and kill it some moments after one of its first steps; False if it was done by then."""
        process = subprocess.Popen(
            self.command(job), env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        assert process.stderr is not None
        for _ in range(chance.randrange(4)):
            if not process.stderr.readline():
                break
        # Nobody reads on: without this the job would wait for its reader.
        reading = threading.Thread(target=process.stderr.read, daemon=True)
        reading.start()
        running = outlives(process, chance.uniform(0, 0.6))
        process.kill()
        process.wait(timeout=60)
        reading.join(timeout=60)
        process.stderr.close()
        return running

    def info(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.finish("info"))
        return found

    def titles(self) -> list[tuple[str, str, str]]:
        """(id, title, abstract) of every record."""
        import sqlite3
        from contextlib import closing

        with closing(sqlite3.connect(self.folder / "home" / "corpus" / "catalogue.sqlite3")) as db:
            return db.execute("SELECT id, title, abstract FROM papers").fetchall()


def test_killed_at_any_moment_the_jobs_lose_and_double_nothing(tmp_path: Path, oai: OaiServer) -> None:
    chance = random.Random(KILLS)
    home = Home(tmp_path, oai)
    home.new_texts(0, chance)
    before: set[str] = set()
    stopped = dict.fromkeys(JOBS, 0)
    for number in range(KILLS):
        job = JOBS[number % len(JOBS)]
        stopped[job] += home.kill(job, chance)
        if not (tmp_path / "home" / "corpus" / "catalogue.sqlite3").exists():
            continue
        home.info()
        rows = home.titles()
        there = {value for value, _, _ in rows}
        assert len(rows) == len(there)
        assert there >= before
        # Each record is one whole: a title of one form and an abstract of another would be a torn one.
        assert not [value for value, title, text in rows if value < "26" and text != f"{title}, solved."]
        before = there
        if number % 3 == 2:
            home.new_texts(number, chance)
    home.finish("add")
    home.finish("update")
    assert {value: title for value, title, _ in home.titles()} == home.wanted
    held = home.info()["embedded"]
    done = json.loads(home.finish("embed"))
    assert (done["embedded"], done["embedded"] + done["left"]) == (150, len(home.wanted) - held)
    assert home.info()["embedded"] == held + 150
    # Texts that changed have left rows in the vector store that no search gives: nothing else is off.
    found = json.loads(home.finish("mend"))["problems"]
    assert [
        each for each in found if (each["part"], each["kind"]) not in (("store", "stale"), ("store", "extra"))
    ] == []
    said = json.loads(home.finish("verify"))
    assert (said["sound"], said["problems"], said["records"]) == (True, [], len(home.wanted))
    print(f"{sum(stopped.values())} of {KILLS} jobs were stopped before their end: {stopped}")

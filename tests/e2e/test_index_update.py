"""`citeplug index update` against a server on loopback that speaks arXiv's OAI-PMH."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from citeplug.corpus.stores import open_corpus, settings
from citeplug.records.paper import Filter
from tests.e2e.conftest import Run
from tests.harness.arxiv_server import Fault, paper
from tests.harness.oai_server import OaiServer
from tests.harness.waiting import until

TODAY = datetime.now(UTC).date()
YESTERDAY = TODAY - timedelta(days=1)


@pytest.fixture
def oai(monkeypatch: pytest.MonkeyPatch) -> Iterator[OaiServer]:
    server = OaiServer(today=TODAY, page=50)
    with server.serve():
        monkeypatch.setenv("CITEPLUG_OAI_URL", server.url)
        yield server


def fill(oai: OaiServer, day: date, count: int, month: str = "2610") -> None:
    oai.touch(day, *(paper(f"{month}.{number:05d}", f"On problem {number}") for number in range(1, count + 1)))


def found(words: str) -> str:
    """The first record that the words find, as another process would."""
    with open_corpus(settings(offline=True)) as corpus:
        return corpus.lexical(words, 1, Filter())[0][0]


def test_what_changed_is_taken_in_and_told(run: Run, oai: OaiServer) -> None:
    fill(oai, YESTERDAY, 120)
    done = run("index", "update", "--since", YESTERDAY, "--json")
    assert done.code == 0, done.err
    wanted = {"added": 120, "changed": 0, "unchanged": 0, "deleted": 0, "skipped": 0, "until": TODAY.isoformat()}
    assert done.json.items() >= wanted.items()
    assert found("problem 17") == "2610.00017"
    again = run("index", "update", "--json").json
    assert (again["added"], again["unchanged"], again["since"]) == (0, 120, YESTERDAY.isoformat())


def test_a_line_for_each_day_is_told_to_who_asks(run: Run, oai: OaiServer) -> None:
    fill(oai, YESTERDAY, 3)
    done = run("index", "update", "--since", YESTERDAY, "-v")
    assert f"{YESTERDAY}: 3 records so far" in done.err
    assert "3 added, 0 changed" in done.out


def test_offline_and_without_a_day_the_way_out_is_named(run: Run, oai: OaiServer) -> None:
    done = run("index", "update", "--offline", "--since", "2026-01-01")
    assert (done.code, done.out) == (3, "")
    assert "offline" in done.err
    done = run("index", "update")
    assert done.code == 2
    assert "--since" in done.err
    assert run("index", "update", "--since", "2999-01-01").code == 2
    assert not oai.requests


def test_an_outage_keeps_what_came_and_says_how_to_go_on(run: Run, oai: OaiServer) -> None:
    fill(oai, YESTERDAY, 60)
    oai.replay(lambda asked: Fault(404, b"gone") if "resumptionToken" in asked.params else None)
    done = run("index", "update", "--since", YESTERDAY, "--json")
    assert (done.code, done.out) == (3, "")
    assert run("index", "info", "--json").json["records"] == 50
    oai.replay(lambda asked: None)
    assert run("index", "update", "--since", YESTERDAY, "--json").json["added"] == 10


def start(home: Path, oai: OaiServer, *args: str) -> "subprocess.Popen[str]":
    environment = {**os.environ, "CITEPLUG_HOME": str(home), "CITEPLUG_OAI_URL": oai.url}
    command = [sys.executable, "-m", "citeplug", "index", "update", "--json", *args]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_a_run_that_is_killed_is_continued_and_nothing_is_lost_or_doubled(oai: OaiServer, tmp_path: Path) -> None:
    days = [TODAY - timedelta(days=back) for back in range(5, -1, -1)]
    for number, day in enumerate(days):
        fill(oai, day, 200, month=f"26{number + 1:02d}")
    oai.replay(lambda asked: Fault.slow(0.03))
    since = ("--since", days[0].isoformat())
    for _ in range(3):
        process = start(tmp_path, oai, *since)
        enough = len(oai.requests) + random.randint(2, 8)
        until(lambda: process.poll() is not None or len(oai.requests) >= enough)
        process.kill()
        process.communicate(timeout=30)
    assert len(oai.asked_days()) < 6 + 2 * 3
    process = start(tmp_path, oai, *since)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert json.loads(out)["skipped"] == 0
    info = subprocess.run(
        [sys.executable, "-m", "citeplug", "index", "info", "--json"],
        env={**os.environ, "CITEPLUG_HOME": str(tmp_path)},
        capture_output=True,
        check=True,
    )
    assert json.loads(info.stdout)["records"] == 1200


def test_a_second_writer_is_told_and_readers_are_not_held_up(run: Run, oai: OaiServer) -> None:
    fill(oai, YESTERDAY, 100)
    run("index", "update", "--since", YESTERDAY, "-q")
    oai.fail_always(Fault.slow(8))
    before = len(oai.requests)
    process = start(Path(os.environ["CITEPLUG_HOME"]), oai)
    try:
        until(lambda: len(oai.requests) > before)
        assert process.poll() is None
        done = run("index", "update")
        assert done.code == 3
        assert "another citeplug process is updating" in done.err
        assert found("problem 17") == "2610.00017"
    finally:
        process.kill()
        process.communicate(timeout=30)

"""A piece of work in a process: what it tells and asks, and that it can be killed, but not while files are written."""

import threading
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from citeplug.errors import Cancelled
from citeplug.jobs.process import JobFailed, JobProcess, Listener

PATIENCE = 60  # seconds, on a machine that does much else


def job(function: str, listener: Listener | None = None, **arguments: Any) -> JobProcess:
    return JobProcess(f"tests.jobs.work:{function}", arguments, listener or Listener(lambda *_: None))


def cancel_after(event: threading.Event, process: JobProcess) -> None:
    def cancel() -> None:
        assert event.wait(PATIENCE)
        process.cancel()

    threading.Thread(target=cancel).start()


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))


def test_its_events_come_in_their_order_and_then_its_result() -> None:
    told: list[object] = []
    listener = Listener(lambda *stage: told.append(stage), told.append, told.append)
    assert job("tell", listener, words="a line").run() == "A LINE"
    assert told == [("rank", 3, 20), "a line", "asking"]


def test_an_interrupt_of_the_terminal_is_left_to_the_process_that_began_it() -> None:
    assert job("interrupt").run() == "goes on"


@pytest.mark.parametrize("answer", [True, False])
def test_a_question_is_answered_from_another_thread(answer: bool) -> None:
    def consent(question: str) -> "Future[bool]":
        assert question == "May I?"
        future: Future[bool] = Future()
        threading.Timer(0.1, future.set_result, [answer]).start()
        return future

    assert job("ask", Listener(lambda *_: None, consent=consent), question="May I?").run() is answer


def test_a_run_is_cancelled_while_its_question_is_open() -> None:
    question: Future[bool] = Future()
    asked = threading.Event()

    def consent(_: str) -> "Future[bool]":
        asked.set()
        return question

    process = job("ask", Listener(lambda *_: None, consent=consent), question="May I?")
    cancel_after(asked, process)
    with pytest.raises(Cancelled):
        process.run()
    assert question.cancelled()


@pytest.mark.parametrize(
    ("how", "message", "hint"),
    [
        ("usage", "there is no way", "try another"),
        ("os", "cannot read or write /nowhere/at all", ""),
        ("defect", "ended unexpectedly", "doctor"),
        ("exit", "ended unexpectedly", "doctor"),
    ],
)
def test_an_error_is_told_with_its_hint_and_so_is_a_process_that_died(how: str, message: str, hint: str) -> None:
    with pytest.raises(JobFailed, match=message) as raised:
        job("fail", how=how).run(quiet=True)
    assert hint in raised.value.hint


@pytest.mark.parametrize("commit", [False, True])
def test_a_process_is_killed_at_once_unless_it_writes_files(tmp_path: Path, commit: bool) -> None:
    there = threading.Event()
    process = job("write", Listener(lambda *_: there.set()), file=tmp_path / "file", commit=commit)
    cancel_after(there, process)
    if commit:
        assert process.run() == "written"
        assert (tmp_path / "file").read_text("utf-8") == "19"
    else:
        with pytest.raises(Cancelled):
            process.run()


def test_a_job_that_was_cancelled_before_it_began_starts_no_process(tmp_path: Path) -> None:
    process = job("write", file=tmp_path / "file", commit=False)
    process.cancel()
    with pytest.raises(Cancelled):
        process.run()
    assert not (tmp_path / "file").exists()


def test_nothing_of_the_folder_that_the_process_runs_in_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("json.py", "citeplug.py", "pickle.py"):
        (tmp_path / name).write_text("import pathlib\npathlib.Path('ran').touch()\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    assert job("tell", words="a line").run() == "A LINE"
    assert not (tmp_path / "ran").exists()

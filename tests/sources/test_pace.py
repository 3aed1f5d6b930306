import multiprocessing
import threading
from pathlib import Path

import pytest

from citeplug.sources.pace import NotYet, Pace
from tests.harness.arxiv_server import FastClock
from tests.harness.waiting import SECONDS


def test_the_first_turn_comes_at_once(tmp_path: Path, clock: FastClock) -> None:
    with Pace(tmp_path, "s", 3.0, clock).turn(clock.now() + 10):
        pass
    assert clock.slept == []


def test_a_turn_comes_no_sooner_than_the_delay_after_the_end_of_the_last(tmp_path: Path, clock: FastClock) -> None:
    with Pace(tmp_path, "s", 3.0, clock).turn(clock.now() + 10):
        clock.sleep(1.0)
    with Pace(tmp_path, "s", 3.0, clock).turn(clock.now() + 10):
        pass
    assert clock.slept[0] == 1.0
    assert 2.9 < clock.slept[1] < 3.1


def test_services_do_not_wait_for_each_other(tmp_path: Path, clock: FastClock) -> None:
    for service in ("one", "two"):
        with Pace(tmp_path, service, 3.0, clock).turn(clock.now() + 10):
            pass
    assert clock.slept == []


def test_a_turn_that_would_come_too_late_is_refused_at_once(tmp_path: Path, clock: FastClock) -> None:
    pace = Pace(tmp_path, "s", 3.0, clock)
    with pace.turn(clock.now() + 10) as turn:
        turn.hold_back(60)
    with pytest.raises(NotYet) as caught, pace.turn(clock.now() + 10):
        pass
    assert 59 < (caught.value.seconds or 0) <= 60
    assert clock.slept == []


def test_nobody_can_hold_others_back_for_longer_than_ten_minutes(tmp_path: Path, clock: FastClock) -> None:
    pace = Pace(tmp_path, "s", 0.0, clock)
    with pace.turn(clock.now()) as turn:
        turn.hold_back(1e9)
    clock.sleep(601)
    with pace.turn(clock.now()):
        pass


@pytest.mark.parametrize("left", ["", "not a time", "9" * 40, "-1e99", "nan", "é"])
def test_a_damaged_note_costs_one_pause_at_most(tmp_path: Path, clock: FastClock, left: str) -> None:
    (tmp_path / "s.next").write_text(left, encoding="utf-8")
    with Pace(tmp_path, "s", 3.0, clock).turn(clock.now() + 10):
        pass
    assert sum(clock.slept) < 3.2


def test_a_clock_that_was_put_back_costs_one_pause_at_most(tmp_path: Path, clock: FastClock) -> None:
    (tmp_path / "s.next").write_text(repr(clock.now() + 86_400), encoding="ascii")
    with Pace(tmp_path, "s", 3.0, clock).turn(clock.now() + 10):
        pass
    assert 2.9 < sum(clock.slept) < 3.2


def test_an_interrupted_request_gives_its_turn_back(tmp_path: Path, clock: FastClock) -> None:
    pace = Pace(tmp_path, "s", 0.0, clock)
    with pytest.raises(KeyboardInterrupt), pace.turn(clock.now() + 1):
        raise KeyboardInterrupt
    with Pace(tmp_path, "s", 0.0, clock).turn(clock.now() + 1):
        pass


def _hold(folder: Path, clock: FastClock, ready: "multiprocessing.synchronize.Event") -> None:
    with Pace(folder, "s", 3.0, clock).turn(clock.now() + 10):
        ready.set()
        threading.Event().wait()


def test_a_process_that_is_killed_in_its_turn_gives_it_back_and_still_counts(tmp_path: Path, clock: FastClock) -> None:
    context = multiprocessing.get_context("spawn")
    ready = context.Event()
    holder = context.Process(target=_hold, args=(tmp_path, clock, ready))
    holder.start()
    try:
        assert ready.wait(SECONDS)
        with pytest.raises(NotYet), Pace(tmp_path, "s", 3.0, clock).turn(clock.now() + 0.2):
            pass
    finally:
        holder.kill()
        holder.join(SECONDS)
    with Pace(tmp_path, "s", 3.0, clock).turn(clock.now() + 10):
        pass
    assert 2.9 < sum(clock.slept) < 3.2

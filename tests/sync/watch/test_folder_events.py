"""Folders that tell of changes."""

import queue
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from citeplug.sync.watch.folder_events import FolderEvents
from tests.harness.waiting import SECONDS


class Told:
    """What was told, by name."""

    def __init__(self) -> None:
        self.paths: queue.Queue[Path] = queue.Queue()

    def of(self, name: str) -> bool:
        """Whether a file of this name is told of."""
        try:
            while self.paths.get(timeout=SECONDS).name != name:
                pass
        except queue.Empty:
            return False
        return True


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def events(told: Told) -> Iterator[FolderEvents]:
    made = FolderEvents(told.paths.put)
    made.start()
    yield made
    made.stop()


def test_a_save_and_a_rename_over_a_file_are_told(tmp_path: Path, told: Told, events: FolderEvents) -> None:
    events.watch([tmp_path])
    (tmp_path / "a.tex").write_text("A", "utf-8")
    assert told.of("a.tex")
    (tmp_path / "a.tmp").write_text("B", "utf-8")
    assert told.of("a.tmp")
    (tmp_path / "a.tmp").replace(tmp_path / "a.tex")
    assert told.of("a.tex")
    assert events.trouble is None


def test_reading_is_not_told(tmp_path: Path, told: Told, events: FolderEvents) -> None:
    (tmp_path / "a.tex").write_text("A", "utf-8")
    events.watch([tmp_path])
    (tmp_path / "a.tex").read_bytes()
    (tmp_path / "b.tex").write_text("B", "utf-8")
    assert told.paths.get(timeout=SECONDS).name == "b.tex"


def test_a_folder_that_is_made_anew_is_watched_anew(tmp_path: Path, told: Told, events: FolderEvents) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    events.watch([folder, tmp_path / "absent"])
    shutil.rmtree(folder)
    events.watch([folder])
    # So that it cannot have the number of the old one.
    (tmp_path / "between").mkdir()
    folder.mkdir()
    events.watch([folder])
    (folder / "b.tex").write_text("B", "utf-8")
    assert told.of("b.tex")


def test_where_the_system_has_no_more_watches_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: Told, events: FolderEvents
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "inotify watch limit reached")

    monkeypatch.setattr("watchdog.observers.api.BaseObserver.schedule", full)
    events.watch([tmp_path])
    assert events.trouble == "inotify watch limit reached"
    events.watch([tmp_path])
    events.stop()

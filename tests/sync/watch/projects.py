"""A watcher at work in a thread, and what it tells."""

import queue
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from citeplug.corpus.stores import open_corpus, settings
from citeplug.llm.allowance import Allowance
from citeplug.sync.watch.context import WatchContext, WatchEvent, WatchOverrides
from citeplug.sync.watch.loop import Watcher

PATIENCE = 60.0  # seconds: a busy machine is slow


class Heard:
    """What a watcher tells, in its order."""

    def __init__(self) -> None:
        self.queue: queue.Queue[WatchEvent] = queue.Queue()
        self.all: list[WatchEvent] = []

    def next(self, *kinds: str) -> WatchEvent:
        """The next event of one of these kinds; what comes before it is passed over."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                event = self.queue.get(timeout=max(0.01, end - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"none of {kinds} after {[(h.kind, h.message) for h in self.all]}") from None
            self.all.append(event)
            if event.kind in kinds:
                return event

    def silence(self, seconds: float) -> None:
        """Nothing is told for a while."""
        try:
            event = self.queue.get(timeout=seconds)
        except queue.Empty:
            return
        raise AssertionError(event)


@contextmanager
def watching(main: Path, allowance: Allowance | None = None, **options: Any) -> Iterator[Heard]:
    """A watcher of the project in the folder of `main`, offline; it has told that it watches."""
    heard = Heard()
    chosen = settings(offline=True)
    with open_corpus(chosen) as corpus:
        overrides = WatchOverrides(model=allowance is not None)
        context = WatchContext(overrides, chosen, corpus, heard.queue.put, allowance=allowance)
        watcher = Watcher(main.parent, context, **options)
        thread = threading.Thread(target=watcher.run)
        thread.start()
        try:
            heard.next("watching")
            yield heard
        finally:
            watcher.end()
            thread.join(PATIENCE)
            watcher.stop()
        assert not thread.is_alive()


def change(file: Path, old: str, new: str) -> None:
    """Save a change in place, as VS Code does."""
    file.write_bytes(changed(file, old, new))


def changed(file: Path, old: str, new: str) -> bytes:
    text = file.read_bytes().decode()
    assert old in text, old
    return text.replace(old, new, 1).encode()


def save_like_vim(file: Path, data: bytes) -> None:
    """With a probe whether files can be made here, a swap file, and a backup by renaming."""
    swap = file.with_name(f".{file.name}.swp")
    swap.write_bytes(b"b0VIM")
    probe = file.with_name("4913")
    probe.write_bytes(b"")
    probe.unlink()
    backup = file.with_name(f"{file.name}~")
    file.rename(backup)
    file.write_bytes(data)
    backup.unlink()
    swap.unlink()


def save_like_emacs(file: Path, data: bytes) -> None:
    """With an auto-save file, a lock that is a link to nowhere, and a backup that stays."""
    auto = file.with_name(f"#{file.name}#")
    auto.write_bytes(data[: len(data) // 2])
    lock = file.with_name(f".#{file.name}")
    lock.unlink(missing_ok=True)
    lock.symlink_to("me@here.1234:5678")
    file.replace(file.with_name(f"{file.name}~"))
    file.write_bytes(data)
    lock.unlink()
    auto.unlink()


def save_beside(file: Path, data: bytes) -> None:
    """Into a new file that then takes the place of the old one, as many editors and tools for syncing do."""
    beside = file.with_name(f".{file.name}.tmp")
    beside.write_bytes(data)
    beside.replace(file)
